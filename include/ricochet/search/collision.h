// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_collision_h
#define ricochet_search_collision_h

#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <vector>

namespace Ricochet
{
  /**
   * One contact point: a weighted sum of nodes with a direction.
   *
   * This is the one place where the sign is defined. The weights are positive
   * on the first side (the vertex, or the first edge) and negative on the
   * second; the normal points from the second side to the first. Hence
   *
   *   separation vector   h  = sum_i w_i x_i,
   *   gap                 g  = n . h      (g >= 0 is admissible),
   *   relative velocity   dv = sum_i w_i v_i   (n . dv < 0 is closing),
   *   effective mass      1/m = w^T M^-1 w.
   */
  template <int dim>
  struct Collision
  {
    boost::container::small_vector<unsigned int, 4> nodes;
    boost::container::small_vector<double, 4> weights; // sum is zero

    /** The bodies of the first and the second side. */
    std::array<unsigned int, 2> bodies{{0, 0}};

    /** Unit normal, from the second side to the first. */
    dealii::Tensor<1, dim> normal;

    /** n . h in the configuration that the collision was evaluated in. */
    double gap = 0.;

    /** n . h at the start of the step. */
    double start_gap = 0.;

    /** The gap at the end of the step that the pair is to keep: the detection
     * distance, or of pairs that were closer at the start of the step that they
     * do not pass into each other, or not further than they are. */
    double least_gap = 0.;

    /** The local edge length that clearances are relative to. */
    double length = 0.;

    /** Sum of weights times @p field, e.g. h for positions. */
    template <typename VectorType>
    dealii::Tensor<1, dim>
    weighted_sum(const std::vector<VectorType> &field) const
    {
      dealii::Tensor<1, dim> sum;
      for (unsigned int i = 0; i < nodes.size(); ++i)
        for (unsigned int d = 0; d < dim; ++d)
          sum[d] += weights[i] * field[nodes[i]][d];
      return sum;
    }
  };



  template <int dim>
  struct ObstacleContacts;



  /** The vertices of an encounter of features: the vertex or the first edge,
   * then the facet or the second edge. */
  template <int dim>
  std::array<unsigned int, dim + 1>
  feature_vertices(const Surface<dim> &surface, const Encounter &encounter);

  /** The nodes that these vertices depend on, or those of a feature and of an
   * obstacle; some may repeat. */
  template <int dim>
  std::vector<unsigned int>
  feature_nodes(const Surface<dim> &surface,
                const Encounter &encounter,
                const ObstacleContacts<dim> *obstacles = nullptr);

  /**
   * Whether the two features touch for the given positions of the nodes, i.e.
   * are no further apart than touching_distance times the local edge length, or
   * than positions of double precision can tell.
   */
  template <int dim>
  bool
  touch(const Surface<dim> &surface,
        const Encounter &encounter,
        const std::vector<dealii::Point<dim>> &nodes);

  /** Far below any detection distance, far above round-off. */
  constexpr double touching_distance = 1e-13;



  /**
   * Weights and normals of encounters. Normals are from the positions of the
   * moment when the encounters were found: a neighbor that was corrected before
   * must not tilt them. Gaps, and the closest points of two edges, are those of
   * the current positions, which makes duplicates of one impact harmless.
   *
   * Weights and normal are the first of
   *   (a) the closest points at the end of the step, if inside both features,
   *   (b) the weights of the time of impact with a normal that fits the
   *       adjacent facets,
   *   (c) the weights of the time of impact with the raw normal of the feature
   *       pair (edge-edge: e1 x e2, on the side of the start of the step)
   * along which the pair is closer than the detection distance. A vertex that
   * cannot touch the facet from its side of the body must be behind the facet
   * by more than round-off, and so must edges of which one cannot touch
   * anything along the normal; and the paths of such a pair must still meet.
   */
  template <int dim>
  class CollisionGeometry
  {
  public:
    /** One point per node. */
    using Positions = std::vector<dealii::Point<dim>>;

    /**
     * Prepare for one pass: positions of the nodes at the start of the step
     * and at its end as they were when the encounters were found.
     *
     * @param[in] obstacles What encounters with obstacles mean; needed if there
     *   are any.
     */
    CollisionGeometry(const Surface<dim> &surface,
                      const Positions &begin,
                      const Positions &end,
                      const ObstacleContacts<dim> *obstacles = nullptr);

    /** Weights and normals of one encounter. */
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

      /** Whether one of the edges is in a flat part of the surface, where the
       * vertices mostly leave nothing to do. */
      bool is_flat = false;

      /** Normals of the planes that the pair can slide in, those of the
       * facets, oriented from second to first side. */
      boost::container::static_vector<dealii::Tensor<1, dim>, 4>
        sliding_normals;

      /** Facet normal or e1 x e2, oriented from second to first side. */
      dealii::Tensor<1, dim> raw_normal;

      /** False for parallel edges and edges that start in touch: no (c). */
      bool has_raw_normal = true;
    };

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
     * Whether the paths to the @p current positions meet, or end in touch(), of
     * a pair that was apart at the start and does not only graze: then these
     * positions cannot be accepted.
     */
    bool
    is_blocked(const Encounter &encounter, const Positions &current) const;

    /** The collision with given weights of the feature vertices and a given
     * normal, as evaluate(). */
    bool
    evaluate_along(const Encounter &encounter,
                   const std::array<double, 4> &weights,
                   const dealii::Tensor<1, dim> &normal,
                   const Positions &current,
                   const double relative_eta,
                   Collision<dim> &collision) const;

    /** The collision with the weights and raw normal of the time of impact. */
    bool
    evaluate_at_impact(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       Collision<dim> &collision) const;

    /** Add the nodes that evaluate() reads: those of the pair, and those next to
     * them, which say in which directions a vertex can touch something. */
    void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const;

  private:
    /** Give e1 x e2 the side that the edges @p e_1, @p e_2 were on at the
     * start. */
    void
    orient(const Encounter &encounter,
           const dealii::Tensor<1, dim> &e_1,
           const dealii::Tensor<1, dim> &e_2,
           AtImpact &result) const;

    /**
     * What a vertex and the edge or vertex that it meets both agree on: their
     * mean normal, if both can touch something in that direction. Then a
     * symmetric encounter has a symmetric answer, whatever facet comes first.
     */
    void
    agree_on_normal(const Encounter &encounter, AtImpact &result) const;

    /** The part of at_impact() for the end of the step. */
    void
    add_end(const Encounter &encounter, AtImpact &result) const;

    /**
     * Set normal and gap; whether the gap is below @p distance, and if it was
     * so at the start of the step, when the features touched, whether it has
     * become smaller.
     */
    bool
    is_closer(const double distance,
              const Positions &current,
              const dealii::Tensor<1, dim> &normal,
              Collision<dim> &collision) const;

    /**
     * Whether the pair touches at the start along a sliding normal and is not
     * behind it at the end: a body that slides on another at no distance. Also
     * where a vertex that cannot touch the facet meets its border, since there
     * the edges decide.
     */
    bool
    grazes(const AtImpact &at_impact,
           const Positions &current,
           const Collision<dim> &collision) const;

    /**
     * Whether the paths still meet after what was corrected since the encounter
     * was found. If not, the raw normal would push a body sideways that passes
     * above an edge.
     */
    bool
    still_crosses(const Encounter &encounter,
                  const AtImpact &at_impact,
                  const Positions &current,
                  const Collision<dim> &collision) const;

    /**
     * Whether a direction away from the border of a facet lies between the
     * facets there; on a flat surface the neighboring facet decides.
     */
    bool
    is_between_facets(const std::array<unsigned int, dim + 1> &vertices,
                      const std::array<double, 4> &weights,
                      const dealii::Tensor<1, dim> &normal) const;

    /**
     * Whether a vertex can touch something that lies below it in the
     * direction of @p normal: its neighbors must not lie deeper. A vertex
     * that grazes the side of another body, on a path in the plane of that
     * side, cannot.
     */
    bool
    can_touch(const unsigned int vertex,
              const dealii::Tensor<1, dim> &normal) const;

    bool
    evaluate_vertex_facet(const Encounter &encounter,
                          const AtImpact &at_impact,
                          const Positions &current,
                          const double eta,
                          Collision<dim> &collision) const;

    bool
    evaluate_edge_edge(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       const double eta,
                       Collision<dim> &collision) const;

    const Surface<dim> &surface;
    const Positions &begin;
    const Positions &end;
    const ObstacleContacts<dim> *obstacles;
  };
} // namespace Ricochet

#endif
