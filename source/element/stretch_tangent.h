// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_stretch_tangent_h
#define ricochet_source_element_stretch_tangent_h

namespace Ricochet
{
  /**
   * Make the derivative of a stress P(F), for gradients F that are a pure
   * stretch after the start of a step, one of a frame-indifferent stress: that
   * of F S with the second Piola-Kirchhoff stress S = F^-1 P as a function of
   * F^T F only. Nothing changes but for laws that depend on rotations between
   * the start of the step and its end.
   *
   * Layouts are those of StepKernels, with @p n_points points in all.
   *
   * @param[in] F_begin, F At the start, and after the stretch.
   * @param[in,out] A dP/dF at each point.
   * @param[in,out] right Right fields, @p n_fields of them.
   */
  template <int dim>
  void
  restrict_to_stretches(const unsigned int n_points,
                        const unsigned int n_fields,
                        const double *F_begin,
                        const double *F,
                        const double *P,
                        double *A,
                        double *right);
} // namespace Ricochet

#endif
