// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_geometry_edge_edge_geometry_h
#define ricochet_source_geometry_edge_edge_geometry_h

#include "pair_geometry.h"

namespace Ricochet
{
  /** Where two edges meet. */
  class EdgeEdgeGeometry : public FeatureGeometry<3>
  {
  public:
    using FeatureGeometry<3>::FeatureGeometry;

    AtImpact
    at_impact(const Encounter &encounter) const override;

  protected:
    bool
    evaluate_features(const Encounter &encounter,
                      const AtImpact &at_impact,
                      const Positions &current,
                      const double eta,
                      Collision<3> &collision) const override;

    /** Of edges whose own normal e1 x e2 does not fit the facets, the end
     * normal is a mean of these, which may point along the edges' way: if they
     * were behind it at the start, impulses along it push them on, faster in
     * each step. What e1 x e2 says of them is at least their side. In flat
     * parts of the surface, it is the other way round. */
    bool
    has_side(const Encounter &encounter,
             const AtImpact &at_impact,
             const Collision<3> &collision) const override;

    /** One that fits the facets where they are now. */
    dealii::Tensor<1, 3>
    impact_normal(const Encounter &encounter,
                  const AtImpact &at_impact,
                  const Positions &current) const override;

  private:
    /** Give e1 x e2 the side that the edges @p e_1, @p e_2 were on at the
     * start. */
    void
    orient(const Encounter &encounter,
           const dealii::Tensor<1, 3> &e_1,
           const dealii::Tensor<1, 3> &e_2,
           AtImpact &result) const;

    /** The part of at_impact() for the end of the step. */
    void
    add_end(const Encounter &encounter, AtImpact &result) const;
  };
} // namespace Ricochet

#endif
