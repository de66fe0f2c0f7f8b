// SPDX-License-Identifier: LGPL-2.1-or-later

#include "vtk_text.h"

#include <ricochet/base/error.h>

#include <algorithm>
#include <map>

namespace Ricochet
{
  namespace
  {
    /** Types of numbers by their names in legacy files. */
    const std::map<std::string, VtkNumber> &
    number_types()
    {
      using Kind                                           = VtkNumber::Kind;
      static const std::map<std::string, VtkNumber> result = {
        {"BIT", {Kind::unsigned_integer, 0}},
        {"CHAR", {Kind::signed_integer, 1}},
        {"SIGNED_CHAR", {Kind::signed_integer, 1}},
        {"UNSIGNED_CHAR", {Kind::unsigned_integer, 1}},
        {"SHORT", {Kind::signed_integer, 2}},
        {"UNSIGNED_SHORT", {Kind::unsigned_integer, 2}},
        {"INT", {Kind::signed_integer, 4}},
        {"UNSIGNED_INT", {Kind::unsigned_integer, 4}},
        {"LONG", {Kind::signed_integer, 8}},
        {"UNSIGNED_LONG", {Kind::unsigned_integer, 8}},
        {"VTKIDTYPE", {Kind::signed_integer, 4}},
        {"VTKTYPEINT64", {Kind::signed_integer, 8}},
        {"VTKTYPEUINT64", {Kind::unsigned_integer, 8}},
        {"FLOAT", {Kind::real, 4}},
        {"DOUBLE", {Kind::real, 8}}};
      return result;
    }
  } // namespace



  void
  VtkText::fail(const std::string &what) const
  {
    if (binary)
      throw UserError(where + ", byte " + std::to_string(position) + ": " +
                      what);
    file.fail(text.substr(std::min(position, text.size()), 0), what);
  }



  std::string_view
  VtkText::word()
  {
    position = std::min(text.find_first_not_of(blanks, position), text.size());
    const auto end =
      std::min(text.find_first_of(blanks, position), text.size());
    const auto result = text.substr(position, end - position);
    position          = end;
    return result;
  }



  std::string_view
  VtkText::need_word(const char *what)
  {
    const auto result = word();
    if (result.empty())
      fail(std::string("the file ends where ") + what +
           " should be. Is it complete?");
    return result;
  }



  std::string_view
  VtkText::line()
  {
    const auto end    = std::min(text.find('\n', position), text.size());
    const auto result = text.substr(position, end - position);
    position          = std::min(end + 1, text.size());
    return trimmed(result);
  }



  bool
  VtkText::next_is(const std::string &expected) const
  {
    const auto begin =
      std::min(text.find_first_not_of(blanks, position), text.size());
    return upper_case(text.substr(begin, expected.size())) == expected;
  }



  std::size_t
  VtkText::count(const char *what, const std::size_t factor)
  {
    // A number is a byte at least, and in text a blank, too.
    return file.count(need_word("a number"), text.size() / factor, what);
  }



  VtkNumber
  VtkText::number_type()
  {
    const auto name  = need_word("a type of numbers");
    const auto found = number_types().find(upper_case(name));
    if (found == number_types().end())
      fail("numbers of type " + in_quotes(name) +
           " cannot be read. Mend the type, or write the file without "
           "this array.");
    return found->second;
  }



  std::string_view
  VtkText::binary_numbers(const VtkNumber type, const std::size_t n)
  {
    // Bits stand eight in a byte.
    const std::size_t bytes = type.bytes == 0 ? (n + 7) / 8 : type.bytes * n;
    if (n > text.size() || bytes > text.size() - position)
      fail("the file ends before the " + std::to_string(n) +
           " numbers that it announces here. Is it complete?");
    const auto result = text.substr(position, bytes);
    position += bytes;
    return result;
  }



  template <typename Number>
  std::vector<Number>
  VtkText::numbers(const VtkNumber type, const std::size_t n)
  {
    std::vector<Number> result;
    if (binary)
      {
        if (type.bytes > 0 &&
            !decode_numbers(binary_numbers(type, n), type, true, result))
          fail(
            "there is a number that is not finite or too large. Mend "
            "the file.");
        return result;
      }
    if (n > (text.size() - position) / 2 + 1)
      fail("the file ends before the " + std::to_string(n) +
           " numbers that it announces here. Is it complete?");
    result.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      {
        const auto text_of_number = need_word("a number");
        if constexpr (std::is_same<Number, double>::value)
          result.push_back(file.real(text_of_number));
        else
          result.push_back(file.integer(text_of_number));
      }
    return result;
  }



  template std::vector<double>
  VtkText::numbers(const VtkNumber, const std::size_t);
  template std::vector<std::int64_t>
  VtkText::numbers(const VtkNumber, const std::size_t);
} // namespace Ricochet
