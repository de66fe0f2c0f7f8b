// SPDX-License-Identifier: LGPL-2.1-or-later

#include "vtu_data.h"

#include <algorithm>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/dataflow_exception.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstdint>
#include <vector>

#include "vtk_numbers.h"

namespace Ricochet
{
  namespace
  {
    /** Takes bytes off the start of a text. Base64 comes in units of their
     * own, each with its padding. */
    class Bytes
    {
    public:
      Bytes(const std::string_view text, const bool raw)
        : rest(text)
        , raw(raw)
      {}

      /** How many bytes there are at most. */
      std::size_t
      left() const
      {
        return raw ? rest.size() : rest.size() / 4 * 3;
      }

      /** The next @p n bytes; fewer, if there are no more or if there is what
       * base64 does not have. */
      std::string
      take(const std::size_t n)
      {
        std::string result;
        if (raw)
          {
            result = rest.substr(0, n);
            rest.remove_prefix(result.size());
            return result;
          }
        using namespace boost::archive::iterators;
        using Decoder = transform_width<binary_from_base64<const char *>, 8, 6>;
        // The decoder would look at what stands beside the letters it needs.
        const std::string letters(rest.substr(0, (n + 2) / 3 * 4));
        if (letters.size() < (n + 2) / 3 * 4)
          return result;
        try
          {
            Decoder decoder(letters.data());
            for (std::size_t i = 0; i < n; ++i, ++decoder)
              result.push_back(*decoder);
          }
        catch (const dataflow_exception &)
          {
            result.clear();
          }
        rest.remove_prefix(letters.size());
        return result;
      }

    private:
      std::string_view rest;
      bool raw;
    };



    /** The numbers that tell lengths. */
    std::vector<std::uint64_t>
    lengths(const std::string &bytes, const VtuEncoding &encoding)
    {
      std::vector<std::uint64_t> result;
      decode_numbers(bytes,
                     {VtkNumber::Kind::unsigned_integer, encoding.header_bytes},
                     encoding.big_endian,
                     result);
      return result;
    }



    std::string
    decode_plain(Bytes bytes,
                 const VtuEncoding &encoding,
                 const std::size_t wanted,
                 std::string &problem)
    {
      const std::size_t n_header = encoding.header_bytes;
      if (wanted > bytes.left())
        {
          problem = "it is too short";
          return "";
        }
      std::string all      = bytes.take(n_header + wanted);
      const auto announced = lengths(all.substr(0, n_header), encoding);
      if (announced.empty() || all.size() != n_header + wanted)
        problem = "it is too short or not in base64";
      else if (announced[0] != wanted)
        problem = "it has " + std::to_string(announced[0]) +
                  " bytes instead of " + std::to_string(wanted);
      else
        all.erase(0, n_header);
      return all;
    }



    /** Append at most @p limit bytes that @p block decompresses to. */
    bool
    inflate(const std::string &block,
            const std::size_t limit,
            std::string &result)
    {
      namespace io = boost::iostreams;
      io::filtering_istream in;
      in.push(io::zlib_decompressor());
      in.push(io::array_source(block.data(), block.size()));
      const std::size_t old_size = result.size();
      try
        {
          in.exceptions(std::ios::badbit);
          result.resize(old_size + limit);
          in.read(&result[old_size], static_cast<std::streamsize>(limit));
          result.resize(old_size + in.gcount());
        }
      catch (const std::exception &)
        {
          return false;
        }
      return true;
    }



    std::string
    decode_compressed(Bytes bytes,
                      const Bytes &start,
                      const VtuEncoding &encoding,
                      const std::size_t wanted,
                      std::string &problem)
    {
      // Number of blocks, bytes of each and of the last, compressed bytes.
      const std::size_t n_header = encoding.header_bytes;
      const auto first = lengths(Bytes(start).take(3 * n_header), encoding);
      std::string result;
      problem = "it is too short or not in base64";
      if (first.size() != 3 || first[0] > bytes.left() / n_header)
        return result;
      const std::uint64_t n_blocks = first[0];
      auto sizes = lengths(bytes.take((3 + n_blocks) * n_header), encoding);
      if (sizes.size() != 3 + n_blocks)
        return result;
      sizes.erase(sizes.begin(), sizes.begin() + 3);
      for (const std::uint64_t size : sizes)
        if (size > bytes.left())
          return result;

      // zlib makes data shorter by a factor of 1032 at most.
      if (wanted / 1032 > bytes.left())
        return result;
      std::string all;
      std::size_t n_compressed = 0;
      for (const std::uint64_t size : sizes)
        n_compressed += size;
      if (n_compressed > bytes.left())
        return result;
      all = bytes.take(n_compressed);
      if (all.size() != n_compressed)
        return result;
      problem         = "its compressed data are damaged";
      std::size_t end = 0;
      for (std::uint64_t b = 0; b < n_blocks; ++b)
        {
          const std::uint64_t size =
            b + 1 == n_blocks && first[2] != 0 ? first[2] : first[1];
          const std::size_t before = result.size();
          if (size > wanted - before ||
              !inflate(all.substr(end, sizes[b]), size, result) ||
              result.size() != before + size)
            return result;
          end += sizes[b];
        }
      problem.clear();
      return result;
    }
  } // namespace



  std::string
  decode_vtu_array(const std::string_view text,
                   const bool raw,
                   const VtuEncoding &encoding,
                   const std::size_t wanted,
                   std::string &problem)
  {
    const Bytes bytes(text, raw);
    return encoding.is_compressed
             ? decode_compressed(bytes, bytes, encoding, wanted, problem)
             : decode_plain(bytes, encoding, wanted, problem);
  }
} // namespace Ricochet
