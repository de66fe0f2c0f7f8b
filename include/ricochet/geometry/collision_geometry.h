// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_collision_geometry_h
#define ricochet_geometry_collision_geometry_h

#include <ricochet/geometry/collision.h>
#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <boost/container/static_vector.hpp>
#include <memory>
#include <vector>

namespace Ricochet
{
  template <int dim>
  class PairGeometry;



  /**
   * Weights and normals of encounters. Normals are from the positions of the
   * moment when the encounters were found: a neighbor that was corrected before
   * must not tilt them. Gaps, and the closest points of two edges, are those of
   * the current positions, which makes duplicates of one impact harmless.
   *
   * Of two features, weights and normal are the first of
   *   (a) the closest points at the end of the step, if inside both features,
   *   (b) the weights of the time of impact with a normal that fits the
   *       adjacent facets,
   *   (c) the weights of the time of impact with the raw normal of the feature
   *       pair (edge-edge: e1 x e2, on the side of the start of the step)
   * along which the pair is closer than the detection distance. A vertex that
   * cannot touch the facet from its side of the body must be behind the facet
   * by more than round-off, and so must edges of which one cannot touch
   * anything along the normal; and the paths of such a pair must still meet.
   * Edges that do not fit the facets by e1 x e2, and are in no flat part, must
   * not have been behind another normal at the start of the step, or only (c)
   * counts.
   *
   * A collision that is given is what it is.
   *
   * @note Contact responses from outside may include this header.
   */
  template <int dim>
  class CollisionGeometry
  {
  public:
    /** One point per node. */
    using Positions = std::vector<dealii::Point<dim>>;

    /**
     * Prepare for one pass: positions of the nodes at the start of the step
     * and at its end as they were when the encounters were found. All arguments
     * must outlive this object.
     *
     * @param[in] given What encounters of this kind mean; needed if there are
     *   any.
     */
    CollisionGeometry(const Surface<dim> &surface,
                      const Positions &begin,
                      const Positions &end,
                      const std::vector<GivenCollision<dim>> *given = nullptr);

    ~CollisionGeometry();

    /** Weights and normals of one encounter. Of a given collision, only
     * handling_order() means something. */
    struct AtImpact
    {
      /**
       * Weights of the feature vertices at the time of impact, vertex or first
       * edge first.
       */
      std::array<double, 4> weights;

      /** Whether the vertex meets the facet at its border; not for edges. */
      bool is_on_border = false;

      /** The same of the facet's point closest to the vertex at the end of
       * the step; not for edges. */
      std::array<double, 4> end_weights;

      /** Whether that is inside the facet. */
      bool is_inside = false;

      /**
       * Facet normal at the end, or a normal that fits the facets of both
       * edges.
       */
      dealii::Tensor<1, dim> end_normal;

      /** Whether the vertex can touch the facet from its side, or the end
       * normal lies between the facets of both edges. */
      bool is_plausible = true;

      /** Normals of the planes that the pair can slide in, those of the
       * facets, oriented from second to first side. */
      boost::container::static_vector<dealii::Tensor<1, dim>, 4>
        sliding_normals;

      /** Facet normal or e1 x e2, oriented from second to first side. */
      dealii::Tensor<1, dim> raw_normal;

      /** False for parallel edges and edges that start in touch: no (c). */
      bool has_raw_normal = true;

      /**
       * Pairs with a smaller number are to be handled first. Pairs that no
       * normal fits follow others through a surface; when these are back, there
       * is mostly nothing left to do.
       */
      unsigned int
      handling_order() const
      {
        return is_plausible ? 0 : 1;
      }
    };

    /**
     * For each encounter whether it is one of edges of which one is in a flat
     * part of the surface. Those are to be handled after the others: edges
     * follow vertices through a surface, and when these are back, there is
     * mostly nothing left to do.
     */
    std::vector<char>
    followers(const std::vector<Encounter> &encounters) const;

    /**
     * Keep those of the encounters that follow others which are found again, or
     * may be, when the nodes end at the @p current positions.
     *
     * @param[in] relative_eta Detection distance relative to the local length.
     * @param[in,out] numbers Those of @p encounters that follow.
     */
    void
    keep_open(const std::vector<Encounter> &encounters,
              const Positions &current,
              const double relative_eta,
              std::vector<unsigned int> &numbers) const;

    /** Weights and normals of an encounter, see AtImpact. */
    AtImpact
    at_impact(const Encounter &encounter) const;

    /**
     * The collision of @p encounter for the current positions of the nodes
     * (see the chain above).
     *
     * @param[in] relative_eta Detection distance relative to the local length.
     * @return Whether the pair is closer than that along one of the normals;
     *   otherwise there is nothing to do and @p collision is undefined.
     */
    bool
    evaluate(const Encounter &encounter,
             const AtImpact &at_impact,
             const Positions &current,
             const double relative_eta,
             Collision<dim> &collision) const;

    /**
     * Whether the paths to the @p current positions meet, or end in touch, of
     * a pair that was apart at the start and does not only graze: then these
     * positions cannot be accepted.
     */
    bool
    is_blocked(const Encounter &encounter, const Positions &current) const;

    /** Of two features, the collision with given weights of their vertices and
     * a given normal, as evaluate(). */
    bool
    evaluate_along(const Encounter &encounter,
                   const std::array<double, 4> &weights,
                   const dealii::Tensor<1, dim> &normal,
                   const Positions &current,
                   const double relative_eta,
                   Collision<dim> &collision) const;

    /** The collision with the weights and raw normal of the time of impact, if
     * there is one. */
    bool
    evaluate_at_impact(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       Collision<dim> &collision) const;

    /** The nodes that the pair depends on; some may repeat. */
    std::vector<unsigned int>
    nodes(const Encounter &encounter) const;

    /** Add the nodes whose present positions evaluate() reads: those of the
     * contact point, and those next to them, which say in which directions a
     * vertex can touch something. */
    void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const;

  private:
    /** What is done in another way for each kind of pair. */
    const PairGeometry<dim> &
    of(const Encounter &encounter) const;

    const Surface<dim> &surface;
    const Positions &begin, &end;

    /** One for each PairKind; none for edges in 2D. */
    std::array<std::unique_ptr<PairGeometry<dim>>, 3> kinds;
  };
} // namespace Ricochet

#endif
