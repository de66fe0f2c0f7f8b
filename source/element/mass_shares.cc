// SPDX-License-Identifier: LGPL-2.1-or-later

#include "mass_shares.h"

#include <cmath>

namespace Ricochet
{
  namespace
  {
    /**
     * What the volume at point @p q contributes to the mass at node @p a in
     * one direction: for degree 1 the value of the shape function; for degree
     * 2 the weight of Simpson's rule at the node times the value there of
     * Lagrange's polynomial of the Gauss point, over its weight. The latter
     * takes the Jacobian determinant from points to nodes, exactly if the
     * edges are straight.
     */
    double
    mass_share(const unsigned int degree,
               const unsigned int q,
               const unsigned int a)
    {
      if (degree == 1)
        return 0.5 * (1. + (q == a ? 1. : -1.) / std::sqrt(3.));
      const double node[3]    = {-1., 0., 1.};
      const double simpson[3] = {1. / 6., 4. / 6., 1. / 6.};
      const double gauss[3]   = {5. / 18., 8. / 18., 5. / 18.};
      const double point[3]   = {-std::sqrt(0.6), 0., std::sqrt(0.6)};
      double value            = simpson[a] / gauss[q];
      for (unsigned int p = 0; p < 3; ++p)
        if (p != q)
          value *= (node[a] - point[p]) / (point[q] - point[p]);
      return value;
    }
  } // namespace



  template <int dim>
  std::vector<double>
  mass_shares_of(const bool simplex, const unsigned int degree)
  {
    if (simplex)
      return std::vector<double>(dim + 1, 1. / (dim + 1));

    unsigned int n = 1;
    for (unsigned int d = 0; d < dim; ++d)
      n *= degree + 1;
    std::vector<double> shares(n * n, 1.);
    for (unsigned int q = 0; q < n; ++q)
      for (unsigned int a = 0; a < n; ++a)
        for (unsigned int d = 0, i = q, j = a; d < dim;
             ++d, i /= degree + 1, j /= degree + 1)
          shares[q * n + a] *=
            mass_share(degree, i % (degree + 1), j % (degree + 1));
    return shares;
  }



  template std::vector<double>
  mass_shares_of<2>(const bool, const unsigned int);
  template std::vector<double>
  mass_shares_of<3>(const bool, const unsigned int);
} // namespace Ricochet
