// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_deformation_rate_h
#define ricochet_source_material_deformation_rate_h

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <vector>

// What the viscous laws have in common. Their history is the dissipated energy
// and the deformation gradient F at the end of the last step.

namespace Ricochet
{
  /** The history of a viscous law at the start: no loss, F = 1. */
  template <int dim>
  std::vector<double>
  undeformed_history()
  {
    std::vector<double> history(1 + dim * dim, 0.);
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
   * (T. J. R. Hughes and J. Winget, Int. J. Numer. Meth. Engng. 15, 1980). Zero
   * for every rotation, of any angle below pi in a step.
   */
  template <int dim>
  dealii::SymmetricTensor<2, dim>
  strain_increment(const dealii::Tensor<2, dim> &F_old,
                   const dealii::Tensor<2, dim> &F)
  {
    return symmetrize((F - F_old) * invert(0.5 * (F + F_old)));
  }
} // namespace Ricochet

#endif
