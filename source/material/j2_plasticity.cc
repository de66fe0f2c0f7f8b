// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "flow_stress.h"
#include "logarithmic_kernels.h"
#include "logarithmic_tangent.h"
#include "one_point.h"

namespace Ricochet
{
  /**
   * Metals: finite-strain plasticity after von Mises (J2), F = F_e F_p, with
   * Hencky's energy in the principal logarithmic elastic strains e_i,
   * \f[
   *   W = \frac\kappa2 (e_1+e_2+e_3)^2 + \mu \sum_i (\operatorname{dev} e)_i^2,
   *   \qquad \tau_i = \partial W / \partial e_i,
   * \f]
   * where exp(2 e_i) are the eigenvalues of b = F C_p^-1 F^T.
   *
   * Multiplicative rather than hypoelastic: nothing has to be rotated along, so
   * that the law is exactly objective for steps of any size; elasticity has an
   * energy; and with the exponential map plastic flow keeps the volume exactly.
   * In logarithmic strains the return is the radial one of small strains (Simo,
   * 1992): with the trial stress q = sqrt(3/2) |dev tau|, the plastic strain of
   * the step is the only root of q - 3 mu d = s(e_p + d, d/dt, T) in
   * (0, q/(3 mu)), found by bracketing (Alefeld, Potra and Shi, 1995), which
   * never fails. s is the flow stress, T the temperature at the start of the
   * step.
   *
   * The loss of a step is d times the mean of s at its ends, at the rate of the
   * step. The fraction beta of it, the Taylor-Quinney coefficient (Taylor and
   * Quinney, 1934), heats the metal (adiabatic, if beta > 0; else isothermal).
   *
   * The history: dissipated energy, equivalent plastic strain, temperature, and
   * C_p^-1 as in LogarithmicKernels. Two dimensions are
   * plane strain, with plastic strain in the third direction.
   */
  template <int dim>
  class J2Plasticity : public IsotropicMaterial<dim>
  {
  public:
    J2Plasticity()
      : IsotropicMaterial<dim>(IsotropicKernels())
      , kernels(RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                                     logarithmic_kernels<dim>()))
    {}

    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Besides what IsotropicMaterial and FlowStress refuse: a Taylor-Quinney
     * coefficient without heat capacity.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override;

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

    /** Plastic flow only takes away from the change of elastic strain. */
    double
    stiffening() const override
    {
      return this->elastic_stiffening;
    }

    void
    tangent_step(const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history,
                 double *A) const override;

  private:
    /** Components of the history. */
    static constexpr unsigned int loss_entry =
                                    MaterialHistory::dissipated_energy,
                                  strain_entry = 1, temperature_entry = 2,
                                  metric_entry = 3;

    /** Loss, plastic strain and temperature of one point. */
    struct Flow
    {
      double loss, strain, temperature;
    };

    /**
     * Let a point flow in a step.
     *
     * @param[in] q Equivalent trial stress.
     * @return The growth of the plastic strain, zero if it stays elastic.
     */
    double
    flow(const double q, const double dt, Flow &state) const;

    /** A point whose elastic trial strains flow in a step. */
    struct Return
    {
      /** Of the trial strains: trace, deviator, its square and the equivalent
       * stress. */
      double trace, deviator[3], square, q;

      /** Growth of the plastic strain, and by what it shortens the deviator. */
      double increment, factor;
    };

    /** The step of length @p dt from the flow @p state, which goes on. */
    Return
    return_to_yield(const std::array<double, 3> &strains,
                    const double dt,
                    Flow &state) const;

    const LogarithmicKernels kernels;
    std::unique_ptr<const FlowStress> flow_stress;

    /** Rise of temperature per dissipated energy. */
    double heating = 0.;
  };



  template <int dim>
  void
  J2Plasticity<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    namespace Patterns = dealii::Patterns;

    IsotropicMaterial<dim>::declare_parameters(prm);
    FlowStress::declare_parameters(prm);
    prm.declare_entry("Initial temperature",
                      "",
                      Patterns::List(Patterns::Double(), 0, 1),
                      "Empty means the reference temperature. Units: "
                      "temperature.");
    prm.declare_entry("Taylor-Quinney coefficient",
                      "0",
                      Patterns::Double(0., 1.),
                      "The part of the plastic loss that heats the metal, "
                      "which keeps its heat (adiabatic). With 0 the "
                      "temperature stays (isothermal). Units: none.");
    prm.declare_entry("Heat capacity",
                      "0",
                      Patterns::Double(0.),
                      "Heat per mass and degree. Needed if the Taylor-Quinney "
                      "coefficient is not 0. Units: "
                      "length^2/(time^2*temperature).");
  }



  template <int dim>
  void
  J2Plasticity<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    IsotropicMaterial<dim>::parse_parameters(prm);
    flow_stress                      = FlowStress::create(prm);
    const double initial_temperature = prm.get_double(
      prm.get("Initial temperature").empty() ? "Reference temperature"
                                             : "Initial temperature");
    const std::vector<double> identity =
      dim == 3 ? std::vector<double>{1., 0., 0., 1., 0., 1.}
               : std::vector<double>{1., 0., 1., 1.};
    this->set_history(
      {Dissipation::plastic,
       {{"plastic_strain", {0.}, Transfer::mean, true},
        {"temperature", {initial_temperature}, Transfer::mean, true},
        {"inverse_plastic_metric", identity, Transfer::logarithmic_mean}}});
    const double fraction = prm.get_double("Taylor-Quinney coefficient"),
                 capacity = prm.get_double("Heat capacity");
    require(fraction == 0. || capacity > 0.,
            "The entry 'Taylor-Quinney coefficient' = " +
              prm.get("Taylor-Quinney coefficient") +
              " says that plastic flow heats the metal, which needs the entry "
              "'Heat capacity', but that is 0. Give the heat per mass and "
              "degree, or set 'Taylor-Quinney coefficient = 0'.");
    heating = fraction == 0. ? 0. : fraction / (this->density() * capacity);
  }



  template <int dim>
  void
  J2Plasticity<dim>::evaluate(const unsigned int n_points,
                              const double *F,
                              double *P,
                              double *W) const
  {
    std::vector<double> old_history,
      new_history(this->history().size() * n_points);
    for (const double value : this->history().initial_values())
      old_history.insert(old_history.end(), n_points, value);
    evaluate_step(n_points,
                  0.,
                  F,
                  old_history.data(),
                  new_history.data(),
                  P,
                  W);
  }



  template <int dim>
  void
  J2Plasticity<dim>::evaluate_step(const unsigned int n_points,
                                   const double dt,
                                   const double *F,
                                   const double *old_history,
                                   double *new_history,
                                   double *P,
                                   double *W) const
  {
    const double mu = this->mu, bulk = this->lambda + 2. / 3. * mu;

    std::vector<double> scratch(19 * n_points);
    double *const strains     = scratch.data(),
                  *directions = strains + 3 * n_points,
                  *stresses   = directions + 9 * n_points,
                  *stretches  = stresses + 3 * n_points,
                  *flowed     = stretches + 3 * n_points;
    kernels.split(n_points,
                  F,
                  old_history + metric_entry * n_points,
                  strains,
                  directions);

    for (unsigned int p = 0; p < n_points; ++p)
      {
        const auto at = [n_points, p](auto *values, const unsigned int entry) {
          return values + entry * n_points + p;
        };
        Flow state{*at(old_history, loss_entry),
                   *at(old_history, strain_entry),
                   *at(old_history, temperature_entry)};
        const Return result =
          return_to_yield({{*at(strains, 0), *at(strains, 1), *at(strains, 2)}},
                          dt,
                          state);
        const double trace = result.trace, factor = result.factor,
                     increment              = result.increment;
        *at(new_history, loss_entry)        = state.loss;
        *at(new_history, strain_entry)      = state.strain;
        *at(new_history, temperature_entry) = state.temperature;

        flowed[p] = increment;
        for (unsigned int k = 0; k < 3; ++k)
          {
            const double deviator = result.deviator[k] * factor;
            *at(stresses, k)      = bulk * trace + 2. * mu * deviator;
            *at(stretches, k) =
              increment > 0. ? std::exp(2. * (deviator + trace / 3.)) : 1.;
          }
        if (W != nullptr)
          W[p] =
            0.5 * bulk * trace * trace + mu * factor * factor * result.square;
      }

    kernels.join(n_points,
                 F,
                 directions,
                 stresses,
                 stretches,
                 flowed,
                 old_history + metric_entry * n_points,
                 new_history + metric_entry * n_points,
                 P);
  }



  template <int dim>
  void
  J2Plasticity<dim>::tangent_step(const unsigned int n_points,
                                  const double dt,
                                  const double *F,
                                  const double *old_history,
                                  double *A) const
  {
    const double mu = this->mu, bulk = this->lambda + 2. / 3. * mu;
    const double *const metric = old_history + metric_entry * n_points;
    std::vector<double> scratch(12 * n_points);
    double *const strains     = scratch.data(),
                  *directions = strains + 3 * n_points;
    kernels.split(n_points, F, metric, strains, directions);

    for (unsigned int p = 0; p < n_points; ++p)
      {
        LogarithmicPoint point =
          logarithmic_point<dim>(n_points, p, F, metric, strains, directions);
        const double temperature =
          old_history[temperature_entry * n_points + p];
        Flow state{0., old_history[strain_entry * n_points + p], temperature};
        const Return result = return_to_yield(point.strains, dt, state);

        // With the increment d, the factor is 1 - 3 mu d/q; and
        // q - 3 mu d = s gives dd/dq = 1/(3 mu + s').
        double factor_slope = 0.;
        if (result.increment > 0.)
          factor_slope =
            3. * mu / result.q *
            (result.increment / result.q -
             1. / (3. * mu + flow_stress->slope(state.strain,
                                                result.increment / dt,
                                                temperature,
                                                dt)));
        point.twice_shear = 2. * mu * result.factor;
        for (unsigned int i = 0; i < 3; ++i)
          {
            point.stresses[i] =
              bulk * result.trace + point.twice_shear * result.deviator[i];
            for (unsigned int j = 0; j < 3; ++j)
              {
                // dq/de_j = 6 mu^2 deviator_j/q.
                point.moduli[i][j] =
                  bulk + point.twice_shear * ((i == j ? 1. : 0.) - 1. / 3.);
                if (result.increment > 0.)
                  point.moduli[i][j] += 12. * mu * mu * mu / result.q *
                                        factor_slope * result.deviator[i] *
                                        result.deviator[j];
              }
          }
        set_at_point(n_points, p, logarithmic_tangent<dim>(point), A);
      }
  }



  template <int dim>
  typename J2Plasticity<dim>::Return
  J2Plasticity<dim>::return_to_yield(const std::array<double, 3> &strains,
                                     const double dt,
                                     Flow &state) const
  {
    const double mu = this->mu;
    Return result;
    result.trace  = strains[0] + strains[1] + strains[2];
    result.square = 0.;
    for (unsigned int k = 0; k < 3; ++k)
      {
        result.deviator[k] = strains[k] - result.trace / 3.;
        result.square += result.deviator[k] * result.deviator[k];
      }
    result.q         = mu * std::sqrt(6. * result.square);
    result.increment = flow(result.q, dt, state);
    result.factor    = result.increment > 0.
                         ? std::max(0., 1. - 3. * mu * result.increment / result.q)
                         : 1.;
    return result;
  }



  template <int dim>
  double
  J2Plasticity<dim>::flow(const double q, const double dt, Flow &state) const
  {
    if (!(dt > 0.) ||
        !(q > flow_stress->value(state.strain, 0., state.temperature)))
      return 0.;

    const auto excess = [&](const double increment) {
      return q - 3. * this->mu * increment -
             flow_stress->value(state.strain + increment,
                                increment / dt,
                                state.temperature);
    };
    const double largest      = q / (3. * this->mu);
    const double at_largest   = excess(largest);
    double increment          = largest;
    std::uintmax_t iterations = 100;
    if (at_largest < 0.)
      {
        const auto bracket = boost::math::tools::toms748_solve(
          excess,
          0.,
          largest,
          excess(0.),
          at_largest,
          boost::math::tools::eps_tolerance<double>(50),
          iterations);
        increment = 0.5 * (bracket.first + bracket.second);
      }

    const double rate = increment / dt;
    const double loss =
      0.5 * increment *
      (flow_stress->value(state.strain, rate, state.temperature) +
       flow_stress->value(state.strain + increment, rate, state.temperature));
    state.loss += loss;
    state.strain += increment;
    state.temperature += heating * loss;
    return increment;
  }



  RICOCHET_REGISTER_MATERIAL(
    J2Plasticity,
    "J2 plasticity",
    "Metals: Hencky's elasticity in logarithmic strains, and plastic flow after "
    "von Mises at large strains, with linear, Voce's, or Johnson and Cook's "
    "hardening. Plane strain in two dimensions.")
} // namespace Ricochet
