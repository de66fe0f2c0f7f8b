// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_isotropic_kernel_types_h
#define ricochet_material_isotropic_kernel_types_h

namespace Ricochet
{
  /** A vectorized isotropic elastic law with the Lame constants in front; null
   * where there is none. */
  struct IsotropicKernels
  {
    /** See Material::evaluate(). */
    void (*evaluate)(const double lambda,
                     const double mu,
                     const unsigned int n_points,
                     const double *F,
                     double *P,
                     double *W) = nullptr;

    /** See Material::tangent_step(). */
    void (*tangent)(const double lambda,
                    const double mu,
                    const unsigned int n_points,
                    const double *F,
                    double *A) = nullptr;
  };
} // namespace Ricochet

#endif
