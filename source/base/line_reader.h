// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_base_line_reader_h
#define ricochet_source_base_line_reader_h

#include <istream>
#include <string>

namespace Ricochet
{
  /** Takes a parameter file apart into its lines, of which continued ones are
   * one, without comments. */
  class LineReader
  {
  public:
    /** Both must outlive this object; @p source is the name of the file. */
    LineReader(std::istream &in, const std::string &source);

    /** The next line that is not empty; false if there is none. Throws a
     * UserError for byte order marks and foreign line ends. */
    bool
    next(std::string &line);

    /** File and number of the line, for messages. */
    std::string
    where() const;

    /** What was read last, as it is in the file. */
    std::string
    text() const;

  private:
    void
    check_encoding() const;

    std::string
    without_comment() const;

    std::istream &in;
    const std::string &source;
    std::string last;

    /** Of the last line in the file, and of the one that it continues. */
    unsigned int number = 0, first = 0;
  };
} // namespace Ricochet

#endif
