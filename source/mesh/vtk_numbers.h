// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_vtk_numbers_h
#define ricochet_source_mesh_vtk_numbers_h

#include <boost/endian/conversion.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

namespace Ricochet
{
  /** How numbers are written in binary parts of VTK's files. */
  struct VtkNumber
  {
    enum class Kind
    {
      real,
      signed_integer,
      unsigned_integer
    };

    Kind kind         = Kind::real;
    std::size_t bytes = 0;
  };

  /** Append the numbers in @p data, which are all of type @p Stored. False if
   * one cannot be a @p Number. */
  template <typename Stored, typename Number>
  bool
  decode_as(const std::string_view data,
            const bool big_endian,
            std::vector<Number> &numbers)
  {
    using Bits = std::conditional_t<
      sizeof(Stored) == 8,
      std::uint64_t,
      std::conditional_t<
        sizeof(Stored) == 4,
        std::uint32_t,
        std::conditional_t<sizeof(Stored) == 2, std::uint16_t, std::uint8_t>>>;
    const std::size_t n = data.size() / sizeof(Stored);
    numbers.reserve(numbers.size() + n);
    for (std::size_t i = 0; i < n; ++i)
      {
        Bits bits;
        std::memcpy(&bits, data.data() + i * sizeof(Stored), sizeof(Stored));
        bits = big_endian ? boost::endian::big_to_native(bits)
                          : boost::endian::little_to_native(bits);
        Stored value;
        std::memcpy(&value, &bits, sizeof(Stored));
        if constexpr (std::is_floating_point<Stored>::value)
          if (!std::isfinite(value) ||
              (!std::is_floating_point<Number>::value &&
               std::abs(value) > 1e15))
            return false;
        if constexpr (std::is_same<Stored, std::uint64_t>::value &&
                      std::is_same<Number, std::int64_t>::value)
          if (value > static_cast<std::uint64_t>(
                        std::numeric_limits<std::int64_t>::max()))
            return false;
        numbers.push_back(static_cast<Number>(value));
      }
    return true;
  }

  /** Append the numbers of a binary array. False if one is not finite or too
   * large. */
  template <typename Number>
  bool
  decode_numbers(const std::string_view data,
                 const VtkNumber &type,
                 const bool big_endian,
                 std::vector<Number> &numbers)
  {
    const auto decode = [&](const auto stored) {
      return decode_as<std::decay_t<decltype(stored)>>(data,
                                                       big_endian,
                                                       numbers);
    };
    const bool is_signed = type.kind == VtkNumber::Kind::signed_integer;
    if (type.kind == VtkNumber::Kind::real)
      return type.bytes == 8 ? decode(double()) : decode(float());
    switch (type.bytes)
      {
        case 1:
          return is_signed ? decode(std::int8_t()) : decode(std::uint8_t());
        case 2:
          return is_signed ? decode(std::int16_t()) : decode(std::uint16_t());
        case 4:
          return is_signed ? decode(std::int32_t()) : decode(std::uint32_t());
        default:
          return is_signed ? decode(std::int64_t()) : decode(std::uint64_t());
      }
  }
} // namespace Ricochet

#endif
