// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_material_material_point_h
#define ricochet_tests_material_material_point_h

#include <ricochet/material/material.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <vector>

/** One point of a law that follows a path of deformations. */
template <int dim>
class MaterialPoint
{
public:
  explicit MaterialPoint(const Ricochet::Material<dim> &material)
    : material(material)
  {
    for (const double value : material.history().initial_values())
      history.insert(history.end(), n, value);
  }

  /** The first Piola-Kirchhoff stress at the end of a step; the history stays.
   */
  dealii::Tensor<2, dim>
  trial(const dealii::Tensor<2, dim> &F, const double dt)
  {
    std::vector<double> F_values(dim * dim * n), P(dim * dim * n), W(n);
    for (unsigned int i = 0; i < dim * dim * n; ++i)
      F_values[i] = F[i / n / dim][i / n % dim];
    next.resize(history.size());
    material.evaluate_step(n,
                           dt,
                           F_values.data(),
                           history.data(),
                           next.data(),
                           P.data(),
                           W.data());
    energy = W[0];
    loss   = next.empty() ? 0. : next[0];
    dealii::Tensor<2, dim> result;
    for (unsigned int i = 0; i < dim * dim; ++i)
      result[i / dim][i % dim] = P[i * n + n - 1];
    return result;
  }

  /** The same, and the end becomes the accepted state. */
  dealii::Tensor<2, dim>
  step(const dealii::Tensor<2, dim> &F, const double dt)
  {
    const auto P = trial(F, dt);
    history      = next;
    return P;
  }

  /** Component @p k of the accepted history. */
  double
  stored(const unsigned int k) const
  {
    return history[k * n];
  }

  /** Strain energy and dissipated energy of the last trial. */
  double energy = 0., loss = 0.;

private:
  static constexpr unsigned int n = 8;
  const Ricochet::Material<dim> &material;
  std::vector<double> history, next;
};



/** F P^T: the Kirchhoff stress. */
template <int dim>
dealii::Tensor<2, dim>
kirchhoff(const dealii::Tensor<2, dim> &P, const dealii::Tensor<2, dim> &F)
{
  return P * transpose(F);
}



/** sqrt(3/2) |dev tau| of a full stress. */
inline double
equivalent(const dealii::Tensor<2, 3> &tau)
{
  dealii::Tensor<2, 3> deviator = tau;
  for (unsigned int i = 0; i < 3; ++i)
    deviator[i][i] -= trace(tau) / 3.;
  return std::sqrt(1.5) * deviator.norm();
}



/** A turn about an axis without any symmetry. */
inline dealii::Tensor<2, 3>
rotation(const double angle)
{
  dealii::Tensor<1, 3> axis({2. / 7., 3. / 7., 6. / 7.});
  dealii::Tensor<2, 3> cross, result;
  cross[0][1] = -axis[2];
  cross[0][2] = axis[1];
  cross[1][2] = -axis[0];
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < i; ++j)
      cross[i][j] = -cross[j][i];
  result = std::sin(angle) * cross + (1. - std::cos(angle)) * cross * cross;
  for (unsigned int i = 0; i < 3; ++i)
    result[i][i] += 1.;
  return result;
}

#endif
