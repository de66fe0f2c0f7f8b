// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/time_integrator.h>

RICOCHET_DEFINE_REGISTRIES(::Ricochet::TimeIntegrator)
