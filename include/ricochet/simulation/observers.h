// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_observers_h
#define ricochet_simulation_observers_h

#include <ricochet/base/parameter_file.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/run_view.h>

#include <deal.II/base/parameter_handler.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * All observers of a run: those that every run has, then those that 'Output/
   * Observers' names. Each member calls the same one of all observers, in this
   * order on all ranks. All members are collective.
   */
  template <int dim>
  class Observers
  {
  public:
    /** Declare the entries of the section 'Output', which the caller has
     * entered, with the user-named probes of @p file. */
    static void
    declare_parameters(dealii::ParameterHandler &prm,
                       const ParameterFile &file);

    /** Read the section that the caller has entered. Throws a UserError if
     * 'Observers' names one that there is not, or one twice. */
    void
    parse_parameters(dealii::ParameterHandler &prm, const ParameterFile &file);

    /** Before start(), and after each change of mesh, surface or bodies. */
    void
    prepare(const RunView<dim> &run);

    /** Before the first step; after a restart, after load(). */
    void
    start(RunView<dim> &run);

    /** Whether the next step, with the number @p step, should have energies. */
    bool
    wants_energies(const RunView<dim> &run, const unsigned long int step) const;

    /** After each step. */
    void
    record(RunView<dim> &run);

    /** Before a checkpoint. */
    void
    flush(const RunView<dim> &run);

    /** After the last step; @p before_summary is called before the last one,
     * the summary, which tells how long all the others took. */
    void
    finish(RunView<dim> &run, const std::function<void()> &before_summary);

    /** Into a checkpoint, each under its name. */
    void
    save(CheckpointData &data);

    /** From a checkpoint, for those that are there. */
    void
    load(const CheckpointData &data);

  private:
    struct Member
    {
      std::string name;
      std::unique_ptr<Observer<dim>> observer;
    };

    void
    add(const std::string &name)
    {
      members.push_back({name, Registry<Observer<dim>>::create(name)});
    }

    /** Call @p function for each member, and add what that takes to the times
     * of the run. */
    template <typename Function>
    void
    for_each(RunView<dim> &run, const Function &function);

    std::vector<Member> members;
  };
} // namespace Ricochet

#endif
