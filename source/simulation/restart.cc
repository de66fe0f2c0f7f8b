// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/body/global_history.h>
#include <ricochet/simulation/simulation.h>

#include <algorithm>
#include <array>
#include <filesystem>

// What a simulation saves, and how it goes on from there.

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Name of the number of the InstructionSet that the run used. */
    const std::string instruction_set = "instruction set";

    /** A time of round-off, relative to a step. */
    constexpr double no_step = 1e-6;



    using Vector = LinearAlgebra::distributed::Vector<double>;



    /** This rank's piece of a vector. */
    DistributedNumbers
    own_values(const Vector &vector)
    {
      return {vector.size(),
              vector.get_partitioner()->local_range().first,
              {vector.begin(), vector.begin() + vector.locally_owned_size()}};
    }



    void
    set_values(const std::vector<double> &values, Vector &vector)
    {
      AssertDimension(values.size(), vector.locally_owned_size());
      std::copy(values.begin(), values.end(), vector.begin());
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



    /** What a checkpoint calls a vector of one forest. */
    std::string
    of_forest(const std::string &name, const unsigned int p)
    {
      return name + " " + std::to_string(p);
    }



    const std::string history          = "history";
    const std::string support_impulses = "support impulses";



    /** Save or restore a value that is the sum of what all ranks have. Each one
     * goes on with its share; with another number of ranks, the first one has
     * all. Collective. */
    template <typename Value>
    void
    serialize_share(CheckpointArchive &archive,
                    const std::string &name,
                    const MPI_Comm communicator,
                    Value &share)
    {
      std::vector<Value> shares;
      if (!archive.is_loading())
        shares = Utilities::MPI::all_gather(communicator, share);
      archive(name + ", by rank", shares);
      if (!archive.is_loading())
        return;
      const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
      if (shares.size() == Utilities::MPI::n_mpi_processes(communicator))
        share = shares[rank];
      else
        {
          share = Value();
          if (rank == 0)
            for (const Value &one : shares)
              share += one;
        }
    }



    /** What changes of the motion of a rigid body. */
    using MotionNumbers = std::array<double, 16>;

    std::vector<MotionNumbers>
    numbers_of(const std::vector<RigidMotion> &motions)
    {
      std::vector<MotionNumbers> result;
      for (const RigidMotion &motion : motions)
        {
          const auto &q = motion.orientation;
          MotionNumbers numbers{{q.R_component_1(),
                                 q.R_component_2(),
                                 q.R_component_3(),
                                 q.R_component_4()}};
          for (unsigned int d = 0; d < 3; ++d)
            {
              numbers[4 + d]  = motion.centre[d];
              numbers[7 + d]  = motion.velocity[d];
              numbers[10 + d] = motion.angular_momentum[d];
              numbers[13 + d] = motion.held_angular_velocity[d];
            }
          result.push_back(numbers);
        }
      return result;
    }

    void
    set_numbers(const std::vector<MotionNumbers> &numbers,
                std::vector<RigidMotion> &motions)
    {
      require(
        numbers.size() == motions.size(),
        "The checkpoint belongs to a run with other rigid bodies. Restart "
        "with the parameter file that it was made with.");
      for (unsigned int k = 0; k < motions.size(); ++k)
        {
          const MotionNumbers &from = numbers[k];
          motions[k].orientation =
            boost::math::quaternion<double>(from[0], from[1], from[2], from[3]);
          for (unsigned int d = 0; d < 3; ++d)
            {
              motions[k].centre[d]                = from[4 + d];
              motions[k].velocity[d]              = from[7 + d];
              motions[k].angular_momentum[d]      = from[10 + d];
              motions[k].held_angular_velocity[d] = from[13 + d];
            }
        }
    }
  } // namespace



  template <int dim>
  void
  Simulation<dim>::serialize(CheckpointArchive &archive)
  {
    archive("time excess", state.time_excess);
    archive("length of the last step", balance.last_step);
    archive("restitution loss", balance.restitution_loss);
    archive("friction loss", balance.friction_loss);
    archive("angular momentum by contact", balance.contact_angular_momentum);
    serialize_share(archive,
                    "external work",
                    communicator,
                    balance.external_work);
    serialize_share(archive,
                    "contact work",
                    communicator,
                    balance.contact_work);
    serialize_share(archive,
                    "external angular momentum",
                    communicator,
                    balance.external_angular_momentum);

    if (!state.rigid_motions.empty())
      {
        auto motions = numbers_of(state.rigid_motions);
        archive("motions of rigid bodies", motions);
        if (archive.is_loading())
          set_numbers(motions, state.rigid_motions);
      }

    Contact<dim> &contact = model.get_contact();
    auto debts            = contact.get_state().debts;
    auto ignored          = contact.ignored_overlaps();
    auto memory           = contact.memory();
    archive("debts of contact", debts);
    archive("ignored overlaps", ignored);
    archive("memory of contact", memory);
    if (archive.is_loading())
      {
        contact.set_debts(debts);
        contact.ignore_overlaps(ignored);
        contact.set_memory(memory);
      }
  }



  template <int dim>
  CheckpointData
  Simulation<dim>::save()
  {
    CheckpointData data;
    data.step = state.step;
    data.time = state.time;
    data.scalars[instruction_set] =
      static_cast<double>(preferred_instruction_set());
    step_size.save(data.scalars);
    CheckpointArchive run(data, "run"), start(data, "start of the run");
    serialize(run);
    view->serialize(start);
    observers.save(data);
    data.distributed = own_pieces();
    for (unsigned int p = 0; p < balance.support_impulses.size(); ++p)
      {
        auto &impulses  = data.distributed[of_forest(support_impulses, p)];
        impulses        = own_values(state.positions[p]);
        impulses.values = balance.support_impulses[p];
      }
    return data;
  }



  template <int dim>
  std::map<std::string, DistributedNumbers>
  Simulation<dim>::own_pieces()
  {
    std::map<std::string, DistributedNumbers> pieces;
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        pieces[of_forest(name, p)] = own_values((*vectors)[p]);
    for (unsigned int p = 0; p < model.get_solids().n_forests(); ++p)
      pieces[of_forest(history, p)] = own_history(model.get_solids(), state, p);
    return pieces;
  }



  template <int dim>
  void
  Simulation<dim>::load_pieces(const CheckpointData &data)
  {
    const Solids<dim> &solids = model.get_solids();
    // The model tells which pieces this rank needs.
    auto pieces = own_pieces();
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      if (data.distributed.count(of_forest(support_impulses, p)) > 0)
        pieces[of_forest(support_impulses, p)] = own_values(state.positions[p]);
    for (const auto &[name, piece] : pieces)
      {
        const auto saved = data.distributed.find(name);
        require(saved != data.distributed.end() &&
                  saved->second.size == piece.size,
                "The checkpoint belongs to another mesh, or to other "
                "materials. Restart with the parameter file that it was made "
                "with.");
      }
    checkpoint->read_pieces(pieces);

    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        set_values(pieces.at(of_forest(name, p)).values, (*vectors)[p]);
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        set_history(pieces.at(of_forest(history, p)).values, solids, p, state);
        const auto impulses = pieces.find(of_forest(support_impulses, p));
        if (impulses == pieces.end())
          continue;
        balance.support_impulses.resize(solids.n_forests());
        balance.support_impulses[p] = impulses->second.values;
      }
  }



  template <int dim>
  void
  Simulation<dim>::load(const CheckpointData &data)
  {
    const std::string warning = warning_of_other_instructions(data);
    if (!warning.empty())
      say("Warning: " + warning);
    // First what tells whether the mesh is the same.
    load_pieces(data);
    state.step = data.step;
    state.time = data.time;
    step_size.load(data.scalars);
    CheckpointArchive run(data, "run"), start(data, "start of the run");
    serialize(run);
    model.get_solids().sum_forces_on_regions(state);
    view->serialize(start);
    observers.load(data);
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



  template <int dim>
  void
  Simulation<dim>::write_checkpoint()
  {
    const Stopwatch watch(view->times.checkpoints);
    observers.flush(*view);
    checkpoint->write(save());
  }



  template <int dim>
  bool
  Simulation<dim>::checkpoint_is_due()
  {
    const bool due = Utilities::MPI::broadcast(communicator,
                                               checkpoint_period > 0. &&
                                                 since_checkpoint.wall_time() >
                                                   checkpoint_period,
                                               0);
    if (due)
      since_checkpoint.restart();
    return due;
  }



  template void
  Simulation<2>::write_checkpoint();
  template void
  Simulation<3>::write_checkpoint();
  template bool
  Simulation<2>::checkpoint_is_due();
  template bool
  Simulation<3>::checkpoint_is_due();
  template CheckpointData
  Simulation<2>::save();
  template CheckpointData
  Simulation<3>::save();
  template void
  Simulation<2>::load(const CheckpointData &);
  template std::map<std::string, DistributedNumbers>
  Simulation<2>::own_pieces();
  template void
  Simulation<2>::load_pieces(const CheckpointData &);
  template void
  Simulation<3>::load(const CheckpointData &);
  template std::map<std::string, DistributedNumbers>
  Simulation<3>::own_pieces();
  template void
  Simulation<3>::load_pieces(const CheckpointData &);
  template bool
  Simulation<2>::is_complete(const CheckpointData &) const;
  template bool
  Simulation<3>::is_complete(const CheckpointData &) const;
  template void
  Simulation<2>::check_same_model(const OutputDirectory &);
  template void
  Simulation<3>::check_same_model(const OutputDirectory &);
} // namespace Ricochet
