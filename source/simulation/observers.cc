// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/body/probe.h>
#include <ricochet/simulation/observers.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <array>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    const char *const pictures_name = "pictures", *const summary_name =
                                                    "summary";

    /**
     * The observers of every run. What stops a run comes after the tables,
     * which show why; the summary after all that it tells of.
     */
    const std::array<const char *, 13> of_every_run = {{"history",
                                                        "bodies",
                                                        "probes",
                                                        "obstacles",
                                                        "contact forces",
                                                        "reactions",
                                                        "growth guard",
                                                        "intersection check",
                                                        "progress",
                                                        "ParaView solution",
                                                        "ParaView contact",
                                                        pictures_name,
                                                        summary_name}};

    bool
    is_of_every_run(const std::string &name)
    {
      return std::find(of_every_run.begin(), of_every_run.end(), name) !=
             of_every_run.end();
    }



    /** Names of the observers that a run has only if it asks for them. */
    template <int dim>
    std::vector<std::string>
    names_to_choose()
    {
      std::vector<std::string> names;
      for (const auto &entry : Registry<Observer<dim>>::entries())
        if (!is_of_every_run(entry.first))
          names.push_back(entry.first);
      return names;
    }
  } // namespace



  template <int dim>
  void
  Observers<dim>::declare_parameters(ParameterHandler &prm,
                                     const ParameterFile &file)
  {
    const auto &entries = Registry<Observer<dim>>::entries();
    std::string choices;
    for (const auto &name : names_to_choose<dim>())
      choices += "\n" + name + ": " + entries.at(name).description;
    prm.declare_entry("Observers",
                      "",
                      Patterns::List(Patterns::Anything()),
                      "Names of observers that watch the run beside those "
                      "that every run has, separated by commas; their entries "
                      "are in subsections of their names. There is " +
                        (choices.empty() ? "none." : "a choice of:" + choices) +
                        "\nUnits: None.");
    for (const char *const name : of_every_run)
      entries.at(name).declare_parameters(prm);
    for (const auto &name : names_to_choose<dim>())
      {
        prm.enter_subsection(name);
        entries.at(name).declare_parameters(prm);
        prm.leave_subsection();
      }
    prm.enter_subsection("Probes");
    for (const auto &name : file.subsections({"Output", "Probes"}))
      {
        prm.enter_subsection(name);
        Probe<dim>::declare_parameters(prm);
        prm.leave_subsection();
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  Observers<dim>::parse_parameters(ParameterHandler &prm,
                                   const ParameterFile &file)
  {
    for (const char *const name : of_every_run)
      {
        add(name);
        members.back().observer->parse_parameters(prm);
      }
    for (const auto &name : Utilities::split_string_list(prm.get("Observers")))
      {
        const std::string where =
          file.where({"Output"}, "Observers") + ": 'Output/Observers': ";
        require(!is_of_every_run(name),
                where + "every run has '" + name + "'. Leave it out.");
        require(std::none_of(members.begin(),
                             members.end(),
                             [&](const Member &other) {
                               return other.name == name;
                             }),
                where + "'" + name + "' is there twice. Leave one out.");
        const auto choices = names_to_choose<dim>();
        std::string known;
        for (const auto &choice : choices)
          known += (known.empty() ? "Known: '" : "', '") + choice;
        require(std::find(choices.begin(), choices.end(), name) !=
                  choices.end(),
                where + "there is no observer called '" + name + "'. " +
                  (known.empty()
                     ? "This program has none to choose; link one to it, see "
                       "examples/plugin_observer."
                     : known + "'."));
        add(name);
        prm.enter_subsection(name);
        members.back().observer->parse_parameters(prm);
        prm.leave_subsection();
      }
  }



  template <int dim>
  void
  Observers<dim>::prepare(const RunView<dim> &run)
  {
    for (auto &member : members)
      member.observer->prepare(run);
  }



  template <int dim>
  template <typename Function>
  void
  Observers<dim>::for_each(RunView<dim> &run, const Function &function)
  {
    for (Member &member : members)
      {
        const Stopwatch watch(member.name == pictures_name ? run.times.pictures
                                                           : run.times.output);
        function(member);
      }
  }



  template <int dim>
  void
  Observers<dim>::start(RunView<dim> &run)
  {
    run.begin();
    for_each(run, [&run](Member &member) { member.observer->start(run); });
  }



  template <int dim>
  bool
  Observers<dim>::wants_energies(const RunView<dim> &run,
                                 const unsigned long int step) const
  {
    return run.has_row(step) ||
           std::any_of(members.begin(), members.end(), [&](const auto &member) {
             return member.observer->wants_energies(step);
           });
  }



  template <int dim>
  void
  Observers<dim>::record(RunView<dim> &run)
  {
    for_each(run, [&run](Member &member) { member.observer->record(run); });
  }



  template <int dim>
  void
  Observers<dim>::flush(const RunView<dim> &run)
  {
    on_first_rank(run.communicator(), [&]() {
      for (auto &member : members)
        member.observer->flush();
    });
  }



  template <int dim>
  void
  Observers<dim>::finish(RunView<dim> &run,
                         const std::function<void()> &before_summary)
  {
    {
      const Stopwatch watch(run.times.output);
      flush(run);
    }
    for (const auto &member : members)
      for (const auto &number : member.observer->numbers())
        run.numbers.push_back(number);
    Observer<dim> *summary = nullptr;
    for_each(run, [&](Member &member) {
      if (member.name == summary_name)
        summary = member.observer.get();
      else
        member.observer->finish(run);
    });
    before_summary();
    if (summary != nullptr)
      summary->finish(run);
  }



  template <int dim>
  void
  Observers<dim>::save(CheckpointData &data)
  {
    for (auto &member : members)
      {
        CheckpointArchive archive(data, member.name);
        member.observer->serialize(archive);
      }
  }



  template <int dim>
  void
  Observers<dim>::load(const CheckpointData &data)
  {
    for (auto &member : members)
      {
        CheckpointArchive archive(data, member.name);
        if (archive.has_values())
          member.observer->serialize(archive);
      }
  }



  template class Observers<2>;
  template class Observers<3>;
} // namespace Ricochet
