// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_logarithmic_kernel_types_h
#define ricochet_source_material_logarithmic_kernel_types_h

namespace Ricochet
{
  /**
   * The two ends of a law in principal logarithmic strains, for batches of
   * points: see Material for F and P, and J2Plasticity for the law. In two
   * dimensions the third direction is undeformed.
   *
   * The inverse plastic metric C_p^-1 is symmetric: its components are 00, 01,
   * 02, 11, 12, 22, or in two dimensions 00, 01, 11, 22.
   */
  struct LogarithmicKernels
  {
    /**
     * The elastic trial state: principal logarithmic @p strains (component i of
     * point p in [i*n_points+p]) of b = F C_p^-1 F^T, and component i of
     * direction k in <tt>directions[(i*3+k)*n_points+p]</tt>. The strains are
     * NaN where det F is not positive.
     */
    void (*split)(const unsigned int n_points,
                  const double *F,
                  const double *plastic_metric,
                  double *strains,
                  double *directions);

    /**
     * The stress P from principal Kirchhoff @p stresses, and the new metric:
     * where @p flowed is not zero that with the eigenvalues @p stretches of b,
     * elsewhere the old one.
     */
    void (*join)(const unsigned int n_points,
                 const double *F,
                 const double *directions,
                 const double *stresses,
                 const double *stretches,
                 const double *flowed,
                 const double *old_metric,
                 double *new_metric,
                 double *P);
  };
} // namespace Ricochet

#endif
