// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/contact_response.h>

RICOCHET_DEFINE_REGISTRIES(::Ricochet::ContactResponse)
