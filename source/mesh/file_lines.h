// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_file_lines_h
#define ricochet_source_mesh_file_lines_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace Ricochet
{
  /** Letters that may start the exponent of a number. */
  enum class Exponents
  {
    e,
    e_or_d /**< As Fortran writes them: 1.5D+00. */
  };

  /**
   * A file that is kept in memory as a whole.
   *
   * Words are views into it, so that a word is enough to tell the line in
   * which it stands. Numbers must be whole words: neither "1,5" nor "1.0-5"
   * is one, nor are hexadecimal ones, infinity, NaN, and what lies outside of
   * the range of its type.
   */
  class TextFile
  {
  public:
    /**
     * Read a file. Byte order marks are left out; line ends may be those of
     * any system.
     *
     * @param[in] where Start of messages.
     * Throws a UserError for what is no file that can be read.
     */
    TextFile(const std::string &file_name, const std::string &where);

    /** Views point into this object. */
    TextFile(const TextFile &) = delete;

    std::string_view
    text() const
    {
      return std::string_view(content).substr(start);
    }

    /** The number of the line in which a part of the text begins, from 1. */
    std::size_t
    line_of(std::string_view place) const;

    /** "where, line 5: " */
    std::string
    at(std::string_view place) const;

    /** Throw a UserError that names the line. */
    [[noreturn]] void
    fail(std::string_view place, const std::string &what) const;

    /** A finite number. */
    double
    real(std::string_view word, Exponents exponents = Exponents::e) const;

    std::int64_t
    integer(std::string_view word) const;

    /** A number of something, at least 1; @p what is told in messages, e.g.
     * "a node". */
    std::uint64_t
    label(std::string_view word, const char *what) const;

    /** How many there are of something, at most @p limit. */
    std::size_t
    count(std::string_view word, std::size_t limit, const char *what) const;

  private:
    std::string where, content;

    /** Where the text begins after a byte order mark. */
    std::size_t start = 0;
  };



  /** Hands out the lines of a file one by one. */
  class LineScanner
  {
  public:
    explicit LineScanner(const TextFile &file)
      : rest(file.text())
      , current(rest.substr(0, 0))
    {}

    /** Go to the next line; false at the end. */
    bool
    next();

    /** The same, but pass over empty lines. */
    bool
    next_filled();

    /** Without its end and blanks around it. */
    std::string_view
    line() const
    {
      return current;
    }

  private:
    std::string_view rest, current;
  };



  /** Whether a line can be broken here; all that is in none of the words. */
  constexpr std::string_view blanks = " \t\r\n\v\f";

  /** Whether a whole word is a number that @p value can hold, which is set
   * then; of real ones, a finite one. */
  bool
  as_number(std::string_view word, double &value);
  bool
  as_number(std::string_view word, std::int64_t &value);
  bool
  as_number(std::string_view word, std::uint64_t &value);

  /** Without blanks at its ends. */
  std::string_view
  trimmed(std::string_view text);

  /** The words between blanks; @p words is filled anew. */
  void
  split_words(std::string_view line, std::vector<std::string_view> &words);

  /** In capital letters (of ASCII). */
  std::string
  upper_case(std::string_view text);

  /** A text from a file as it can be shown in a message: 'text', without
   * control characters and cut if it is long. */
  std::string
  in_quotes(std::string_view text);



  /** Finds the index of what has a number in a file. */
  class NumberTable
  {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    /** Numbers that are given twice: the indices of the first such pair. */
    struct Twice
    {
      std::uint32_t first = none, second = none;
    };

    /**
     * @param[in] numbers The number of each index, in any order.
     * The memory needed is a small multiple of that of @p numbers. Of equal
     * numbers the first is found.
     */
    void
    create(const std::vector<std::uint64_t> &numbers);

    /** The index of a number, or none. */
    std::uint32_t
    find(std::uint64_t number) const;

    /** Both none if all numbers are different. */
    const Twice &
    twice() const
    {
      return repeated;
    }

  private:
    /** Indices by number - smallest, if the numbers lie close together. */
    std::vector<std::uint32_t> dense;
    std::uint64_t smallest = 0;

    /** Numbers and indices in ascending order, if not. */
    std::vector<std::uint64_t> sorted_numbers;
    std::vector<std::uint32_t> sorted_indices;

    Twice repeated;
  };
} // namespace Ricochet

#endif
