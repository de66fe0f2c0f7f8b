// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_material_metals_h
#define ricochet_tests_material_metals_h

#include <deal.II/base/numbers.h>
#include <deal.II/base/symmetric_tensor.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "make_material.h"
#include "material_point.h"

/** Copper after three laws, and paths of deformation. */
namespace Metals
{
  using dealii::Tensor;
  using Ricochet::Material;

  using Entries = std::vector<std::pair<std::string, std::string>>;

  // Copper in MPa, mm, g, ms, K.
  constexpr double mu = 43.e3, lambda = 101.e3, bulk = lambda + 2. / 3. * mu;

  inline Entries
  with(const Entries &more)
  {
    Entries entries = {{"Density", "8.93e-3"},
                       {"Lame lambda", "101e3"},
                       {"Lame mu", "43e3"}};
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  }

  inline const Entries linear = with({{"Yield stress", "400"},
                                      {"Hardening modulus", "100"}}),
                       voce   = with({{"Hardening", "Voce"},
                                      {"Yield stress", "100"},
                                      {"Hardening modulus", "50"},
                                      {"Saturation stress", "300"},
                                      {"Saturation exponent", "12"}}),
                       johnson_cook =
                         with({{"Hardening", "Johnson-Cook"},
                               {"Johnson-Cook A", "90"},
                               {"Johnson-Cook B", "292"},
                               {"Johnson-Cook N", "0.31"},
                               {"Johnson-Cook C", "0.025"},
                               {"Johnson-Cook M", "1.09"},
                               {"Reference strain rate", "0.001"},
                               {"Reference temperature", "300"},
                               {"Melting temperature", "1356"},
                               {"Taylor-Quinney coefficient", "0.9"},
                               {"Heat capacity", "383"}});

  inline std::unique_ptr<Material<3>>
  metal(const Entries &entries)
  {
    return make_material<3>("J2 plasticity", entries);
  }



  /** Paths of deformation that reach s = 1 at their ends. */
  inline Tensor<2, 3>
  tension(const double s, const double strain)
  {
    Tensor<2, 3> F;
    F[0][0] = std::exp(strain * s);
    F[1][1] = F[2][2] = std::exp(-0.5 * strain * s);
    return F;
  }

  inline Tensor<2, 3>
  shear(const double s, const double angle)
  {
    Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>();
    F[0][1]        = angle * s;
    return F;
  }

  /** Tension and compression along the diagonals. */
  inline Tensor<2, 3>
  pure_shear(const double s, const double strain)
  {
    Tensor<2, 3> F;
    F[0][0] = F[1][1] = std::cosh(strain * s);
    F[0][1] = F[1][0] = std::sinh(strain * s);
    F[2][2]           = 1.;
    return F;
  }



  /** The logarithm (or another function) of a symmetric tensor. */
  inline Tensor<2, 3>
  apply(const Tensor<2, 3> &A, const std::function<double(double)> &function)
  {
    Tensor<2, 3> result;
    for (const auto &[value, vector] :
         dealii::eigenvectors(symmetrize(A),
                              dealii::SymmetricTensorEigenvectorMethod::jacobi))
      result += function(value) * outer_product(vector, vector);
    return result;
  }

  struct Outcome
  {
    Tensor<2, 3> tau;
    double strain, temperature, loss;
  };

  /** The law at the end of a path, turned by 30 degrees on the way if
   * @p turned; the stress is turned back. */
  inline Outcome
  follow(const Material<3> &material,
         const std::function<Tensor<2, 3>(double)> &path,
         const double duration,
         const unsigned int n_steps,
         const bool turned)
  {
    MaterialPoint<3> point(material);
    Tensor<2, 3> P, F, Q = rotation(0.);
    for (unsigned int n = 1; n <= n_steps; ++n)
      {
        const double s = double(n) / n_steps;
        if (turned)
          Q = rotation(s * dealii::numbers::PI / 6.);
        F = Q * path(s);
        P = point.step(F, duration / n_steps);
      }
    return {transpose(Q) * kirchhoff(P, F) * Q,
            point.stored(1),
            point.stored(2),
            point.stored(0)};
  }
} // namespace Metals

#endif
