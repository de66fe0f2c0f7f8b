// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_vtk_text_h
#define ricochet_source_mesh_vtk_text_h

#include <string>
#include <string_view>
#include <vector>

#include "file_lines.h"
#include "vtk_numbers.h"

namespace Ricochet
{
  /** Takes words and numbers off a legacy VTK file, one after the other. */
  class VtkText
  {
  public:
    /** See TextFile. */
    VtkText(const std::string &file_name, const std::string &where)
      : file(file_name, where)
      , text(file.text())
      , where(where)
    {}

    /** The next word, or nothing at the end. */
    std::string_view
    word();

    /** The next word where there must be one. */
    std::string_view
    need_word(const char *what);

    /** The rest of the line. */
    std::string_view
    line();

    /** Whether the next word is @p expected, in capital letters. */
    bool
    next_is(const std::string &expected) const;

    VtkNumber
    number_type();

    /** How many of something, @p factor numbers each. */
    std::size_t
    count(const char *what, const std::size_t factor = 1);

    /** An array. @p Number is double or std::int64_t. */
    template <typename Number>
    std::vector<Number>
    numbers(const VtkNumber type, const std::size_t n);

    /** The bytes of a binary array. */
    std::string_view
    binary_numbers(const VtkNumber type, const std::size_t n);

    [[noreturn]] void
    fail(const std::string &what) const;

    TextFile file;
    std::string_view text;
    std::size_t position = 0;

    /** Whether numbers are binary. */
    bool binary = false;

  private:
    std::string where;
  };
} // namespace Ricochet

#endif
