// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/body/global_history.h>
#include <ricochet/simulation/simulation.h>

#include <filesystem>

// What a simulation saves, and how it goes on from there.

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Names in checkpoints: of the pairs of bodies that still overlap, and of
     * the impulses of supports, by forest. */
    const std::string ignored_overlaps = "ignored overlaps",
                      support_impulses = "support impulses ";

    /** Name of the number of the InstructionSet that the run used. */
    const std::string instruction_set = "instruction set";

    /** Numbers that each rank has a share of. */
    constexpr unsigned int n_shares = 5;

    /** A time of round-off, relative to a step. */
    constexpr double no_step = 1e-6;



    /** The whole vector on all ranks, in the order of the degrees of freedom.
     */
    std::vector<double>
    gather(const LinearAlgebra::distributed::Vector<double> &vector)
    {
      // Adding this zero changes no number, not even the sign of a zero.
      std::vector<double> values(vector.size(), -0.);
      for (const auto i : vector.locally_owned_elements())
        values[i] = vector(i);
      Utilities::MPI::sum(values, vector.get_mpi_communicator(), values);
      return values;
    }



    void
    scatter(const std::vector<double> &values,
            LinearAlgebra::distributed::Vector<double> &vector)
    {
      require(values.size() == vector.size(),
              "The checkpoint belongs to another mesh. Restart with the "
              "parameter file that it was made with.");
      for (const auto i : vector.locally_owned_elements())
        vector(i) = values[i];
      vector.update_ghost_values();
    }



    /** All vectors of a state with their names in checkpoints. */
    std::vector<std::pair<std::string, ForestVectors *>>
    named_vectors(State &state)
    {
      return {{"positions", &state.positions},
              {"velocities", &state.velocities},
              {"accelerations", &state.accelerations},
              {"internal forces", &state.internal_forces},
              {"external forces", &state.external_forces}};
    }



    /** What to tell if the run used another instruction set until now. */
    std::string
    warning_of_other_instructions(const CheckpointData &data)
    {
      const auto number = data.scalars.find(instruction_set);
      if (number == data.scalars.end())
        return "";
      const std::string before =
        name_of(static_cast<InstructionSet>(static_cast<int>(number->second)));
      const std::string now = name_of(preferred_instruction_set());
      if (before == now)
        return "";
      return "this run used the instruction set " + before +
             " and goes on with " + now +
             ", so its motion may differ by round-off from that of a run "
             "without a break. With RICOCHET_SIMD=" +
             before +
             " in the environment it does not, on processors that have that "
             "set.";
    }
  } // namespace



  template <int dim>
  CheckpointData
  Simulation<dim>::save()
  {
    CheckpointData data;
    data.step                       = state.step;
    data.time                       = state.time;
    data.scalars["time excess"]     = state.time_excess;
    data.vectors["contact debts"]   = contact.get_state().debts;
    data.scalars["last step taken"] = balance.last_step;
    data.scalars[instruction_set] =
      static_cast<double>(preferred_instruction_set());
    step_size.save(data.scalars);
    recorder->save(data);
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        data.vectors[name + " " + std::to_string(p)] = gather((*vectors)[p]);
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      data.vectors["history " + std::to_string(p)] =
        gather_history(*solids, state, p);

    std::vector<double> share{balance.external_work, balance.contact_work};
    std::vector<double> losses{balance.restitution_loss, balance.friction_loss};
    for (unsigned int d = 0; d < 3; ++d)
      {
        share.push_back(balance.external_angular_momentum[d]);
        losses.push_back(balance.contact_angular_momentum[d]);
      }
    data.vectors["losses"] = losses;
    for (const auto &one : Utilities::MPI::all_gather(communicator, share))
      data.vectors["shares"].insert(data.vectors["shares"].end(),
                                    one.begin(),
                                    one.end());
    for (unsigned int p = 0; p < balance.support_impulses.size(); ++p)
      {
        auto values = state.positions[p];
        std::copy(balance.support_impulses[p].begin(),
                  balance.support_impulses[p].end(),
                  values.begin());
        data.vectors[support_impulses + std::to_string(p)] = gather(values);
      }
    for (const auto &bodies : contact.ignored_overlaps())
      for (const unsigned int body : bodies)
        data.vectors[ignored_overlaps].push_back(body);
    return data;
  }



  template <int dim>
  void
  Simulation<dim>::load(const CheckpointData &data)
  {
    const std::string warning = warning_of_other_instructions(data);
    if (!warning.empty())
      say("Warning: " + warning);
    state.step        = data.step;
    state.time        = data.time;
    state.time_excess = data.scalars.at("time excess");
    contact.set_debts(data.vectors.at("contact debts"));
    balance.last_step = data.scalars.at("last step taken");
    step_size.load(data.scalars);
    // First what tells whether the mesh is the same.
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        scatter(data.vectors.at(name + " " + std::to_string(p)), (*vectors)[p]);
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const auto history = data.vectors.find("history " + std::to_string(p));
        scatter_history(history == data.vectors.end() ? std::vector<double>()
                                                      : history->second,
                        *solids,
                        p,
                        state);
      }
    recorder->load(data);

    load_balance(data);
    const auto ignored = data.vectors.find(ignored_overlaps);
    if (ignored == data.vectors.end())
      return;
    std::vector<BodyPair> pairs;
    for (unsigned int k = 0; k + 1 < ignored->second.size(); k += 2)
      pairs.push_back({{static_cast<unsigned int>(ignored->second[k]),
                        static_cast<unsigned int>(ignored->second[k + 1])}});
    contact.ignore_overlaps(pairs);
  }



  template <int dim>
  void
  Simulation<dim>::load_balance(const CheckpointData &data)
  {
    const std::vector<double> &losses = data.vectors.at("losses");
    balance.restitution_loss          = losses[0];
    balance.friction_loss             = losses[1];
    for (unsigned int d = 0; d < 3; ++d)
      balance.contact_angular_momentum[d] = losses[2 + d];

    // Each rank goes on with its share; with another number of ranks, the first
    // one has all.
    const std::vector<double> &shares = data.vectors.at("shares");
    const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
    const bool is_same =
      shares.size() == n_shares * Utilities::MPI::n_mpi_processes(communicator);
    std::vector<double> share(n_shares, 0.);
    for (unsigned int k = 0; k < shares.size(); ++k)
      if ((is_same ? k / n_shares : 0) == rank)
        share[k % n_shares] += shares[k];
    balance.external_work = share[0];
    balance.contact_work  = share[1];
    for (unsigned int d = 0; d < 3; ++d)
      balance.external_angular_momentum[d] = share[2 + d];

    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const auto impulses =
          data.vectors.find(support_impulses + std::to_string(p));
        if (impulses == data.vectors.end())
          continue;
        auto values = state.positions[p];
        scatter(impulses->second, values);
        balance.support_impulses.resize(solids->n_forests());
        balance.support_impulses[p].assign(values.begin(),
                                           values.begin() +
                                             values.locally_owned_size());
      }
  }



  template <int dim>
  bool
  Simulation<dim>::is_complete(const CheckpointData &data) const
  {
    const double rest = end_time - data.time;
    const double step = data.scalars.at("last step");
    require(rest > -no_step * step,
            file.where({}, "End time") + ": the run in '" + output_name +
              "' has reached the time " + std::to_string(data.time) +
              " already. Set 'End time' above it to go on.");
    return rest <= no_step * step;
  }



  template <int dim>
  void
  Simulation<dim>::check_same_model(const OutputDirectory &directory)
  {
    on_first_rank(communicator, [&]() {
      const std::string name = directory.file("parameters.prm");
      if (!std::filesystem::exists(name))
        return;
      const ParameterFile now = ParameterFile::all_entries(prm);
      const ParameterFile before(name, {});
      for (const char *const section : {"Bodies", "Obstacles", "Mass"})
        {
          const std::string difference = now.difference(before, section);
          require(difference.empty(),
                  "Cannot continue the run in '" + directory.name() +
                    "': " + difference +
                    ". Restart with the model of that run, or start a new run "
                    "without --restart.");
        }
    });
  }



  template CheckpointData
  Simulation<2>::save();
  template CheckpointData
  Simulation<3>::save();
  template void
  Simulation<2>::load(const CheckpointData &);
  template void
  Simulation<3>::load(const CheckpointData &);
  template bool
  Simulation<2>::is_complete(const CheckpointData &) const;
  template bool
  Simulation<3>::is_complete(const CheckpointData &) const;
  template void
  Simulation<2>::check_same_model(const OutputDirectory &);
  template void
  Simulation<3>::check_same_model(const OutputDirectory &);
} // namespace Ricochet
