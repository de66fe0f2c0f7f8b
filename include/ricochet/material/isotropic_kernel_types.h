// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_isotropic_kernel_types_h
#define ricochet_material_isotropic_kernel_types_h

namespace Ricochet
{
  /** The laws of isotropic_laws.h; none are those of others. */
  enum class IsotropicLaw
  {
    none,
    neo_hookean,
    saint_venant_kirchhoff,
    linear_elastic
  };



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

    /** Which law that is, for loops that evaluate it themselves. */
    IsotropicLaw law = IsotropicLaw::none;
  };
} // namespace Ricochet

#endif
