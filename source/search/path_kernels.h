// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_path_kernels_h
#define ricochet_source_search_path_kernels_h

#include <ricochet/base/instruction_set.h>

#include "paths.h"

#define RICOCHET_DECLARE_PATH_KERNELS(set) \
  namespace set                            \
  {                                        \
    template <int dim>                     \
    PathKernels                            \
    path_kernels();                        \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_PATH_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_PATH_KERNELS

#endif
