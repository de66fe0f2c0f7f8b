// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_library_error_h
#define ricochet_base_library_error_h

#include <exception>
#include <string>

namespace Ricochet
{
  /**
   * What an exception of deal.II (or another library) tells the user, on one
   * line: without source files, conditions and stack traces.
   */
  std::string
  text_of(const std::exception &exception);
} // namespace Ricochet

#endif
