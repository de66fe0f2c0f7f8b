// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_deformation_rate_h
#define ricochet_source_material_deformation_rate_h

#include <ricochet/material/history.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <vector>

// What the viscous laws have in common.

namespace Ricochet
{
  /** Where the deformation gradient begins in the history of a viscous law. */
  constexpr unsigned int deformation_entry =
    MaterialHistory::dissipated_energy + 1;

  /** Where the viscous stress begins. */
  template <int dim>
  constexpr unsigned int viscous_stress_entry =
    deformation_entry + dealii::Tensor<2, dim>::n_independent_components;



  /**
   * The history of a viscous law: after the dissipated energy the deformation
   * gradient F at the end of the last step, and the viscous part of the
   * Kirchhoff stress there, each symmetric entry once in the order of
   * dealii::SymmetricTensor.
   */
  template <int dim>
  MaterialHistory
  viscous_history()
  {
    std::vector<double> identity(dim * dim, 0.);
    for (unsigned int i = 0; i < dim; ++i)
      identity[i * dim + i] = 1.;
    const std::vector<double> no_stress(
      dealii::SymmetricTensor<2, dim>::n_independent_components,
      0.);
    return {Dissipation::viscous,
            {{"deformation_gradient", identity, Transfer::deformation_gradient},
             {"viscous_stress", no_stress, Transfer::mean}}};
  }



  /**
   * The rate of deformation d times the length of the step, for a step from
   * @p F_old to @p F: the symmetric part of (F - F_old) ((F + F_old)/2)^-1
   * (Hughes and Winget, 1980). Zero for every rotation, of any angle below pi
   * in a step.
   */
  template <int dim>
  dealii::SymmetricTensor<2, dim>
  strain_increment(const dealii::Tensor<2, dim> &F_old,
                   const dealii::Tensor<2, dim> &F)
  {
    return symmetrize((F - F_old) * invert(0.5 * (F + F_old)));
  }



  /**
   * dP/dF of the viscous stress P = tau F^-T at the end of a step from
   * @p F_old to @p F,
   * \f[
   *   \tau = J (\lambda \operatorname{tr} e \, 1 + 2 \mu e)
   * \f]
   * with e = strain_increment(F_old, F), whose derivative is the symmetric part
   * of F_old G dF G with G = ((F + F_old)/2)^-1. @p lambda and @p mu are
   * viscosities over the length of the step.
   */
  template <int dim>
  dealii::Tensor<4, dim>
  viscous_tangent(const dealii::Tensor<2, dim> &F_old,
                  const dealii::Tensor<2, dim> &F,
                  const double lambda,
                  const double mu)
  {
    using Stress        = dealii::SymmetricTensor<2, dim>;
    const double J      = determinant(F);
    const auto identity = dealii::unit_symmetric_tensor<dim>();
    const auto stress   = [&](const Stress &e) {
      return J * (lambda * trace(e) * identity + 2. * mu * e);
    };
    const Stress tau                       = stress(strain_increment(F_old, F));
    const dealii::Tensor<2, dim> F_inverse = invert(F),
                                 G = invert(0.5 * (F + F_old)), B = F_old * G,
                                 P = dealii::Tensor<2, dim>(tau) *
                                     transpose(F_inverse);

    dealii::Tensor<4, dim> A;
    for (unsigned int k = 0; k < dim; ++k)
      for (unsigned int l = 0; l < dim; ++l)
        {
          Stress e;
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = i; j < dim; ++j)
              e[i][j] = 0.5 * (B[i][k] * G[l][j] + B[j][k] * G[l][i]);
          const dealii::Tensor<2, dim> change =
            dealii::Tensor<2, dim>(F_inverse[l][k] * tau + stress(e)) *
            transpose(F_inverse);
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              A[i][j][k][l] = change[i][j] - P[i][l] * F_inverse[j][k];
        }
    return A;
  }



  /** Copy the history of @p n_points but for the new @p F. */
  template <int dim>
  void
  begin_viscous_step(const unsigned int n_points,
                     const double *F,
                     const double *old_history,
                     double *new_history)
  {
    const unsigned int n_history =
      viscous_stress_entry<dim> +
      dealii::SymmetricTensor<2, dim>::n_independent_components;
    std::copy_n(old_history, n_history * n_points, new_history);
    std::copy_n(F,
                dim * dim * n_points,
                new_history + deformation_entry * n_points);
  }



  /**
   * Go on with the history of point @p p of @p n_points by a step that strains
   * it by @p increment and ends with the viscous Kirchhoff stress @p stress.
   *
   * The stress at the end of a step acts on the second half of this and on the
   * first half of the next one, so a step dissipates the mean of the stresses
   * at its ends times its increment. If it were that at its end alone, nodes
   * that contact turns round in every step would dissipate without losing
   * energy.
   */
  template <int dim>
  void
  add_viscous_loss(const unsigned int n_points,
                   const unsigned int p,
                   const dealii::SymmetricTensor<2, dim> &increment,
                   const dealii::SymmetricTensor<2, dim> &stress,
                   double *new_history)
  {
    using Stress                = dealii::SymmetricTensor<2, dim>;
    const unsigned int position = viscous_stress_entry<dim> * n_points + p;
    Stress before;
    for (unsigned int i = 0; i < Stress::n_independent_components; ++i)
      {
        double &entry              = new_history[position + i * n_points];
        before.access_raw_entry(i) = entry;
        entry                      = stress.access_raw_entry(i);
      }
    new_history[p] += 0.5 * (before + stress) * increment;
  }
} // namespace Ricochet

#endif
