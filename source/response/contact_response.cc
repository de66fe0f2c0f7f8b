// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/contact_response.h>

namespace Ricochet
{
  RICOCHET_DEFINE_REGISTRY(ContactResponse<2>)
  RICOCHET_DEFINE_REGISTRY(ContactResponse<3>)
} // namespace Ricochet
