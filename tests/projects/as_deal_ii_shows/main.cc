// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/instruction_set.h>

int
main()
{
  return Ricochet::available_instruction_sets().empty() ? 1 : 0;
}
