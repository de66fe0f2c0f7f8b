// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/material.h>

RICOCHET_DEFINE_REGISTRY(::Ricochet::Material<2>)
RICOCHET_DEFINE_REGISTRY(::Ricochet::Material<3>)
