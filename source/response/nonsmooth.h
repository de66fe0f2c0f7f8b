// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_nonsmooth_h
#define ricochet_source_response_nonsmooth_h

#include <ricochet/projection/step_gaps.h>
#include <ricochet/response/contact_correction.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Nonsmooth contact (Kane, Repetto, Ortiz and Marsden, 1999), explicit in the
   * internal and implicit in the contact forces (beta = 0): the end of the step
   * is the closest point, in the norm of the mass, to the predictor among the
   * admissible configurations, and what moves it there are the contact forces,
   *
   *   x = P_C(x~),   a_con = 2/dt^2 (x - x~),   v <- v + dt a_con,
   *
   * eqs. (3.16) to (3.21), (3.27): half of the impulse at the start of the
   * step, which moves the points, and half at its end, of which GroupImpulses
   * takes back what would add energy. Without friction; two points that meet
   * separate with the restitution |1 - 2 theta|, where theta dt is the time
   * they needed to meet.
   *
   * Pass by pass, what is found on the paths to the projected positions is
   * added to the gaps of the step, see StepGaps, and the predictor is projected
   * anew; what contradicts itself is relaxed, and then the guarantee has the
   * last word.
   *
   * The implicit member, beta > 0, is that of an implicit integrator; from here
   * it has the gaps alone.
   */
  template <int dim>
  class NonsmoothResponse : public ContactCorrection<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    check(const PassSettings &settings) const override;

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override;

    bool
    updates_velocities() const override
    {
      return energy_restoration;
    }

    /** Let the contacts push until the work of their forces is given back. */
    void
    update_velocities(const Surface<dim> &surface,
                      ContactState<dim> &state) override;

    StepGaps<dim> *
    step_gaps() override
    {
      return &gaps;
    }

    std::vector<std::pair<std::string, double>>
    numbers() const override;

  private:
    /** Let the nodes be where the predictor has them. */
    void
    take_back(ContactState<dim> &state) const;

    /** Move and push the nodes by the multipliers of the projection. */
    void
    apply(ContactState<dim> &state) const;

    bool energy_restoration = false;
    StepGaps<dim> gaps;
  };
} // namespace Ricochet

#endif
