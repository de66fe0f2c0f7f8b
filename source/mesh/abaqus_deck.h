// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_abaqus_deck_h
#define ricochet_source_mesh_abaqus_deck_h

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_lines.h"

namespace Ricochet
{
  /** A line with its parameters, e.g. "*ELEMENT, TYPE=C3D8, ELSET=all". */
  struct AbaqusKeyword
  {
    /** In capital letters and without the blanks, e.g. "ENDPART". */
    std::string name;

    /** Names as that of the keyword; values as they stand in the file, without
     * quotes. */
    std::map<std::string, std::string_view> parameters;

    /** The line, for messages. */
    std::string_view line;

    const TextFile *file = nullptr;

    bool
    has(const std::string &parameter) const
    {
      return parameters.count(parameter) > 0;
    }

    /** The value of a parameter; empty without it. */
    std::string_view
    value(const std::string &parameter) const;

    /** The same, but throw a UserError if there is none. */
    std::string_view
    needed_value(const std::string &parameter) const;

    [[noreturn]] void
    fail(const std::string &what) const
    {
      file->fail(line, what);
    }
  };



  /** A line of data, as a list of entries between commas. */
  struct AbaqusData
  {
    /** Without blanks around them; nothing after a comma at the end. */
    std::vector<std::string_view> entries;

    /** Whether the line ends with a comma. */
    bool continued = false;

    std::string_view line;
    const TextFile *file = nullptr;

    [[noreturn]] void
    fail(const std::string &what) const
    {
      file->fail(line, what);
    }
  };



  /**
   * Hands out an input deck of Abaqus line by line: comments left out,
   * keyword lines put together, included files in their place. Texts of
   * files live as long as this object.
   */
  class AbaqusDeck
  {
  public:
    AbaqusDeck(const std::string &file_name, const std::string &where);

    /** Go to the next keyword past all data; false at the end. */
    bool
    next_keyword(AbaqusKeyword &keyword);

    /** The next line of data; false at the end and at a keyword. */
    bool
    next_data(AbaqusData &data);

    /** Go on with a file that a keyword names, then with the line after it. */
    void
    include(const AbaqusKeyword &keyword, std::string_view file_name);

    /** Bytes of all files, each counted as often as it was included. */
    std::size_t
    size() const
    {
      return n_bytes;
    }

  private:
    struct Source
    {
      const TextFile *file;
      std::string name;
      LineScanner lines;
    };

    /** Fill @p current with a line that is no comment; false at the end. */
    bool
    next_line();

    AbaqusKeyword
    parse_keyword();

    void
    parse_parameter(std::string_view text, AbaqusKeyword &keyword) const;

    void
    open(const std::string &file_name, const std::string &where);

    std::string where;
    std::map<std::string, std::unique_ptr<TextFile>> files;

    /** Files that are open; the last is the innermost. */
    std::vector<Source> sources;

    /** The line that is looked at, and whether it is yet to be used. */
    std::string_view current;
    bool pending = false;

    std::size_t n_bytes = 0, n_includes = 0;
  };
} // namespace Ricochet

#endif
