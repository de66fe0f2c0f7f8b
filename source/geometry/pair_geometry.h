// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_geometry_pair_geometry_h
#define ricochet_source_geometry_pair_geometry_h

#include <ricochet/geometry/collision_geometry.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace Ricochet
{
  /** A vertex that meets a facet with a smaller weight of one of its corners
   * meets its border. */
  constexpr double border_weight = 1e-9;

  /** Relative to the local length: below, a direction is only round-off. */
  constexpr double round_off_length = 1e-13;



  /** Gaps of points there that differ by less are the same: what positions of
   * double precision can tell. */
  template <int dim>
  double
  resolution(const dealii::Point<dim> &x)
  {
    double largest = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      largest = std::max(largest, std::abs(x[d]));
    return 8. * std::numeric_limits<double>::epsilon() * largest;
  }



  /** The part of CollisionGeometry for one kind of pair; see there. */
  template <int dim>
  class PairGeometry
  {
  public:
    using Positions = std::vector<dealii::Point<dim>>;
    using AtImpact  = typename CollisionGeometry<dim>::AtImpact;

    virtual ~PairGeometry() = default;

    virtual AtImpact
    at_impact(const Encounter &encounter) const = 0;

    virtual bool
    evaluate(const Encounter &encounter,
             const AtImpact &at_impact,
             const Positions &current,
             const double relative_eta,
             Collision<dim> &collision) const = 0;

    virtual bool
    evaluate_at_impact(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       Collision<dim> &collision) const = 0;

    virtual bool
    is_blocked(const Encounter &encounter, const Positions &current) const = 0;

    virtual std::vector<unsigned int>
    nodes(const Encounter &encounter) const = 0;

    virtual void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const = 0;
  };



  /**
   * Set normal and gaps of a collision that has nodes, weights and length;
   * whether the gap is below @p distance, and if it was so at the start of the
   * step, when the features touched, whether it has become smaller.
   */
  template <int dim>
  bool
  is_closer(const double distance,
            const std::vector<dealii::Point<dim>> &begin,
            const std::vector<dealii::Point<dim>> &current,
            const dealii::Tensor<1, dim> &normal,
            Collision<dim> &collision);



  /** Contact points that are known when they are found. */
  template <int dim>
  class GivenGeometry : public PairGeometry<dim>
  {
  public:
    using typename PairGeometry<dim>::Positions;
    using typename PairGeometry<dim>::AtImpact;

    GivenGeometry(const std::vector<GivenCollision<dim>> *given,
                  const Positions &begin)
      : given(given)
      , begin(begin)
    {}

    AtImpact
    at_impact(const Encounter &) const override
    {
      return {};
    }

    bool
    evaluate(const Encounter &encounter,
             const AtImpact &at_impact,
             const Positions &current,
             const double relative_eta,
             Collision<dim> &collision) const override;

    bool
    evaluate_at_impact(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       Collision<dim> &collision) const override;

    /** Also of what touches at the start. */
    bool
    is_blocked(const Encounter &encounter, const Positions &) const override
    {
      return encounter.crossing;
    }

    std::vector<unsigned int>
    nodes(const Encounter &encounter) const override
    {
      return (*given)[encounter.collision].nodes;
    }

    void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const override
    {
      const auto &read = (*given)[encounter.collision].collision.nodes;
      nodes.insert(nodes.end(), read.begin(), read.end());
    }

  private:
    const std::vector<GivenCollision<dim>> *given;
    const Positions &begin;
  };



  /** What vertices with facets and edges with edges have in common. */
  template <int dim>
  class FeatureGeometry : public PairGeometry<dim>
  {
  public:
    using typename PairGeometry<dim>::Positions;
    using typename PairGeometry<dim>::AtImpact;

    FeatureGeometry(const Surface<dim> &surface,
                    const Positions &begin,
                    const Positions &end)
      : surface(surface)
      , begin(begin)
      , end(end)
    {}

    bool
    evaluate(const Encounter &encounter,
             const AtImpact &at_impact,
             const Positions &current,
             const double relative_eta,
             Collision<dim> &collision) const final;

    bool
    evaluate_at_impact(const Encounter &encounter,
                       const AtImpact &at_impact,
                       const Positions &current,
                       Collision<dim> &collision) const final;

    bool
    is_blocked(const Encounter &encounter,
               const Positions &current) const final;

    std::vector<unsigned int>
    nodes(const Encounter &encounter) const final;

    void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const override;

  protected:
    /** evaluate() of a pair that is plausible or still crosses.
     *
     * @param[in] eta The detection distance. */
    virtual bool
    evaluate_features(const Encounter &encounter,
                      const AtImpact &at_impact,
                      const Positions &current,
                      const double eta,
                      Collision<dim> &collision) const = 0;

    /** Whether the normal of the end, along which the gaps of @p collision are,
     * has anything to say of the pair. */
    virtual bool
    has_side(const Encounter &, const AtImpact &, const Collision<dim> &) const
    {
      return true;
    }

    /** The normal of evaluate_at_impact(). */
    virtual dealii::Tensor<1, dim>
    impact_normal(const Encounter &encounter,
                  const AtImpact &at_impact,
                  const Positions &current) const = 0;

    /** (b) and (c), the material points of the impact. */
    bool
    evaluate_material_points(const Encounter &encounter,
                             const AtImpact &at_impact,
                             const Positions &current,
                             const double limit,
                             Collision<dim> &collision) const;

    /** is_closer() along the normal of the end, if that has_side(). */
    bool
    is_closer_at_end(const Encounter &encounter,
                     const AtImpact &at_impact,
                     const Positions &current,
                     const double limit,
                     Collision<dim> &collision) const;

    /** Add the nodes of a vertex. */
    void
    add_nodes_of(const unsigned int vertex,
                 std::vector<unsigned int> &nodes) const;

    /** The position of a vertex at the fraction @p s of the step. */
    dealii::Point<dim>
    position(const unsigned int vertex, const double s) const;

    const Surface<dim> &surface;
    const Positions &begin;
    const Positions &end;

  private:
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
  };
} // namespace Ricochet

#endif
