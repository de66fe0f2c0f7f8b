// SPDX-License-Identifier: LGPL-2.1-or-later

#include "file_lines.h"

#include <ricochet/base/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <system_error>

namespace Ricochet
{
  TextFile::TextFile(const std::string &file_name, const std::string &where)
    : where(where)
  {
    // Devices and pipes may have no end.
    std::error_code error;
    require(std::filesystem::is_regular_file(file_name, error),
            where + ": there is no such file. Check the name.");
    const auto size = std::filesystem::file_size(file_name, error);
    std::ifstream in(file_name, std::ios::binary);
    require(!error && in.good(),
            where + ": the file cannot be opened. Check its permissions.");

    content.resize(size);
    in.read(content.data(), static_cast<std::streamsize>(size));
    content.resize(in.gcount());
    if (content.compare(0, 3, "\xef\xbb\xbf") == 0)
      start = 3;
    if (content.find('\n') == std::string::npos)
      std::replace(content.begin(), content.end(), '\r', '\n');
  }



  std::size_t
  TextFile::line_of(const std::string_view place) const
  {
    return 1 + std::count(content.data(), place.data(), '\n');
  }



  std::string
  TextFile::at(const std::string_view place) const
  {
    return where + ", line " + std::to_string(line_of(place)) + ": ";
  }



  void
  TextFile::fail(const std::string_view place, const std::string &what) const
  {
    throw UserError(at(place) + what);
  }



  namespace
  {
    /** Library functions know no plus sign before a number. */
    std::string_view
    without_plus(const std::string_view word)
    {
      const bool has_one =
        word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
      return word.substr(has_one ? 1 : 0);
    }
  } // namespace



  double
  TextFile::real(const std::string_view word, const Exponents exponents) const
  {
    std::string_view text = without_plus(word);
    std::string with_e;
    if (const auto d = text.find_first_of("dD");
        exponents == Exponents::e_or_d && d != std::string_view::npos)
      {
        with_e    = text;
        with_e[d] = 'e';
        text      = with_e;
      }

    double value = 0;
    const auto result =
      std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = result.ptr == text.data() + text.size();
    if (whole && result.ec == std::errc::result_out_of_range)
      fail(word,
           in_quotes(word) +
             " is not a number that a double can hold. Mend it.");
    if (!whole || result.ec != std::errc() || !std::isfinite(value))
      fail(word,
           in_quotes(word) + " is not a number. Write it like 1.5 or 1.5e-3.");
    return value;
  }



  std::int64_t
  TextFile::integer(const std::string_view word) const
  {
    const std::string_view text = without_plus(word);
    std::int64_t value          = 0;
    const auto result =
      std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = result.ptr == text.data() + text.size();
    if (whole && result.ec == std::errc::result_out_of_range)
      fail(word, in_quotes(word) + " is too large for an integer. Mend it.");
    if (!whole || result.ec != std::errc())
      fail(word, in_quotes(word) + " is not an integer. Mend it.");
    return value;
  }



  std::uint64_t
  TextFile::label(const std::string_view word, const char *what) const
  {
    const std::int64_t value = integer(word);
    if (value < 1)
      fail(word,
           in_quotes(word) + " is not the number of " + what +
             ", which must be at least 1. Mend it.");
    return value;
  }



  std::size_t
  TextFile::count(const std::string_view word,
                  const std::size_t limit,
                  const char *what) const
  {
    const std::int64_t value = integer(word);
    if (value < 0)
      fail(word,
           "there cannot be " + std::to_string(value) + " " + what +
             ". Mend the number.");
    if (static_cast<std::uint64_t>(value) > limit)
      fail(word,
           std::to_string(value) + " " + what +
             " are announced, more than the file can have. Is it complete?");
    return value;
  }



  namespace
  {
    template <typename Number>
    bool
    convert(const std::string_view word, Number &value)
    {
      const std::string_view text = without_plus(word);
      const char *const end       = text.data() + text.size();
      const auto result           = std::from_chars(text.data(), end, value);
      return result.ec == std::errc() && result.ptr == end;
    }
  } // namespace



  bool
  as_number(const std::string_view word, double &value)
  {
    return convert(word, value) && std::isfinite(value);
  }



  bool
  as_number(const std::string_view word, std::int64_t &value)
  {
    return convert(word, value);
  }



  bool
  as_number(const std::string_view word, std::uint64_t &value)
  {
    return convert(word, value);
  }



  bool
  LineScanner::next()
  {
    if (rest.empty())
      return false;
    const auto end = rest.find('\n');
    current        = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return true;
  }



  bool
  LineScanner::next_filled()
  {
    while (next())
      if (!current.empty())
        return true;
    return false;
  }



  std::string_view
  trimmed(const std::string_view text)
  {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
      return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
  }



  void
  split_words(const std::string_view line, std::vector<std::string_view> &words)
  {
    words.clear();
    std::size_t end = 0;
    while (true)
      {
        const auto begin = line.find_first_not_of(blanks, end);
        if (begin == std::string_view::npos)
          return;
        end = std::min(line.find_first_of(blanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
      }
  }



  std::string
  upper_case(const std::string_view text)
  {
    std::string result(text);
    for (char &c : result)
      if (c >= 'a' && c <= 'z')
        c += 'A' - 'a';
    return result;
  }



  std::string
  in_quotes(const std::string_view text)
  {
    constexpr std::size_t longest = 60;
    std::string result(text.substr(0, longest));
    for (char &c : result)
      if (static_cast<unsigned char>(c) < ' ' || c == 127)
        c = '?';
    return "'" + result + (text.size() > longest ? "..." : "") + "'";
  }



  void
  NumberTable::create(const std::vector<std::uint64_t> &numbers)
  {
    *this = NumberTable();
    if (numbers.empty())
      return;
    const auto bounds = std::minmax_element(numbers.begin(), numbers.end());
    smallest          = *bounds.first;
    const auto range  = *bounds.second - smallest;
    const auto repeat = [&](const std::uint32_t a, const std::uint32_t b) {
      if (repeated.first == none || b < repeated.second)
        repeated = {a, b};
    };

    if (range < 4 * numbers.size())
      {
        dense.assign(range + 1, none);
        for (std::size_t i = 0; i < numbers.size(); ++i)
          if (auto &entry = dense[numbers[i] - smallest]; entry == none)
            entry = i;
          else
            repeat(entry, i);
        return;
      }

    sorted_indices.resize(numbers.size());
    std::iota(sorted_indices.begin(), sorted_indices.end(), 0);
    std::stable_sort(sorted_indices.begin(),
                     sorted_indices.end(),
                     [&](const std::uint32_t a, const std::uint32_t b) {
                       return numbers[a] < numbers[b];
                     });
    for (const std::uint32_t i : sorted_indices)
      {
        if (!sorted_numbers.empty() && sorted_numbers.back() == numbers[i])
          repeat(sorted_indices[sorted_numbers.size() - 1], i);
        sorted_numbers.push_back(numbers[i]);
      }
  }



  std::uint32_t
  NumberTable::find(const std::uint64_t number) const
  {
    if (!dense.empty())
      return number >= smallest && number - smallest < dense.size()
               ? dense[number - smallest]
               : none;
    const auto found =
      std::lower_bound(sorted_numbers.begin(), sorted_numbers.end(), number);
    return found != sorted_numbers.end() && *found == number
             ? sorted_indices[found - sorted_numbers.begin()]
             : none;
  }
} // namespace Ricochet
