// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/time/step_size.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <sstream>

namespace Ricochet
{
  template <int dim>
  void
  StepSize<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    using namespace dealii;
    prm.declare_entry("Time step",
                      "0",
                      Patterns::Double(0.),
                      "Length of all steps; 0 takes it from the Courant "
                      "number. Units: time.");
    prm.declare_entry("Courant number",
                      "0.8",
                      Patterns::Double(0.),
                      "Length of the steps relative to the stable one, which "
                      "follows the current shape and stiffness of the cells. "
                      "Units: None.");
    prm.declare_entry("Courant number in contact",
                      "0.4",
                      Patterns::Double(0., 1.),
                      "The same limit for steps in which contact acts. A step "
                      "that turns out to have contact is repeated with it. "
                      "Elastic impacts (restitution 1) gain energy above 0.5. "
                      "Units: None.");
    prm.declare_entry("Steps between estimates",
                      "20",
                      Patterns::Integer(1),
                      "How often the stable step is estimated anew. Units: "
                      "None.");
  }



  template <int dim>
  void
  StepSize<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    fixed          = prm.get_double("Time step");
    courant_number = prm.get_double("Courant number");
    contact_courant_number =
      std::min(courant_number, prm.get_double("Courant number in contact"));
    interval = prm.get_integer("Steps between estimates");
    require(fixed > 0. || (courant_number > 0. && courant_number <= 1.),
            "Time stepping: 'Courant number' is " + prm.get("Courant number") +
              ", but must be above 0 and at most 1, unless 'Time step' is "
              "given.");
    require(fixed > 0. || contact_courant_number > 0.,
            "Time stepping: 'Courant number in contact' must be above 0.");
  }



  template <int dim>
  double
  StepSize<dim>::next(const Solids<dim> &solids,
                      const State &state,
                      const double end_time)
  {
    if (state.step >= next_estimate)
      {
        stable        = solids.stable_time_step(state);
        next_estimate = state.step + interval;
      }
    if (fixed > stable)
      {
        std::ostringstream message;
        message << "Time stepping: 'Time step' is " << fixed << ", but at time "
                << state.time << " steps above the stable one, " << stable
                << ", are unstable. Choose a smaller step, or set 'Time step "
                   "= 0' and a Courant number.";
        throw RunError(message.str());
      }
    const bool in_contact = steps_since_contact < pause;
    last                  = fixed > 0.   ? fixed
                            : in_contact ? contact_step()
                                         : courant_number * stable;
    if (!(end_time + last > end_time))
      {
        std::ostringstream message;
        message << "Time stepping: with steps of " << last
                << " the time stands still before the 'End time', " << end_time
                << ", is reached. Choose a larger 'Time step' or 'Courant "
                   "number'.";
        throw RunError(message.str());
      }
    // A remainder of round-off belongs to the last step.
    const double remaining = end_time - state.time;
    if (remaining < last * (1. - 1e-6))
      return remaining;
    return last;
  }



  template <int dim>
  void
  StepSize<dim>::save(std::map<std::string, double> &scalars) const
  {
    scalars["stable step"]         = stable;
    scalars["next estimate"]       = next_estimate;
    scalars["last step"]           = last;
    scalars["steps since contact"] = steps_since_contact;
  }



  template <int dim>
  void
  StepSize<dim>::load(const std::map<std::string, double> &scalars)
  {
    stable        = scalars.at("stable step");
    next_estimate = static_cast<unsigned long int>(scalars.at("next estimate"));
    last          = scalars.at("last step");
    steps_since_contact =
      static_cast<unsigned long int>(scalars.at("steps since contact"));
  }



  template class StepSize<2>;
  template class StepSize<3>;
} // namespace Ricochet
