// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_vector_pointers_h
#define ricochet_body_vector_pointers_h

namespace Ricochet
{
  /** Pointers to all vectors of a set, as Contact takes them. */
  template <typename Pointers, typename Vectors>
  Pointers
  pointers(Vectors &vectors)
  {
    Pointers result;
    for (auto &vector : vectors)
      result.push_back(&vector);
    return result;
  }
} // namespace Ricochet

#endif
