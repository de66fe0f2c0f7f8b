// SPDX-License-Identifier: LGPL-2.1-or-later

#include "exact_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  namespace Exact
  {
    void
    trim(Polynomial &p)
    {
      while (!p.empty() && p.back().is_zero())
        p.pop_back();
    }

    namespace
    {
      Polynomial
      combine(const Polynomial &a, const Polynomial &b, const int sign_of_b)
      {
        Polynomial result = a;
        result.resize(std::max(a.size(), b.size()));
        for (unsigned int i = 0; i < b.size(); ++i)
          if (sign_of_b > 0)
            result[i] += b[i];
          else
            result[i] -= b[i];
        trim(result);
        return result;
      }
    } // namespace



    Polynomial
    operator+(const Polynomial &a, const Polynomial &b)
    {
      return combine(a, b, 1);
    }

    Polynomial
    operator-(const Polynomial &a, const Polynomial &b)
    {
      return combine(a, b, -1);
    }

    Polynomial
    operator*(const Polynomial &a, const Polynomial &b)
    {
      if (a.empty() || b.empty())
        return {};
      Polynomial result(a.size() + b.size() - 1);
      for (unsigned int i = 0; i < a.size(); ++i)
        for (unsigned int j = 0; j < b.size(); ++j)
          result[i + j] += a[i] * b[j];
      return result;
    }



    namespace
    {
      using boost::multiprecision::gcd;

      /** Divide by the largest common divisor of the coefficients. */
      void
      make_primitive(Polynomial &p)
      {
        Integer content = 0;
        for (const Integer &c : p)
          content = gcd(content, c);
        if (content > 1)
          for (Integer &c : p)
            c /= content;
      }

      /** Divide a multiple of @p a by @p b. @p a becomes the remainder. */
      Polynomial
      pseudo_divide(Polynomial &a, const Polynomial &b)
      {
        Polynomial quotient(a.size() < b.size() ? 0 : a.size() - b.size() + 1);
        while (a.size() >= b.size())
          {
            const unsigned int shift = a.size() - b.size();
            const Integer factor     = a.back();
            for (Integer &c : a)
              c *= b.back();
            for (Integer &c : quotient)
              c *= b.back();
            quotient[shift] += factor;
            for (unsigned int i = 0; i < b.size(); ++i)
              a[shift + i] -= factor * b[i];
            trim(a);
          }
        return quotient;
      }
    } // namespace



    Polynomial
    common_divisor(Polynomial a, Polynomial b)
    {
      make_primitive(a);
      make_primitive(b);
      while (!b.empty())
        {
          pseudo_divide(a, b);
          make_primitive(a);
          a.swap(b);
        }
      return a;
    }



    namespace
    {
      /** The polynomial with all zeros made simple. */
      Polynomial
      square_free(Polynomial p)
      {
        Polynomial derivative;
        for (unsigned int i = 1; i < p.size(); ++i)
          derivative.push_back(p[i] * i);
        Polynomial quotient = pseudo_divide(p, common_divisor(p, derivative));
        make_primitive(quotient);
        return quotient;
      }



      /** Sign at k/2^m. */
      int
      sign_at(const Polynomial &p, const Integer &k, const unsigned int m)
      {
        Integer sum = 0;
        for (unsigned int i = p.size(); i-- > 0;)
          sum = sum * k + (p[i] << (m * (p.size() - 1 - i)));
        return sum.sign();
      }

      /** Sign in the whole interval from k/2^m to (k+1)/2^m by Horner's scheme
       * for intervals; 0 if that does not tell. */
      int
      sign_in(const Polynomial &p, const Integer &k, const unsigned int m)
      {
        const Integer next = k + 1;
        Integer low = 0, high = 0;
        for (unsigned int i = p.size(); i-- > 0;)
          {
            const Integer c = p[i] << (m * (p.size() - 1 - i));
            low             = low * (low.sign() < 0 ? next : k) + c;
            high            = high * (high.sign() < 0 ? k : next) + c;
          }
        return low.sign() > 0 ? 1 : (high.sign() < 0 ? -1 : 0);
      }



      /** Bernstein coefficients on [0,1] times a common factor. */
      Polynomial
      bernstein(const Polynomial &p)
      {
        const unsigned int n = p.size() - 1;
        const auto binomial  = [](const unsigned int a, const unsigned int b) {
          unsigned int result = 1;
          for (unsigned int i = 0; i < b; ++i)
            result = result * (a - i) / (i + 1);
          return result;
        };
        constexpr unsigned int multiple = 60; // of all binomials up to degree 6
        Polynomial result(n + 1);
        for (unsigned int j = 0; j <= n; ++j)
          for (unsigned int i = 0; i <= j; ++i)
            result[j] += p[i] * (multiple / binomial(n, i) * binomial(j, i));
        return result;
      }



      /**
       * The zeros in the open interval from k/2^m to (k+1)/2^m where the
       * polynomial has Bernstein coefficients @p c, by Descartes' rule: one
       * change of sign, one zero. Gives up where zeros are very close, perhaps
       * multiple.
       */
      bool
      isolate(const Polynomial &p,
              Polynomial c,
              const Integer &k,
              const unsigned int m,
              const unsigned int max_m,
              std::vector<Time> &result)
      {
        int first = 0, last = 0;
        unsigned int n_changes = 0;
        for (const Integer &x : c)
          if (!x.is_zero())
            {
              n_changes += last != 0 && x.sign() != last;
              last = x.sign();
              if (first == 0)
                first = last;
            }
        if (n_changes == 1)
          result.push_back({p, k, m, false, first});
        if (n_changes < 2)
          return true;
        if (m == max_m)
          return false;

        // De Casteljau's algorithm without its divisions.
        const unsigned int n = c.size() - 1;
        Polynomial left(n + 1);
        for (unsigned int i = 0; i <= n; ++i)
          {
            left[i] = c[0] << (n - i);
            for (unsigned int j = 0; j + i < n; ++j)
              c[j] += c[j + 1];
          }
        for (unsigned int i = 0; i <= n; ++i)
          c[i] <<= i;
        if (!isolate(p, left, 2 * k, m + 1, max_m, result))
          return false;
        if (c[0].is_zero())
          result.push_back({p, 2 * k + 1, m + 1, true, 0});
        return isolate(p, c, 2 * k + 1, m + 1, max_m, result);
      }
    } // namespace



    void
    Time::refine()
    {
      if (is_exact)
        return;
      k = 2 * k + 1;
      ++m;
      const int middle = sign_at(polynomial, k, m);
      if (middle == 0)
        is_exact = true;
      else if (middle != sign_at_left)
        k -= 1;
    }



    int
    Time::compare(const double t) const
    {
      if (t < 0. || t > 1.)
        return t < 0. ? 1 : -1;
      // t = j/2^digits
      int exponent;
      const double mantissa     = std::frexp(t, &exponent);
      const unsigned int digits = 53 - std::min(exponent, 0);
      const Integer j           = Integer(std::ldexp(mantissa, 53))
                        << (digits - 53 + exponent);
      const Integer left = k << digits, right = (k + 1) << digits;
      const Integer t_m = j << m;
      if (is_exact)
        return left.compare(t_m) == 0 ? 0 : (left < t_m ? -1 : 1);
      if (t_m <= left)
        return 1;
      if (t_m >= right)
        return -1;
      const int sign = sign_at(polynomial, j, digits);
      return sign == 0 ? 0 : (sign == sign_at_left ? 1 : -1);
    }



    double
    Time::approximate() const
    {
      Time time = *this;
      while (!time.is_exact && time.m < 60)
        time.refine();
      const unsigned int excess = time.m > 60 ? time.m - 60 : 0;
      return std::ldexp(Integer(time.k >> excess).convert_to<double>(),
                        -static_cast<int>(time.m - excess));
    }



    std::vector<Time>
    zeros(const Polynomial &p)
    {
      constexpr unsigned int enough_for_simple_zeros = 10;
      std::vector<Time> result;
      const auto search = [&](const Polynomial &q, const unsigned int max_m) {
        result.clear();
        if (q[0].is_zero())
          result.push_back({q, 0, 0, true, 0});
        if (!isolate(q, bernstein(q), 0, 0, max_m, result))
          return false;
        if (sign_at(q, 1, 0) == 0)
          result.push_back({q, 1, 0, true, 0});
        return true;
      };
      if (!search(p, enough_for_simple_zeros))
        search(square_free(p), std::numeric_limits<unsigned int>::max());
      return result;
    }



    int
    sign(const Polynomial &p, Time &time)
    {
      constexpr unsigned int enough_for_most = 24;
      if (p.empty())
        return 0;
      bool is_zero_possible = true;
      while (!time.is_exact)
        {
          const int result = sign_in(p, time.k, time.m);
          if (result != 0)
            return result;
          if (is_zero_possible && time.m >= enough_for_most)
            {
              // It is zero if a common divisor is; the interval must have no
              // zero of the divisor at its ends.
              const Polynomial divisor = common_divisor(p, time.polynomial);
              const auto is_at_end     = [&]() {
                return sign_at(divisor, time.k, time.m) == 0 ||
                       sign_at(divisor, time.k + 1, time.m) == 0;
              };
              while (!time.is_exact && is_at_end())
                time.refine();
              if (!time.is_exact && sign_at(divisor, time.k, time.m) !=
                                      sign_at(divisor, time.k + 1, time.m))
                return 0;
              is_zero_possible = false;
            }
          for (unsigned int i = 0; i < 4; ++i)
            time.refine();
        }
      return sign_at(p, time.k, time.m);
    }
  } // namespace Exact
} // namespace Ricochet
