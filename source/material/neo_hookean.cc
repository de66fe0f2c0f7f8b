// SPDX-License-Identifier: LGPL-2.1-or-later

#include "neo_hookean.h"

#include <ricochet/base/instruction_set.h>

#include "isotropic_kernels.h"

namespace Ricochet
{
  template <int dim>
  NeoHookean<dim>::NeoHookean()
    : IsotropicMaterial<dim>(
        RICOCHET_CALL_KERNEL(preferred_instruction_set(), neo_hookean<dim>()))
  {}



  RICOCHET_REGISTER_MATERIAL(
    NeoHookean,
    "neo-Hookean",
    "Compressible rubber-like solid for large deformations, W = lambda/2 "
    "(ln J)^2 - mu ln J + mu/2 (tr C - dim); resists inversion. Plane strain "
    "in two dimensions.")
} // namespace Ricochet
