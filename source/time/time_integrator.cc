// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/time_integrator.h>

namespace Ricochet
{
  RICOCHET_DEFINE_REGISTRY(TimeIntegrator<2>)
  RICOCHET_DEFINE_REGISTRY(TimeIntegrator<3>)
} // namespace Ricochet
