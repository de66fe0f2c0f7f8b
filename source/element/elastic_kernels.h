// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_elastic_kernels_h
#define ricochet_source_element_elastic_kernels_h

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic_kernel_types.h>

#include "cell_kernel_types.h"
#include "elastic_kernel_types.h"

/** Null if there is none for a law or element. */
#define RICOCHET_DECLARE_ELASTIC_KERNELS(set)                           \
  namespace set                                                         \
  {                                                                     \
    template <int dim>                                                  \
    ElasticKernel                                                       \
    make_elastic_kernel(const CellShape shape, const IsotropicLaw law); \
  }

namespace Ricochet
{
  RICOCHET_FOR_EACH_INSTRUCTION_SET(RICOCHET_DECLARE_ELASTIC_KERNELS)
} // namespace Ricochet

#undef RICOCHET_DECLARE_ELASTIC_KERNELS

#endif
