// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/time/step_size.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** How much longer than wanted a step may become, and how much shorter
     * before it grows, by this factor in each step. */
    constexpr double longest = 1.05, shortest = 0.8, growth = 1.01;

    /** Whatever it is, no step may be closer to the stable one. */
    constexpr double largest_courant_number = 0.98;

    /** How much shorter the stable step may have become between estimates. */
    constexpr double noticed_change = 0.1;

    /** How implicit steps grow after one that took at most so many iterations.
     */
    constexpr double implicit_growth     = 1.25;
    constexpr unsigned int easily_solved = 8;

    /** A remainder of round-off, relative to a step. */
    constexpr double no_step = 1e-6;
  } // namespace



  template <int dim>
  void
  StepSize<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    using namespace dealii;
    prm.declare_entry("Time step",
                      "0",
                      Patterns::Double(0.),
                      "Length of all steps; 0 takes it from the Courant "
                      "number, which implicit integrators do not have. Theirs "
                      "is shortened where the equations of a step are not "
                      "solved, and grows again. Units: time.");
    prm.declare_entry(
      "Largest time step",
      "0",
      Patterns::Double(0.),
      "Of implicit integrators: steps may grow from 'Time step' "
      "to this; 0 is 'Time step'. Units: time.");
    prm.declare_entry("Courant number",
                      "0.5",
                      Patterns::Double(0.),
                      "Length of the steps relative to the stable one, which "
                      "follows the current shape and stiffness of the cells. "
                      "Kinetic and internal energy of vibrations fluctuate by "
                      "the square of their period's Courant number. Units: "
                      "None.");
    prm.declare_entry("Courant number in contact",
                      "0.5",
                      Patterns::Double(0., 1.),
                      "A second limit of the Courant number where bodies can "
                      "touch, for all steps, since to change them changes the "
                      "energy of vibrations. Contact itself needs none; but "
                      "impacts excite the shortest waves, and bodies that "
                      "become stiffer when they are compressed gain energy "
                      "from these above 0.5. Units: None.");
    prm.declare_entry("Steps between estimates",
                      "20",
                      Patterns::Integer(1),
                      "How often the stable step is estimated anew; more often "
                      "while it falls. Units: None.");
    prm.declare_entry("Least stable step",
                      "0.01",
                      Patterns::Double(0., 1.),
                      "The run stops when the stable step has fallen to this "
                      "part of the first one: cells are crushed then, and what "
                      "follows has no meaning. Units: None.");
  }



  template <int dim>
  void
  StepSize<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    fixed   = prm.get_double("Time step");
    largest = prm.get_double("Largest time step");
    require(largest == 0. || largest >= fixed,
            "Time stepping: 'Largest time step' is " +
              prm.get("Largest time step") + ", below the 'Time step', " +
              prm.get("Time step") + ". Choose a larger one, or leave it out.");
    largest                = std::max(fixed, largest);
    courant_number         = prm.get_double("Courant number");
    contact_courant_number = prm.get_double("Courant number in contact");
    interval               = prm.get_integer("Steps between estimates");
    least_stable           = prm.get_double("Least stable step");
    require(fixed > 0. || (courant_number > 0. && courant_number <= 1.),
            "Time stepping: 'Courant number' is " + prm.get("Courant number") +
              ", but must be above 0 and at most 1, unless 'Time step' is "
              "given.");
    require(fixed > 0. || contact_courant_number > 0.,
            "Time stepping: 'Courant number in contact' must be above 0.");
  }



  template <int dim>
  double
  StepSize<dim>::next(const TimeIntegrator<dim> &integrator,
                      const Solids<dim> &solids,
                      const State &state,
                      const double end_time)
  {
    if (state.step >= next_estimate)
      {
        const StepRange keeps = range_without_consequences();
        const double estimate =
          integrator.stable_step_unless(solids, state, keeps);
        const bool is_news = !keeps.contains(estimate);
        next_estimate =
          state.step +
          (is_news ? steps_until_estimate(state, estimate) : interval);
        last_estimate = state.step;
        if (is_news)
          stable = estimate;
        if (first_stable == 0.)
          first_stable = stable;
        if (stable < least_stable * first_stable)
          refuse_crushed_cells(solids, state);
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
    require(fixed > 0. || std::isfinite(stable),
            "Time stepping: any step is stable with this integrator, so 'Time "
            "step' must say how long they are. Set it above 0.");
    require(fixed > 0. || solids.n_deformable_bodies() > 0,
            "Time stepping: all bodies are rigid, so no step is too long to be "
            "stable, and 'Time step' must say how long they are. Set it above "
            "0, such that no body turns by more than a tenth of a turn in a "
            "step.");
    require(largest <= fixed || !std::isfinite(stable),
            "Time stepping: the steps of this integrator follow the stable one "
            "and do not grow to a 'Largest time step'. Leave it out, or choose "
            "an implicit 'Integrator'.");
    follow_stable_step();
    if (!(end_time + length > end_time))
      {
        std::ostringstream message;
        message << "Time stepping: with steps of " << length
                << " the time stands still before the 'End time', " << end_time
                << ", is reached. Choose a larger 'Time step' or 'Courant "
                   "number'.";
        throw RunError(message.str());
      }
    last = until(end_time, state.time);
    return last;
  }



  template <int dim>
  void
  StepSize<dim>::refuse_crushed_cells(const Solids<dim> &solids,
                                      const State &state) const
  {
    std::ostringstream message;
    message
      << " is crushed: at time " << state.time
      << " the stable step has fallen to " << stable << " from " << first_stable
      << ". The body is too soft or too fast for its mesh, or has no room "
         "between others: look at its velocity, loads and units, use "
         "finer cells, or set 'Time stepping/Least stable step' to 0.";
    solids.throw_at_stiffest_cell(state, message.str());
  }



  template <int dim>
  unsigned int
  StepSize<dim>::steps_until_estimate(const State &state,
                                      const double estimate) const
  {
    const double change = stable > 0. ? 1. - estimate / stable : 0.;
    if (!(change > noticed_change))
      return interval;
    const double n = (state.step - last_estimate) * noticed_change / change;
    return std::clamp<double>(n, 1., interval);
  }



  template <int dim>
  StepRange
  StepSize<dim>::range_without_consequences() const
  {
    // It must not matter for what follows whether an estimate in the range was
    // exact: a run that goes on from a checkpoint has other ones.
    if (!(stable > 0.) || !std::isfinite(stable) || is_growing)
      return {};
    StepRange range;
    range.least =
      std::max((1. - noticed_change) * stable, least_stable * first_stable);
    range.most = (1. + noticed_change) * stable;
    if (fixed > 0.)
      range.least = std::max(range.least, fixed);
    else
      {
        // Steps are neither shortened nor do they begin to grow.
        range.least = std::max(range.least, length / longest_part());
        range.most = std::min(range.most, length / (shortest * courant_number));
      }
    return range;
  }



  template <int dim>
  double
  StepSize<dim>::longest_part() const
  {
    return std::min(longest * courant_number,
                    std::max(courant_number, largest_courant_number));
  }



  template <int dim>
  void
  StepSize<dim>::follow_stable_step()
  {
    if (fixed > 0.)
      {
        if (length == 0. || std::isfinite(stable))
          length = fixed;
        return;
      }
    const double wanted = courant_number * stable;
    if (length == 0. || length > longest_part() * stable)
      {
        length     = wanted;
        is_growing = false;
      }
    is_growing = length < wanted && (is_growing || length < shortest * wanted);
    if (is_growing)
      length = std::min(wanted, growth * length);
  }



  template <int dim>
  void
  StepSize<dim>::learn(const StepTaken &taken)
  {
    if (taken.cuts.total() > 0)
      next_estimate = 0;
    if (std::isfinite(stable))
      return;
    if (taken.cuts.total() > 0)
      length = taken.dt;
    else if (taken.n_iterations <= easily_solved)
      length = std::min(largest, implicit_growth * length);
  }



  template <int dim>
  double
  StepSize<dim>::until(const double end_time, const double time) const
  {
    const double remaining = end_time - time;
    const double n_exact   = remaining / length;
    const double n         = std::ceil(n_exact - no_step);
    // A given step is kept as long as possible.
    if (n - n_exact <= no_step || (fixed > 0. && n > 2.))
      return length;
    // The same to the last bit until something changes.
    const double n_before = remaining / last;
    if (std::round(n_before) == n && std::abs(n_before - n) <= no_step)
      return last;
    return remaining / n;
  }



  template <int dim>
  void
  StepSize<dim>::save(std::map<std::string, double> &scalars) const
  {
    scalars["stable step"]       = stable;
    scalars["first stable step"] = first_stable;
    scalars["next estimate"]     = next_estimate;
    scalars["last estimate"]     = last_estimate;
    scalars["regular step"]      = length;
    scalars["step grows"]        = is_growing;
    scalars["last step"]         = last;
  }



  template <int dim>
  void
  StepSize<dim>::load(const std::map<std::string, double> &scalars)
  {
    stable        = scalars.at("stable step");
    first_stable  = scalars.at("first stable step");
    next_estimate = static_cast<unsigned long int>(scalars.at("next estimate"));
    last_estimate = static_cast<unsigned long int>(scalars.at("last estimate"));
    length        = scalars.at("regular step");
    is_growing    = scalars.at("step grows") != 0.;
    last          = scalars.at("last step");
  }



  template class StepSize<2>;
  template class StepSize<3>;
} // namespace Ricochet
