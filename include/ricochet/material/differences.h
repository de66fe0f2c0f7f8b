// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_differences_h
#define ricochet_material_differences_h

#include <ricochet/material/material.h>

namespace Ricochet
{
  /**
   * What Material::tangent_step() is for, for any law: by central differences
   * of the stress, with relative errors of about 1e-10 where the law is smooth.
   * Arguments and layout are the same.
   */
  template <int dim>
  void
  tangent_by_differences(const Material<dim> &material,
                         const unsigned int n_points,
                         const double dt,
                         const double *F,
                         const double *old_history,
                         double *A);

  /**
   * The derivative, with respect to the deformation gradient @p F at the end of
   * a step, of the energy that a law with a memory stores and has dissipated
   * then, by central differences. For elastic laws this is the stress, but not
   * for laws that dissipate: a step may count a mean of the stresses at its
   * ends.
   *
   * @param[out] P dim*dim*n_points, in units of stress.
   */
  template <int dim>
  void
  stress_of_work_by_differences(const Material<dim> &material,
                                const unsigned int n_points,
                                const double dt,
                                const double *F,
                                const double *old_history,
                                double *P);
} // namespace Ricochet

#endif
