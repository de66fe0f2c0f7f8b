// SPDX-License-Identifier: LGPL-2.1-or-later

#include "line_reader.h"

#include <ricochet/base/error.h>

#include <deal.II/base/utilities.h>

namespace Ricochet
{
  using dealii::Utilities::trim;

  LineReader::LineReader(std::istream &in, const std::string &source)
    : in(in)
    , source(source)
  {}



  bool
  LineReader::next(std::string &line)
  {
    while (std::getline(in, last))
      {
        first = ++number;
        check_encoding();
        line = without_comment();
        while (!line.empty() && line.back() == '\\' && std::getline(in, last))
          {
            ++number;
            line.pop_back();
            line = trim(line) + " " + without_comment();
          }
        if (!line.empty())
          return true;
      }
    return false;
  }



  std::string
  LineReader::where() const
  {
    return source + ", line " + std::to_string(first);
  }



  std::string
  LineReader::text() const
  {
    return trim(last);
  }



  void
  LineReader::check_encoding() const
  {
    require(number > 1 || last.compare(0, 3, "\xef\xbb\xbf") != 0,
            where() +
              ": the file starts with a byte order mark. Save it as "
              "plain UTF-8 without one.");
    require(last.find('\r') == std::string::npos,
            where() +
              ": the line ends with a carriage return (Windows or "
              "old Mac line ends). Convert the file, for example "
              "with 'dos2unix'.");
  }



  std::string
  LineReader::without_comment() const
  {
    return trim(last.substr(0, last.find('#')));
  }
} // namespace Ricochet
