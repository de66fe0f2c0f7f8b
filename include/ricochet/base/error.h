// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_error_h
#define ricochet_base_error_h

#include <stdexcept>
#include <string>

namespace Ricochet
{
  /**
   * Something the user can mend: an entry, a file, a mesh, a time step. The
   * text is shown as it is, alone, on standard error, so it must say what is
   * wrong, where, and what to do about it. The program ends with exit code 1.
   *
   * Programming errors are reported by deal.II's Assert and AssertThrow
   * instead.
   */
  class UserError : public std::runtime_error
  {
  public:
    /** The whole text that the user is shown. */
    explicit UserError(const std::string &what_where_and_remedy)
      : std::runtime_error(what_where_and_remedy)
    {}
  };



  /** A run that cannot go on: NaN, an inverted cell, growing energy. */
  class RunError : public UserError
  {
  public:
    /** As a UserError. */
    using UserError::UserError;
  };



  /** Throw a UserError with @p message unless @p condition holds. */
  inline void
  require(const bool condition, const std::string &message)
  {
    if (!condition)
      throw UserError(message);
  }
} // namespace Ricochet

#endif
