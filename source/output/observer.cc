// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/observer.h>

RICOCHET_DEFINE_REGISTRIES(::Ricochet::Observer)
