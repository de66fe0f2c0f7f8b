// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_vtu_data_h
#define ricochet_source_mesh_vtu_data_h

#include <cstddef>
#include <string>
#include <string_view>

namespace Ricochet
{
  /** How the arrays of one VTU file are written. */
  struct VtuEncoding
  {
    /** Of the numbers that tell lengths: 4 or 8. */
    std::size_t header_bytes = 4;

    bool big_endian    = false;
    bool is_compressed = false;

    /** What offsets point into; raw or in base64. */
    std::string_view appended;
    bool appended_raw = true;
  };

  /**
   * The bytes of an array in binary form.
   *
   * @param[in] text Begins with the array; more may follow it.
   * @param[in] raw Whether it is raw, or in base64.
   * @param[in] wanted How many bytes it must have: no more memory is used.
   * @param[out] problem What is wrong; then the result is of no use.
   */
  std::string
  decode_vtu_array(std::string_view text,
                   bool raw,
                   const VtuEncoding &encoding,
                   std::size_t wanted,
                   std::string &problem);
} // namespace Ricochet

#endif
