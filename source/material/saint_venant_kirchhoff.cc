// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include "isotropic_kernels.h"

namespace Ricochet
{
  /**
   * The Saint Venant-Kirchhoff law: Hooke's law between Green's strain and the
   * second Piola-Kirchhoff stress,
   * \f[
   *   W = \frac\lambda2 (\operatorname{tr} E)^2 + \mu E:E,
   *   \qquad
   *   P = F S, \quad S = \lambda (\operatorname{tr} E) 1 + 2 \mu E,
   *   \quad E = \frac12 (F^T F - 1).
   * \f]
   */
  template <int dim>
  class SaintVenantKirchhoff : public IsotropicMaterial<dim>
  {
  public:
    SaintVenantKirchhoff()
      : IsotropicMaterial<dim>(
          RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                               saint_venant_kirchhoff<dim>()))
    {}

    double
    stiffening() const override
    {
      return this->elastic_stiffening;
    }
  };



  RICOCHET_REGISTER_MATERIAL(
    SaintVenantKirchhoff,
    "Saint Venant-Kirchhoff",
    "Linear law between Green's strain and the second Piola-Kirchhoff stress: "
    "large rotations, moderate strains; softens under strong compression. "
    "Plane strain in two dimensions.")
} // namespace Ricochet
