// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_isotropic_h
#define ricochet_material_isotropic_h

#include <ricochet/material/isotropic_kernel_types.h>
#include <ricochet/material/material.h>

namespace Ricochet
{
  /**
   * Common part of the laws with a density and two elastic constants: their
   * parameters, and batches through kernels for the processor at hand.
   *
   * In two dimensions the laws describe plane strain.
   */
  template <int dim>
  class IsotropicMaterial : public Material<dim>
  {
  public:
    /** Declare the density and both pairs of elastic constants. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Read the density and that pair of elastic constants which is set.
     *
     * Throws a UserError when both pairs or none are set, when one of a pair
     * is missing, or when the values do not make a stable material: density,
     * Young's modulus, mu and 3 lambda + 2 mu positive, Poisson's ratio
     * between -1 and 0.5 (both excluded).
     */
    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override;

    bool
    has_tangent() const override;

    void
    tangent_step(const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history,
                 double *A) const override;

    double
    density() const final;

    /** The speed of pressure waves, sqrt((lambda + 2 mu) / density). */
    double
    wave_speed() const final;

    double
    shear_modulus() const final
    {
      return mu;
    }

    /** Which law evaluate() is, if it is a common one of Lame's constants. */
    IsotropicLaw
    law() const
    {
      return kernels.law;
    }

    /** The first of Lame's constants; the other one is shear_modulus(). */
    double
    first_lame_constant() const
    {
      return lambda;
    }

  protected:
    /** Material::stiffening() of laws for large deformations: lengths and areas
     * change the stiffness by up to 4 e, the stress by up to 3 e more in nearly
     * incompressible ones. */
    static constexpr double elastic_stiffening = 6.;

    /** The law, as kernels for the processor at hand; without those whose
     * functions are overridden. */
    explicit IsotropicMaterial(const IsotropicKernels &kernels);

    /** Lame's constants, in units of stress. */
    double lambda, mu;

  private:
    const IsotropicKernels kernels;
    double mass_density;
  };
} // namespace Ricochet

#endif
