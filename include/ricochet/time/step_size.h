// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_step_size_h
#define ricochet_time_step_size_h

#include <ricochet/body/solids.h>

#include <deal.II/base/parameter_handler.h>

#include <map>
#include <string>

namespace Ricochet
{
  /**
   * Chooses the length of each step: fixed, or a fraction of the stable one,
   * which is estimated from the cells in their current configuration at
   * regular intervals.
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
    next(const Solids<dim> &solids, const State &state, const double end_time);

    /** The longest step in which contact may act, at the last call of next().
     */
    double
    contact_step() const
    {
      return fixed > 0. ? fixed : contact_courant_number * stable;
    }

    /** Tell whether contact acted in the step that was taken. */
    void
    note_contact(const bool has_contact)
    {
      steps_since_contact = has_contact ? 0 : steps_since_contact + 1;
    }

    /** The last estimate of the stable step. */
    double
    stable_step() const
    {
      return stable;
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

    void
    load(const std::map<std::string, double> &scalars);

  private:
    double fixed                    = 0.;
    double courant_number           = 0.;
    double contact_courant_number   = 0.;
    unsigned int interval           = 1;
    double stable                   = 0.;
    unsigned long int next_estimate = 0;
    double last                     = 0.;

    /** Contact that paused for a moment is likely to come back. */
    static constexpr unsigned long int pause = 3;

    unsigned long int steps_since_contact = pause;
  };
} // namespace Ricochet

#endif
