// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_step_kernels_h
#define ricochet_source_element_step_kernels_h

#include <ricochet/base/instruction_set.h>

#include "cell_kernel_types.h"
#include "step_kernel_types.h"

#define RICOCHET_DECLARE_STEP_KERNELS(set)    \
  namespace set                               \
  {                                           \
    template <int dim>                        \
    StepKernels                               \
    make_step_kernels(const CellShape shape); \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_STEP_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_STEP_KERNELS

#endif
