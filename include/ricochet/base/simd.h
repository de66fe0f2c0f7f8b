// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_simd_h
#define ricochet_base_simd_h

/**
 * @file
 * For kernel source files (*.simd.cc) only. The build compiles such a file
 * once per instruction set, with RICOCHET_SIMD_NAMESPACE defined as baseline,
 * avx2 or avx512. Everything that such a file defines must be in the namespace
 * of that name or anonymous, and it must not include headers with inline
 * functions: the linker keeps only one copy of those, perhaps the one with
 * instructions that the processor lacks.
 */

#ifndef RICOCHET_SIMD_NAMESPACE
#  error "This header is for files listed by ricochet_add_simd_sources() only."
#endif

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
#if defined(__AVX512F__)
    constexpr unsigned int n_lanes = 8;
#elif defined(__AVX__)
    constexpr unsigned int n_lanes = 4;
#else
    constexpr unsigned int n_lanes = 2;
#endif

    /** A register of doubles: one value for each of n_lanes points. */
    typedef double Vector __attribute__((vector_size(8 * n_lanes)));

    /** The bits of a Vector; also the type of the result of a comparison. */
    typedef long long Bits __attribute__((vector_size(8 * n_lanes)));

    /** A Vector anywhere in an array of doubles. */
    typedef double UnalignedVector
      __attribute__((vector_size(8 * n_lanes), aligned(8), may_alias));



    /** The n_lanes values from an address on, which need not be aligned. */
    inline __attribute__((always_inline)) Vector
    load(const double *const source)
    {
      return *reinterpret_cast<const UnalignedVector *>(source);
    }



    /** Write all lanes to an address, which need not be aligned. */
    inline __attribute__((always_inline)) void
    store(double *const destination, const Vector value)
    {
      *reinterpret_cast<UnalignedVector *>(destination) = value;
    }



    /** The same @p value in all lanes. */
    inline __attribute__((always_inline)) Vector
    broadcast(const double value)
    {
      return value - Vector{};
    }



    /** The first entries of all pairs of @p a and @p b, in turns. */
    inline __attribute__((always_inline)) Vector
    first_of_pairs(const Vector a, const Vector b)
    {
#if defined(__AVX512F__)
      return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
#elif defined(__AVX__)
      return __builtin_shufflevector(a, b, 0, 4, 2, 6);
#else
      return __builtin_shufflevector(a, b, 0, 2);
#endif
    }



    /** The second ones. */
    inline __attribute__((always_inline)) Vector
    second_of_pairs(const Vector a, const Vector b)
    {
#if defined(__AVX512F__)
      return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
#elif defined(__AVX__)
      return __builtin_shufflevector(a, b, 1, 5, 3, 7);
#else
      return __builtin_shufflevector(a, b, 1, 3);
#endif
    }



    /** In each lane, @p a where @p condition holds and @p b elsewhere. */
    inline __attribute__((always_inline)) Vector
    select(const Bits condition, const Vector a, const Vector b)
    {
      return reinterpret_cast<Vector>((condition & reinterpret_cast<Bits>(a)) |
                                      (~condition & reinterpret_cast<Bits>(b)));
    }



    /** Square roots; the extension of the language has none for vectors. */
    inline __attribute__((always_inline)) Vector
    square_root(const Vector a)
    {
      Vector result = {};
      for (unsigned int l = 0; l < n_lanes; ++l)
        result[l] = __builtin_sqrt(a[l]);
      return result;
    }



    /**
     * log(y) and x-log(y) for y = 1+x, both with small relative errors for all
     * x, provided that those of y are small for large and tiny y, and those of
     * x in between. NaN where y is not positive.
     *
     * With y = 2^k m and sqrt(1/2) <= m < sqrt(2), f = m-1 and s = f/(2+f),
     * log(m) = log((1+s)/(1-s)) = 2 s + s R with R = 2/3 s^2 + 2/5 s^4 + ...
     * Since 2 s = f - s f, f - log(m) = f^2/2 - s (f^2/2 + R): no cancellation
     * of first-order terms is left.
     */
    inline __attribute__((always_inline)) void
    compute_logarithm(const Vector x,
                      const Vector y,
                      Vector &logarithm,
                      Vector &remainder)
    {
      typedef unsigned long long UnsignedBits
        __attribute__((vector_size(8 * n_lanes)));

      const auto bits = reinterpret_cast<UnsignedBits>(y);

      // The exponent k + 1023 of y/sqrt(1/2); then k as a floating point
      // number by placing the integer in the mantissa of 2^52.
      const UnsignedBits one             = UnsignedBits{} + 0x3ff0000000000000;
      const UnsignedBits sqrt_half       = UnsignedBits{} + 0x3fe6a09e667f3bcd;
      const UnsignedBits biased_exponent = (bits + (one - sqrt_half)) >> 52;
      const Vector k =
        reinterpret_cast<Vector>(biased_exponent | 0x4330000000000000) -
        (4503599627370496. + 1023.);
      const Vector m =
        reinterpret_cast<Vector>(bits - (biased_exponent << 52) + one);
      const Bits no_scaling = (k == 0.);
      const Vector f        = select(no_scaling, x, m - 1.);

      const Vector s = f / (2. + f);
      const Vector z = s * s;
      Vector R       = broadcast(2. / 19.);
      R              = R * z + 2. / 17.;
      R              = R * z + 2. / 15.;
      R              = R * z + 2. / 13.;
      R              = R * z + 2. / 11.;
      R              = R * z + 2. / 9.;
      R              = R * z + 2. / 7.;
      R              = R * z + 2. / 5.;
      R              = R * z + 2. / 3.;
      R              = R * z;

      const Vector half_square = 0.5 * f * f;
      const Vector r           = half_square - s * (half_square + R);

      // log(2) in two parts; the first has enough trailing zeros for k times
      // it to be exact.
      const double log2_high = 0x1.62e42fefa3800p-1;
      const double log2_low  = 0x1.ef35793c76730p-45;

      const Vector nan     = broadcast(__builtin_nan(""));
      const Bits in_domain = (y > 0.);
      logarithm =
        select(in_domain, k * log2_high - ((r - k * log2_low) - f), nan);
      remainder = select(no_scaling, r, x - logarithm);
    }
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
