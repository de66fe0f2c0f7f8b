// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_exact_polynomial_h
#define ricochet_tests_search_exact_polynomial_h

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

namespace Ricochet
{
  /** Polynomials with integer coefficients, and their zeros, without any
   * rounding. */
  namespace Exact
  {
    using Integer = boost::multiprecision::number<
      boost::multiprecision::cpp_int_backend<
        1024,
        0,
        boost::multiprecision::signed_magnitude,
        boost::multiprecision::unchecked,
        std::allocator<boost::multiprecision::limb_type>>,
      boost::multiprecision::et_off>;

    /** Coefficients of 1, t, t^2, ..., the last one not zero; the zero
     * polynomial has none. */
    using Polynomial = std::vector<Integer>;

    /** Remove leading zeros. */
    void
    trim(Polynomial &p);

    Polynomial
    operator+(const Polynomial &a, const Polynomial &b);

    Polynomial
    operator-(const Polynomial &a, const Polynomial &b);

    Polynomial
    operator*(const Polynomial &a, const Polynomial &b);

    /** The greatest common divisor, up to a factor. */
    Polynomial
    common_divisor(Polynomial a, Polynomial b);



    /**
     * A zero of a polynomial in [0,1]: either the number k/2^m itself, or the
     * only zero, a simple one, in the open interval from k/2^m to (k+1)/2^m.
     */
    struct Time
    {
      Polynomial polynomial;
      Integer k;
      unsigned int m;
      bool is_exact;
      int sign_at_left; // of the polynomial, right after k/2^m

      /** Halve the interval. */
      void
      refine();

      /** Sign of this time minus @p t. */
      int
      compare(const double t) const;

      /** To 60 binary digits behind the point, or the double's own precision.
       */
      double
      approximate() const;
    };

    /** The zeros in [0,1] of a polynomial that is not zero, in order. */
    std::vector<Time>
    zeros(const Polynomial &p);

    /** Sign of @p p at a time, exactly. The interval gets smaller. */
    int
    sign(const Polynomial &p, Time &time);
  } // namespace Exact
} // namespace Ricochet

#endif
