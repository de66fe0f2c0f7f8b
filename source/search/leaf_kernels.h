// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_leaf_kernels_h
#define ricochet_source_search_leaf_kernels_h

#include <ricochet/base/instruction_set.h>

#include "feature_blocks.h"

#define RICOCHET_DECLARE_LEAF_KERNELS(set) \
  namespace set                            \
  {                                        \
    template <int dim>                     \
    LeafComparison<dim>                    \
    leaf_comparison();                     \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_LEAF_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_LEAF_KERNELS

#endif
