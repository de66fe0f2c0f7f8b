// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_kernels_h
#define ricochet_source_element_cell_kernels_h

#include <ricochet/base/instruction_set.h>

#include "cell_kernel_types.h"

#define RICOCHET_DECLARE_CELL_KERNELS(set)    \
  namespace set                               \
  {                                           \
    template <int dim>                        \
    CellKernels                               \
    make_cell_kernels(const CellShape shape); \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_CELL_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_CELL_KERNELS

#endif
