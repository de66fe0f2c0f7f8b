// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_columns_simd_h
#define ricochet_source_search_columns_simd_h

#include <ricochet/base/simd.h>

#if defined(__SSE2__)
#  include <immintrin.h>
#endif

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
          pairs[l]     = _mm512_maskz_unpacklo_pd(0xff, a, b);
          pairs[l + 1] = _mm512_maskz_unpackhi_pd(0xff, a, b);
        }
      for (unsigned int odd = 0; odd < 2; ++odd)
        {
          const Vector *const p = pairs + odd;
          const Vector a   = _mm512_maskz_shuffle_f64x2(0xff, p[0], p[2], 0x44),
                       b   = _mm512_maskz_shuffle_f64x2(0xff, p[4], p[6], 0x44),
                       c   = _mm512_maskz_shuffle_f64x2(0xff, p[0], p[2], 0xee),
                       d   = _mm512_maskz_shuffle_f64x2(0xff, p[4], p[6], 0xee);
          columns[odd]     = _mm512_maskz_shuffle_f64x2(0xff, a, b, 0x88);
          columns[2 + odd] = _mm512_maskz_shuffle_f64x2(0xff, a, b, 0xdd);
          columns[4 + odd] = _mm512_maskz_shuffle_f64x2(0xff, c, d, 0x88);
          columns[6 + odd] = _mm512_maskz_shuffle_f64x2(0xff, c, d, 0xdd);
        }
#elif defined(__AVX__)
      for (unsigned int half = 0; half < 8; half += 4)
        {
          const Vector a = load(rows[0] + half), b = load(rows[1] + half),
                       c = load(rows[2] + half), d = load(rows[3] + half);
          const Vector even_ab = _mm256_unpacklo_pd(a, b),
                       odd_ab  = _mm256_unpackhi_pd(a, b),
                       even_cd = _mm256_unpacklo_pd(c, d),
                       odd_cd  = _mm256_unpackhi_pd(c, d);
          columns[half]        = _mm256_permute2f128_pd(even_ab, even_cd, 0x20);
          columns[half + 1]    = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x20);
          columns[half + 2]    = _mm256_permute2f128_pd(even_ab, even_cd, 0x31);
          columns[half + 3]    = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x31);
        }
#else
      for (unsigned int c = 0; c < 8; ++c)
        for (unsigned int l = 0; l < n_lanes; ++l)
          columns[c][l] = rows[l][c];
#endif
    }
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
