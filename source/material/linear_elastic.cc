// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include "isotropic_kernels.h"

namespace Ricochet
{
  /**
   * Hooke's law between small strain and stress,
   * \f[
   *   P = \lambda (\operatorname{tr} \varepsilon) 1 + 2 \mu \varepsilon,
   *   \quad W = \frac12 P:\varepsilon,
   *   \quad \varepsilon = \frac12 (F + F^T) - 1.
   * \f]
   * Not objective: a rotation by the angle a causes strains of order a^2.
   */
  template <int dim>
  class LinearElastic : public IsotropicMaterial<dim>
  {
  public:
    LinearElastic()
      : IsotropicMaterial<dim>(RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                                                    linear_elastic<dim>()))
    {}

    bool
    is_frame_indifferent() const override
    {
      return false;
    }

    /** The stiffness is always the same. */
    double
    stiffening() const override
    {
      return 0.;
    }
  };



  RICOCHET_REGISTER_MATERIAL(
    LinearElastic,
    "small-strain linear",
    "Hooke's law for small strains and small rotations. Plane strain in two "
    "dimensions.")
} // namespace Ricochet
