// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_observer_h
#define ricochet_output_observer_h

#include <ricochet/base/registry.h>
#include <ricochet/output/checkpoint_archive.h>
#include <ricochet/output/run_view.h>

#include <deal.II/base/parameter_handler.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Watches a run: writes a table, files for ParaView, a picture, a line on the
   * screen, or stops a run that goes wrong. It never changes the motion.
   *
   * The members are called on all ranks, for one observer after the other, in
   * the same order everywhere, so they may communicate and use
   * RunView::totals(); only flush() is for rank 0 alone. What throws must throw
   * on all ranks alike: write files in on_first_rank().
   *
   * Classes from outside are chosen by 'Observers' in the section 'Output' of
   * the parameter file; their entries are in a subsection of that with their
   * name. Those that belong to every run, and the order of all, are in
   * Observers; they have their entries in the section itself.
   *
   * Examples: examples/plugin_observer adds one from outside.
   */
  template <int dim>
  class Observer
  {
  public:
    virtual ~Observer() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "observer";
    }

    /** For classes that have no entries. */
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &)
    {}

    /**
     * Fit to mesh, surface and bodies: before start(), and each time that one
     * of them has changed. What does not depend on the numbers of nodes and
     * cells must survive, and so must what does if they are as before.
     */
    virtual void
    prepare(const RunView<dim> &)
    {}

    /** Before the first step; after a restart, with serialize() before. */
    virtual void
    start(const RunView<dim> &)
    {}

    /** Whether State::energies, and so RunView::totals(), are wanted at the end
     * of a step. Steps with RunView::row_is_due() have them in any case. */
    virtual bool
    wants_energies(const unsigned long int) const
    {
      return false;
    }

    /** After each step. */
    virtual void
    record(const RunView<dim> &)
    {}

    /** Make all files whole: before a checkpoint, before finish(), and before
     * the end by a signal. On rank 0 only. */
    virtual void
    flush()
    {}

    /** Names and numbers for the summary of the run. */
    virtual std::vector<std::pair<std::string, double>>
    numbers() const
    {
      return {};
    }

    /** After the last step, and its record(). */
    virtual void
    finish(const RunView<dim> &)
    {}

    /**
     * Save or restore what a restart needs. Not called if the checkpoint has
     * nothing of this observer, since the run did without it so far.
     */
    virtual void
    serialize(CheckpointArchive &)
    {}
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::Observer)

/** Make an observer available in parameter files. */
#define RICOCHET_REGISTER_OBSERVER(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::Observer, Class, name, description)

#endif
