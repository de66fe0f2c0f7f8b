// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_deformation_rate_h
#define ricochet_source_material_deformation_rate_h

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <vector>

// What the viscous laws have in common. Their history is the dissipated energy,
// the deformation gradient F at the end of the last step, and the viscous part
// of the Kirchhoff stress there, each symmetric entry once.

namespace Ricochet
{
  /** How many numbers a viscous law keeps per point. */
  template <int dim>
  constexpr unsigned int n_viscous_history =
    1 + dealii::Tensor<2, dim>::n_independent_components +
    dealii::SymmetricTensor<2, dim>::n_independent_components;



  /** The history of a viscous law at the start: no loss, F = 1, no stress. */
  template <int dim>
  std::vector<double>
  undeformed_history()
  {
    std::vector<double> history(n_viscous_history<dim>, 0.);
    for (unsigned int i = 0; i < dim; ++i)
      history[1 + i * dim + i] = 1.;
    return history;
  }



  /** The tensor of point @p p in a batch. */
  template <int dim>
  dealii::Tensor<2, dim>
  tensor_at_point(const unsigned int n_points,
                  const double *values,
                  const unsigned int p)
  {
    dealii::Tensor<2, dim> result;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        result[i][j] = values[(i * dim + j) * n_points + p];
    return result;
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



  /** Copy the history of @p n_points but for the new @p F. */
  template <int dim>
  void
  begin_viscous_step(const unsigned int n_points,
                     const double *F,
                     const double *old_history,
                     double *new_history)
  {
    std::copy_n(old_history, n_viscous_history<dim> * n_points, new_history);
    std::copy_n(F, dim * dim * n_points, new_history + n_points);
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
    const unsigned int position = (1 + dim * dim) * n_points + p;
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
