// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_neo_hookean_h
#define ricochet_source_material_neo_hookean_h

#include <ricochet/material/isotropic.h>

namespace Ricochet
{
  /**
   * The compressible neo-Hookean law (Bonet and Wood, 2008) with the strain
   * energy density
   * \f[
   *   W = \frac\lambda2 (\ln J)^2 - \mu \ln J
   *     + \frac\mu2 (\operatorname{tr} C - \text{dim}),
   *   \qquad
   *   P = \mu F + (\lambda \ln J - \mu) F^{-T},
   * \f]
   * J = det F and C = F^T F. No meaning for J <= 0.
   */
  template <int dim>
  class NeoHookean : public IsotropicMaterial<dim>
  {
  public:
    NeoHookean();

    double
    stiffening() const override
    {
      return this->elastic_stiffening;
    }
  };
} // namespace Ricochet

#endif
