// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/observer.h>

#include <deal.II/base/patterns.h>

#include <sstream>

namespace Ricochet
{
  /** Stops a run whose energy grows by more than anything can explain. */
  template <int dim>
  class GrowthGuard : public Observer<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Energy growth limit",
                        "0.5",
                        dealii::Patterns::Double(0.),
                        "The run stops when kinetic and internal energy minus "
                        "external work have grown by more than this part of "
                        "the largest energy supplied so far. Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      limit = prm.get_double("Energy growth limit");
    }

    void
    record(const RunView<dim> &run) override
    {
      if (!run.row_is_due())
        return;
      // Whatever contact did, and without the losses.
      const Totals &totals = run.totals();
      const double growth  = totals.shadow_kinetic_and_internal -
                            totals.external_work - run.start_energy();
      // Also if it is nan.
      if (run.energy_scale() > 0. && !(growth <= limit * run.energy_scale()))
        {
          std::ostringstream message;
          message << "Step " << run.state.step << ", time " << run.state.time
                  << ": the energy has grown by " << growth << ", more than "
                  << limit << " of what was there or supplied, "
                  << run.energy_scale()
                  << ". The run is unstable: choose a smaller 'Time step' or "
                     "'Courant number', or raise 'Output/Energy growth limit'.";
          throw RunError(message.str());
        }
    }

  private:
    double limit = 0.;
  };



  RICOCHET_REGISTER_OBSERVER(GrowthGuard,
                             "growth guard",
                             "Stops a run whose energy grows.")
} // namespace Ricochet
