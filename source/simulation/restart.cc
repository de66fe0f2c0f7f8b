// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/body/global_history.h>
#include <ricochet/simulation/simulation.h>

#include <filesystem>

// What a simulation saves, and how it goes on from there.

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The name of the pairs of bodies that still overlap, in checkpoints. */
    const std::string ignored_overlaps = "ignored overlaps";



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
  } // namespace



  template <int dim>
  CheckpointData
  Simulation<dim>::save()
  {
    CheckpointData data;
    data.step = state.step;
    data.time = state.time;
    step_size.save(data.scalars);
    recorder->save(balance, data);
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        data.vectors[name + " " + std::to_string(p)] = gather((*vectors)[p]);
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      data.vectors["history " + std::to_string(p)] =
        gather_history(*solids, state, p);

    // The shares of the ranks are added up; a restart gives all to rank 0.
    std::vector<double> shares{balance.external_work, balance.contact_work};
    for (unsigned int d = 0; d < 3; ++d)
      shares.push_back(balance.external_angular_momentum[d]);
    Utilities::MPI::sum(shares, communicator, shares);
    shares.push_back(balance.restitution_loss);
    shares.push_back(balance.friction_loss);
    for (unsigned int d = 0; d < 3; ++d)
      shares.push_back(balance.contact_angular_momentum[d]);
    data.vectors["balance"] = shares;
    for (const auto &bodies : contact.ignored_overlaps())
      for (const unsigned int body : bodies)
        data.vectors[ignored_overlaps].push_back(body);
    return data;
  }



  template <int dim>
  void
  Simulation<dim>::load(const CheckpointData &data)
  {
    state.step = data.step;
    state.time = data.time;
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

    const std::vector<double> &values = data.vectors.at("balance");
    if (Utilities::MPI::this_mpi_process(communicator) == 0)
      {
        balance.external_work = values[0];
        balance.contact_work  = values[1];
        for (unsigned int d = 0; d < 3; ++d)
          balance.external_angular_momentum[d] = values[2 + d];
      }
    balance.restitution_loss = values[5];
    balance.friction_loss    = values[6];
    for (unsigned int d = 0; d < 3; ++d)
      balance.contact_angular_momentum[d] = values[7 + d];

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
  template void
  Simulation<2>::check_same_model(const OutputDirectory &);
  template void
  Simulation<3>::check_same_model(const OutputDirectory &);
} // namespace Ricochet
