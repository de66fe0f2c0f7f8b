// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_step_size_h
#define ricochet_time_step_size_h

#include <ricochet/body/solids.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace Ricochet
{
  /**
   * Chooses the length of each step: fixed, or a fraction of the integrator's
   * stable one, which is estimated from the cells in their current
   * configuration at regular intervals. Where all steps are stable, it begins
   * with the given one and follows what the equations allow.
   *
   * Explicit Newmark conserves an energy that depends on the step (Balance), so
   * the step changes as seldom as can be: it is shortened when it has become
   * too long, and grows, slowly, when it has become much too short.
   */
  template <int dim>
  class StepSize
  {
  public:
    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read the section that the caller has entered. */
    void
    parse_parameters(dealii::ParameterHandler &prm);

    /**
     * The next step, not beyond @p end_time. Collective. Throws a RunError when
     * a fixed step is above the stable one.
     */
    double
    next(const TimeIntegrator<dim> &integrator,
         const Solids<dim> &solids,
         const State &state,
         const double end_time);

    /** Tell that bodies can touch, so that the limit for contact holds. */
    void
    expect_contact()
    {
      courant_number = std::min(courant_number, contact_courant_number);
    }

    /** Learn from a step: after one that had to be cut, the stable step is
     * estimated anew; those of implicit integrators stay as short, and grow
     * again where the equations are solved easily. */
    void
    learn(const StepTaken &taken);

    /** The length of steps, but for what it takes to meet the end time. */
    double
    regular_step() const
    {
      return length;
    }

    /** The last estimate of the stable step that had consequences: later ones
     * are within 10 % of it. */
    double
    stable_step() const
    {
      return stable;
    }

    /** Whether there is one: implicit steps have none, nor have bodies without
     * cells. */
    bool
    has_stable_step() const
    {
      return stable < std::numeric_limits<double>::max();
    }

    /** Whether the step that next() gave leads to @p end_time. */
    bool
    is_last(const State &state, const double end_time) const
    {
      return end_time - state.time <= last * (1. + 1e-6);
    }

    /** Whether nothing but round-off is left until @p end_time. */
    bool
    is_finished(const State &state, const double end_time) const
    {
      return end_time - state.time <= 1e-6 * last;
    }

    /** What a restart needs to choose the same steps. */
    void
    save(std::map<std::string, double> &scalars) const;

    /** Take up what save() stored. */
    void
    load(const std::map<std::string, double> &scalars);

  private:
    /** The interval, or less if the new estimate is shorter than the last. */
    unsigned int
    steps_until_estimate(const State &state, const double estimate) const;

    /** The estimates that change nothing, so that what they are is of no
     * interest; empty if there are none. */
    StepRange
    range_without_consequences() const;

    /** How long steps may have become, relative to the stable one. */
    double
    longest_part() const;

    /** Stop the run. */
    void
    refuse_crushed_cells(const Solids<dim> &solids, const State &state) const;

    /** Adapt the length to the last estimate. */
    void
    follow_stable_step();

    /** Let a whole number of steps of one length lead to @p end_time. */
    double
    until(const double end_time, const double time) const;

    double fixed                    = 0.;
    double largest                  = 0.; // of implicit integrators
    double courant_number           = 0.;
    double contact_courant_number   = 1.;
    unsigned int interval           = 1;
    double least_stable             = 0.;
    double stable                   = 0.;
    double first_stable             = 0.;
    unsigned long int next_estimate = 0;
    unsigned long int last_estimate = 0;
    double length                   = 0.;
    bool is_growing                 = false;
    double last                     = 0.;
  };
} // namespace Ricochet

#endif
