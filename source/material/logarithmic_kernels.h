// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_logarithmic_kernels_h
#define ricochet_source_material_logarithmic_kernels_h

#include <ricochet/base/instruction_set.h>

#include "logarithmic_kernel_types.h"

namespace Ricochet
{
#define RICOCHET_DECLARE_LOGARITHMIC_KERNELS(set) \
  namespace set                                   \
  {                                               \
    template <int dim>                            \
    LogarithmicKernels                            \
    logarithmic_kernels();                        \
  }

  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_LOGARITHMIC_KERNELS)

#undef RICOCHET_DECLARE_LOGARITHMIC_KERNELS
} // namespace Ricochet

#endif
