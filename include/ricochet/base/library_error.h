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



  /**
   * While it exists, deal.II throws where it would end the process: in debug
   * builds at failed assertions, and from version 9.6 on always at input that
   * a function was not written for, as wrong arguments of a grid generator can
   * be.
   */
  class ExceptionsInsteadOfAborts
  {
  public:
    ExceptionsInsteadOfAborts();
    ~ExceptionsInsteadOfAborts();

    ExceptionsInsteadOfAborts(const ExceptionsInsteadOfAborts &) = delete;
    ExceptionsInsteadOfAborts &
    operator=(const ExceptionsInsteadOfAborts &) = delete;

  private:
    /** Whether it would have ended the process. */
    const bool aborts;
  };
} // namespace Ricochet

#endif
