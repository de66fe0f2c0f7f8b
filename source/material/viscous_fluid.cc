// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/material/material.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "deformation_rate.h"
#include "one_point.h"

namespace Ricochet
{
  using dealii::Tensor;

  /**
   * A compressible viscous fluid, as a cheap model of soft bodies that are hit
   * hard: the Cauchy stress is
   * \f[
   *   \sigma = -p 1 + 2 \eta \operatorname{dev} d,
   *   \qquad p = K (1/J - 1), \quad W = K (J - 1 - \ln J)
   * \f]
   * with the bulk modulus K, the viscosity eta, and J = det F; p is linear in
   * the density. The rate of deformation d is strain_increment() over the
   * length of the step. With cavitation the fluid does not resist expansion: p
   * >= 0.
   *
   * The history is viscous_history(). Two dimensions are plane strain.
   */
  template <int dim>
  class ViscousFluid : public Material<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Throws a UserError when density or bulk modulus are not positive. */
    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override
    {
      step(n_points, 0., F, P, W, nullptr, nullptr);
    }

    void
    evaluate_step(const unsigned int n_points,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const override;

    bool
    has_tangent() const override
    {
      return true;
    }

    /** With cavitation, that of one side where the pressure vanishes. */
    void
    tangent_step(const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history,
                 double *A) const override;

    /** That of a step in which viscosity adds a quarter to the stiffness. */
    double
    viscous_time() const override
    {
      return 8. * viscosity / bulk_modulus;
    }

    double
    density() const override
    {
      return mass_density;
    }

    double
    wave_speed() const override
    {
      return std::sqrt(bulk_modulus / mass_density);
    }

  private:
    /** To @p F; with @p dt = 0 neither stress nor histories of viscosity. */
    void
    step(const unsigned int n_points,
         const double dt,
         const double *F,
         double *P,
         double *W,
         const double *old_history,
         double *new_history) const;

    double mass_density = 0., bulk_modulus = 0., viscosity = 0.;
    bool cavitation = false;
  };



  template <int dim>
  void
  ViscousFluid<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    namespace Patterns = dealii::Patterns;

    declare_density(prm);
    prm.declare_entry("Bulk modulus",
                      "0",
                      Patterns::Double(0.),
                      "Pressure per relative change of density ('viscous "
                      "fluid'). Larger than 0. Units: stress.");
    prm.declare_entry("Viscosity",
                      "0",
                      Patterns::Double(0.),
                      "Shear stress per rate of shear ('viscous fluid'). "
                      "Units: stress*time.");
    prm.declare_entry("Cavitation",
                      "false",
                      Patterns::Bool(),
                      "Whether the fluid expands without resistance ('viscous "
                      "fluid'). Units: none.");
  }



  template <int dim>
  void
  ViscousFluid<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    mass_density = parse_density(prm);
    bulk_modulus = prm.get_double("Bulk modulus");
    viscosity    = prm.get_double("Viscosity");
    cavitation   = prm.get_bool("Cavitation");
    require(bulk_modulus > 0.,
            "The entry 'Bulk modulus' = " + prm.get("Bulk modulus") +
              " of a fluid is not a positive number. Give the pressure per "
              "relative change of density.");
    this->set_history(viscous_history<dim>());
  }



  template <int dim>
  void
  ViscousFluid<dim>::evaluate_step(const unsigned int n_points,
                                   const double dt,
                                   const double *F,
                                   const double *old_history,
                                   double *new_history,
                                   double *P,
                                   double *W) const
  {
    begin_viscous_step<dim>(n_points, F, old_history, new_history);
    step(n_points, dt, F, P, W, old_history, new_history);
  }



  template <int dim>
  void
  ViscousFluid<dim>::step(const unsigned int n_points,
                          const double dt,
                          const double *F,
                          double *P,
                          double *W,
                          const double *old_history,
                          double *new_history) const
  {
    for (unsigned int p = 0; p < n_points; ++p)
      {
        const auto end = tensor_at_point<dim>(n_points, F, p);
        const double J = determinant(end);
        const double log_J =
          J > 0. ? std::log(J) : std::numeric_limits<double>::quiet_NaN();
        const bool is_void    = cavitation && J > 1.;
        const double pressure = is_void ? 0. : bulk_modulus * (1. / J - 1.);
        if (W != nullptr)
          W[p] = is_void ? 0. : bulk_modulus * (J - 1. - log_J);

        Tensor<2, dim> stress; // of Kirchhoff
        if (dt > 0.)
          {
            const dealii::SymmetricTensor<2, dim> increment = strain_increment(
              tensor_at_point<dim>(n_points,
                                   old_history + deformation_entry * n_points,
                                   p),
              end);
            const dealii::SymmetricTensor<2, dim> viscous =
              2. * viscosity * J / dt *
              (increment -
               trace(increment) / 3. * dealii::unit_symmetric_tensor<dim>());
            add_viscous_loss(n_points, p, increment, viscous, new_history);
            stress = viscous;
          }
        for (unsigned int i = 0; i < dim; ++i)
          stress[i][i] -= J * pressure + 0. * log_J; // NaN for J <= 0

        const Tensor<2, dim> P_p = stress * transpose(invert(end));
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            P[(i * dim + j) * n_points + p] = P_p[i][j];
      }
  }



  template <int dim>
  void
  ViscousFluid<dim>::tangent_step(const unsigned int n_points,
                                  const double dt,
                                  const double *F,
                                  const double *old_history,
                                  double *A) const
  {
    const double *const F_old = old_history + deformation_entry * n_points;
    for (unsigned int p = 0; p < n_points; ++p)
      {
        const auto end = tensor_at_point<dim>(n_points, F, p);
        Tensor<4, dim> tangent;
        if (dt > 0.)
          tangent = viscous_tangent(tensor_at_point<dim>(n_points, F_old, p),
                                    end,
                                    -2. / 3. * viscosity / dt,
                                    viscosity / dt);

        // P = K (J - 1) F^-T.
        const double J         = determinant(end);
        const double factor    = cavitation && J > 1. ? 0.
                                 : J > 0.
                                   ? bulk_modulus
                                   : std::numeric_limits<double>::quiet_NaN();
        const Tensor<2, dim> G = invert(end);
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            for (unsigned int k = 0; k < dim; ++k)
              for (unsigned int l = 0; l < dim; ++l)
                tangent[i][j][k][l] += factor * (J * G[j][i] * G[l][k] -
                                                 (J - 1.) * G[j][k] * G[l][i]);
        set_at_point(n_points, p, tangent, A);
      }
  }



  RICOCHET_REGISTER_MATERIAL(
    ViscousFluid,
    "viscous fluid",
    "A compressible fluid, linear between pressure and density, with viscosity "
    "in shear, and cavitation if wanted. Plane strain in two dimensions.")
} // namespace Ricochet
