// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_geometry_vertex_facet_geometry_h
#define ricochet_source_geometry_vertex_facet_geometry_h

#include "pair_geometry.h"

namespace Ricochet
{
  /** Where a vertex meets a facet. */
  template <int dim>
  class VertexFacetGeometry : public FeatureGeometry<dim>
  {
  public:
    using typename PairGeometry<dim>::Positions;
    using typename PairGeometry<dim>::AtImpact;
    using FeatureGeometry<dim>::FeatureGeometry;

    AtImpact
    at_impact(const Encounter &encounter) const override;

    /** Also the neighbors of what has not crossed, see can_touch(). */
    void
    add_read_nodes(const Encounter &encounter,
                   std::vector<unsigned int> &nodes) const override;

  protected:
    bool
    evaluate_features(const Encounter &encounter,
                      const AtImpact &at_impact,
                      const Positions &current,
                      const double eta,
                      Collision<dim> &collision) const override;

    dealii::Tensor<1, dim>
    impact_normal(const Encounter &,
                  const AtImpact &at_impact,
                  const Positions &) const override
    {
      return at_impact.raw_normal;
    }

  private:
    using FeatureGeometry<dim>::surface;
    using FeatureGeometry<dim>::begin;
    using FeatureGeometry<dim>::end;

    /** The part of at_impact() for the end of the step. */
    void
    add_end(const Encounter &encounter, AtImpact &result) const;

    /**
     * What a vertex and the edge or vertex that it meets both agree on: their
     * mean normal, if both can touch something in that direction. Then a
     * symmetric encounter has a symmetric answer, whatever facet comes first.
     */
    void
    agree_on_normal(const Encounter &encounter, AtImpact &result) const;

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
  };
} // namespace Ricochet

#endif
