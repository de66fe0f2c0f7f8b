// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/contact_correction.h>
#include <ricochet/response/contact_forces.h>

RICOCHET_DEFINE_REGISTRIES(::Ricochet::ContactCorrection)
RICOCHET_DEFINE_REGISTRIES(::Ricochet::ContactForces)
