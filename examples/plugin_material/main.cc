// SPDX-License-Identifier: LGPL-2.1-or-later

// Find the material of mooney_rivlin.cc in the registry by its name, as a
// parameter file would, and hold it against what is known about the law.

#include <ricochet/material/material.h>

#include <deal.II/base/symmetric_tensor.h>

#include <cmath>
#include <iostream>
#include <vector>

namespace
{
  using dealii::Tensor;

  bool all_passed = true;

  void
  check(const std::string &what,
        const double value,
        const double expected,
        const double tolerance)
  {
    const bool passed = std::abs(value - expected) <= tolerance;
    std::cout << (passed ? "ok      " : "WRONG   ") << what << ": " << value
              << ", expected " << expected << std::endl;
    all_passed = all_passed && passed;
  }



  // A batch of eight equal points.
  constexpr unsigned int n_points = 8;

  template <int dim>
  std::vector<double>
  batch_of(const Tensor<2, dim> &F)
  {
    std::vector<double> result(dim * dim * n_points);
    for (unsigned int i = 0; i < dim * dim; ++i)
      for (unsigned int p = 0; p < n_points; ++p)
        result[i * n_points + p] = F[i / dim][i % dim];
    return result;
  }



  template <int dim>
  Tensor<2, dim>
  stress(const Ricochet::Material<dim> &material,
         const Tensor<2, dim> &F,
         double *energy = nullptr)
  {
    const std::vector<double> F_batch = batch_of<dim>(F);
    std::vector<double> P_batch(F_batch.size()), W_batch(n_points);
    material.evaluate(n_points,
                      F_batch.data(),
                      P_batch.data(),
                      energy != nullptr ? W_batch.data() : nullptr);
    Tensor<2, dim> P;
    for (unsigned int i = 0; i < dim * dim; ++i)
      P[i / dim][i % dim] = P_batch[(i + 1) * n_points - 1];
    if (energy != nullptr)
      *energy = W_batch.back();
    return P;
  }



  // Stress is the derivative of the energy, and the tangent that of the stress.
  template <int dim>
  void
  check_derivatives(const Ricochet::Material<dim> &material)
  {
    Tensor<2, dim> F;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        F[i][j] = (i == j ? 1.1 : 0.) + 0.1 * std::sin(1. + 2. * i + 5. * j);

    const Tensor<2, dim> P = stress(material, F);
    std::vector<double> A(dim * dim * dim * dim * n_points);
    material.tangent_step(n_points,
                          0.,
                          batch_of<dim>(F).data(),
                          nullptr,
                          A.data());

    const double h      = 1e-5;
    double stress_error = 0., tangent_error = 0.;
    for (unsigned int k = 0; k < dim; ++k)
      for (unsigned int l = 0; l < dim; ++l)
        {
          Tensor<2, dim> F_minus = F, F_plus = F;
          F_minus[k][l] -= h;
          F_plus[k][l] += h;
          double W_minus, W_plus;
          const Tensor<2, dim> P_minus = stress(material, F_minus, &W_minus);
          const Tensor<2, dim> P_plus  = stress(material, F_plus, &W_plus);
          stress_error =
            std::max(stress_error,
                     std::abs(P[k][l] - (W_plus - W_minus) / (2. * h)));
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              tangent_error =
                std::max(tangent_error,
                         std::abs(
                           A[(((i * dim + j) * dim + k) * dim + l) * n_points] -
                           (P_plus[i][j] - P_minus[i][j]) / (2. * h)));
        }
    const std::string in_dimension = " in " + std::to_string(dim) + "D";
    check("error of the stress" + in_dimension, stress_error, 0., 1e-7);
    check("error of the tangent" + in_dimension, tangent_error, 0., 1e-7);
  }



  template <int dim>
  std::unique_ptr<Ricochet::Material<dim>>
  make_material(const double c1, const double c2, const double lambda)
  {
    using Materials = Ricochet::Registry<Ricochet::Material<dim>>;

    dealii::ParameterHandler prm;
    Materials::entries().at("Mooney-Rivlin").declare_parameters(prm);
    prm.set("Density", "1200");
    prm.set("c1", c1);
    prm.set("c2", c2);
    prm.set("lambda", lambda);

    auto material = Materials::create("Mooney-Rivlin");
    material->parse_parameters(prm);
    return material;
  }
} // namespace



int
main()
{
  const double c1 = 0.7, c2 = 0.4, lambda = 3.;
  const auto material = make_material<3>(c1, c2, lambda);

  // Simple shear keeps the volume: Rivlin's relations for the Cauchy stress.
  const double gamma   = 0.6;
  Tensor<2, 3> F       = dealii::unit_symmetric_tensor<3>();
  F[0][1]              = gamma;
  const Tensor<2, 3> T = stress(*material, F) * transpose(F);
  check("shear stress", T[0][1], 2. * (c1 + c2) * gamma, 1e-14);
  check("normal stress difference 1-2",
        T[0][0] - T[1][1],
        2. * (c1 + c2) * gamma * gamma,
        1e-14);
  check("normal stress difference 2-3",
        T[1][1] - T[2][2],
        -2. * c2 * gamma * gamma,
        1e-14);

  // A stretch s in one direction, none across it.
  const double s = 1.3;
  F              = dealii::unit_symmetric_tensor<3>();
  F[0][0]        = s;
  check("stress along a stretch",
        stress(*material, F)[0][0],
        (2. * c1 + 4. * c2) * (s - 1. / s) + lambda * std::log(s) / s,
        1e-14);

  // The law changes nothing for bodies of other materials.
  dealii::ParameterHandler all_laws;
  Ricochet::declare_classes<Ricochet::Material<3>, Ricochet::Sections::shared>(
    all_laws);
  check("density of a body without one", all_laws.get("Density").size(), 0, 0);

  check_derivatives(*material);
  check_derivatives(*make_material<2>(c1, c2, lambda));

  return all_passed ? 0 : 1;
}
