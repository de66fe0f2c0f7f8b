// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_isotropic_kernels_h
#define ricochet_source_material_isotropic_kernels_h

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic_kernel_types.h>

/**
 * @file
 * The vectorized laws of isotropic_kernels.simd.cc, one version per
 * instruction set.
 */

#define RICOCHET_DECLARE_ISOTROPIC_KERNELS(set) \
  namespace set                                 \
  {                                             \
    template <int dim>                          \
    IsotropicKernels                            \
    neo_hookean();                              \
    template <int dim>                          \
    IsotropicKernels                            \
    saint_venant_kirchhoff();                   \
    template <int dim>                          \
    IsotropicKernels                            \
    linear_elastic();                           \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_ISOTROPIC_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_ISOTROPIC_KERNELS

#endif
