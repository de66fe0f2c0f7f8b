// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/base/patterns.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <algorithm>

#include "deformation_rate.h"
#include "neo_hookean.h"
#include "one_point.h"

namespace Ricochet
{
  /**
   * A solid with internal damping, after Kelvin and Voigt: to the Cauchy stress
   * of the neo-Hookean law is added
   * \f[
   *   \sigma_v = 2 \eta \operatorname{dev} d + \zeta \operatorname{tr} d \, 1
   *            = T (\lambda \operatorname{tr} d \, 1 + 2 \mu d),
   *   \qquad \eta = T \mu, \quad \zeta = T (\lambda + 2 \mu / 3)
   * \f]
   * with the damping time T and the rate of deformation d, strain_increment()
   * over the length of the step. At small strains this is damping in proportion
   * to stiffness: a vibration with the angular frequency w has w T / 2 of its
   * critical damping, and shear and change of volume are damped alike. All
   * damping is in the relative motion within the body; translation and rotation
   * are free of it. With T = 0 the law is the neo-Hookean one.
   *
   * The history is viscous_history(), none with T = 0. Two dimensions are
   * plane strain.
   */
  template <int dim>
  class KelvinVoigt : public NeoHookean<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    evaluate_step(const unsigned int n_points,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const override;

    /** That of the elastic and of the viscous stress. */
    void
    tangent_step(const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history,
                 double *A) const override;

    /**
     * So short that the stiffness in a step of this length is nearly all
     * viscous: stability is then judged as exactly as without damping.
     */
    double
    viscous_time() const override
    {
      return 0.02 * damping_time;
    }

  private:
    double damping_time = 0.;
  };



  template <int dim>
  void
  KelvinVoigt<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    NeoHookean<dim>::declare_parameters(prm);
    prm.declare_entry("Damping time",
                      "0",
                      dealii::Patterns::Double(0.),
                      "Viscosity over stiffness, in shear and in change of "
                      "volume ('Kelvin-Voigt'): a vibration with the angular "
                      "frequency w has w/2 times this of its critical damping. "
                      "Times above the stable step without damping make the "
                      "stable step smaller. Units: time.");
  }



  template <int dim>
  void
  KelvinVoigt<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    NeoHookean<dim>::parse_parameters(prm);
    damping_time = prm.get_double("Damping time");
    this->set_history(damping_time > 0. ? viscous_history<dim>()
                                        : MaterialHistory());
  }



  template <int dim>
  void
  KelvinVoigt<dim>::evaluate_step(const unsigned int n_points,
                                  const double dt,
                                  const double *F,
                                  const double *old_history,
                                  double *new_history,
                                  double *P,
                                  double *W) const
  {
    this->evaluate(n_points, F, P, W);
    if (this->history().empty())
      return;
    begin_viscous_step<dim>(n_points, F, old_history, new_history);
    if (!(dt > 0.))
      return;

    const double *const F_old = old_history + deformation_entry * n_points;
    for (unsigned int p = 0; p < n_points; ++p)
      {
        const auto start = tensor_at_point<dim>(n_points, F_old, p),
                   end   = tensor_at_point<dim>(n_points, F, p);
        const dealii::SymmetricTensor<2, dim> increment =
          strain_increment(start, end);
        const dealii::SymmetricTensor<2, dim> kirchhoff_stress =
          determinant(end) * damping_time / dt *
          (this->lambda * trace(increment) *
             dealii::unit_symmetric_tensor<dim>() +
           2. * this->mu * increment);
        add_viscous_loss(n_points, p, increment, kirchhoff_stress, new_history);

        const dealii::Tensor<2, dim> P_viscous =
          dealii::Tensor<2, dim>(kirchhoff_stress) * transpose(invert(end));
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            P[(i * dim + j) * n_points + p] += P_viscous[i][j];
      }
  }



  template <int dim>
  void
  KelvinVoigt<dim>::tangent_step(const unsigned int n_points,
                                 const double dt,
                                 const double *F,
                                 const double *old_history,
                                 double *A) const
  {
    NeoHookean<dim>::tangent_step(n_points, dt, F, old_history, A);
    if (this->history().empty() || !(dt > 0.))
      return;

    const double *const F_old = old_history + deformation_entry * n_points;
    for (unsigned int p = 0; p < n_points; ++p)
      set_at_point(n_points,
                   p,
                   tangent_at_point<dim>(n_points, A, p) +
                     viscous_tangent(tensor_at_point<dim>(n_points, F_old, p),
                                     tensor_at_point<dim>(n_points, F, p),
                                     damping_time / dt * this->lambda,
                                     damping_time / dt * this->mu),
                   A);
  }



  RICOCHET_REGISTER_MATERIAL(
    KelvinVoigt,
    "Kelvin-Voigt",
    "The neo-Hookean solid with internal damping in proportion to its "
    "stiffness, for bodies that lose energy in vibrations and impacts. Plane "
    "strain in two dimensions.")
} // namespace Ricochet
