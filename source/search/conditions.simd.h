// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_conditions_simd_h
#define ricochet_source_search_conditions_simd_h

#include <ricochet/base/simd.h>

#if defined(__SSE2__)
#  include <immintrin.h>
#endif

// For kernel source files only, see ricochet/base/simd.h.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    // The result of a comparison in each lane: bits of a register for masks
    // where there are such registers. Conditions are combined by & and |.
#if defined(__AVX512DQ__)
    typedef unsigned char Condition;

    inline __attribute__((always_inline)) Condition
    less_equal(const Vector a, const Vector b)
    {
      return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
    }

    inline __attribute__((always_inline)) Condition
    less(const Vector a, const Vector b)
    {
      return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
    }

    inline __attribute__((always_inline)) Condition
    equal(const Vector a, const Vector b)
    {
      return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
    }
#else
    typedef Bits Condition;

    inline __attribute__((always_inline)) Condition
    less_equal(const Vector a, const Vector b)
    {
      return a <= b;
    }

    inline __attribute__((always_inline)) Condition
    less(const Vector a, const Vector b)
    {
      return a < b;
    }

    inline __attribute__((always_inline)) Condition
    equal(const Vector a, const Vector b)
    {
      return a == b;
    }
#endif



    /** A bit for each lane, the lowest for the first one. */
    inline __attribute__((always_inline)) unsigned int
    bits_of(const Condition condition)
    {
#if defined(__AVX512DQ__)
      return condition;
#elif defined(__AVX__)
      return _mm256_movemask_pd(reinterpret_cast<__m256d>(condition));
#elif defined(__SSE2__)
      return _mm_movemask_pd(reinterpret_cast<__m128d>(condition));
#else
      unsigned int result = 0;
      for (unsigned int lane = 0; lane < n_lanes; ++lane)
        result |= (condition[lane] != 0) << lane;
      return result;
#endif
    }



    /** In each lane, @p a where @p condition holds and @p b elsewhere. */
    inline __attribute__((always_inline)) Vector
    choose(const Condition condition, const Vector a, const Vector b)
    {
#if defined(__AVX512DQ__)
      return _mm512_mask_blend_pd(condition, b, a);
#else
      return select(condition, a, b);
#endif
    }



    inline __attribute__((always_inline)) Vector
    minimum(const Vector a, const Vector b)
    {
#if defined(__AVX512DQ__)
      return _mm512_maskz_min_pd(0xff, a, b);
#elif defined(__AVX__)
      return _mm256_min_pd(a, b);
#elif defined(__SSE2__)
      return _mm_min_pd(a, b);
#else
      return select(a < b, a, b);
#endif
    }



    inline __attribute__((always_inline)) Vector
    maximum(const Vector a, const Vector b)
    {
      return -minimum(-a, -b);
    }
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
