// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_columns_simd_h
#define ricochet_source_search_columns_simd_h

#include <ricochet/base/simd.h>

// For kernel source files only, see ricochet/base/simd.h.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    /**
     * The columns of n_lanes rows of eight values each: lane l of column c is
     * value c of row l.
     *
     * Registers are taken apart and put together in a few instructions, where
     * values that are stored one by one have to wait to be loaded as a
     * register.
     */
    inline __attribute__((always_inline)) void
    load_columns(const double *const (&rows)[n_lanes], Vector (&columns)[8])
    {
#if defined(__AVX512F__)
      // Two neighbouring columns of two rows, then of four, then of all.
      Vector pairs[8];
      for (unsigned int l = 0; l < 8; l += 2)
        {
          const Vector a = load(rows[l]), b = load(rows[l + 1]);
          pairs[l]     = first_of_pairs(a, b);
          pairs[l + 1] = second_of_pairs(a, b);
        }
      const auto low_halves = [](const Vector a, const Vector b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
      };
      const auto high_halves = [](const Vector a, const Vector b) {
        return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
      };
      const auto first_pairs = [](const Vector a, const Vector b) {
        return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
      };
      const auto second_pairs = [](const Vector a, const Vector b) {
        return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
      };
      for (unsigned int odd = 0; odd < 2; ++odd)
        {
          const Vector *const p = pairs + odd;
          const Vector a = low_halves(p[0], p[2]), b = low_halves(p[4], p[6]);
          const Vector c = high_halves(p[0], p[2]), d = high_halves(p[4], p[6]);
          columns[odd]     = first_pairs(a, b);
          columns[2 + odd] = second_pairs(a, b);
          columns[4 + odd] = first_pairs(c, d);
          columns[6 + odd] = second_pairs(c, d);
        }
#elif defined(__AVX__)
      for (unsigned int half = 0; half < 8; half += 4)
        {
          const Vector a = load(rows[0] + half), b = load(rows[1] + half),
                       c = load(rows[2] + half), d = load(rows[3] + half);
          const Vector even_ab = first_of_pairs(a, b),
                       odd_ab  = second_of_pairs(a, b),
                       even_cd = first_of_pairs(c, d),
                       odd_cd  = second_of_pairs(c, d);
          Vector *const to     = columns + half;
          to[0] = __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5);
          to[1] = __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5);
          to[2] = __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7);
          to[3] = __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7);
        }
#else
      for (unsigned int pair = 0; pair < 8; pair += 2)
        {
          const Vector a = load(rows[0] + pair), b = load(rows[1] + pair);
          columns[pair]     = first_of_pairs(a, b);
          columns[pair + 1] = second_of_pairs(a, b);
        }
#endif
    }
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
