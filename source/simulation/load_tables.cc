// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/simulation/load_tables.h>

#include <algorithm>
#include <map>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Numbers of an ObstacleRow in a checkpoint. */
    constexpr unsigned int n_row_values = 10;



    template <int dim>
    Tensor<1, 3>
    in_space(const Tensor<1, dim> &vector)
    {
      Tensor<1, 3> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = vector[d];
      return result;
    }
  } // namespace



  template <int dim>
  LoadTables<dim>::LoadTables(const OutputDirectory &directory,
                              const Solids<dim> &solids,
                              const Contact<dim> &contact,
                              const std::vector<std::string> &obstacle_names,
                              const std::optional<ResumePoint> &resume)
    : solids(solids)
    , contact(contact)
    , obstacle_names(obstacle_names)
    , rows(obstacle_names.size())
    , interval_impulses(obstacle_names.size())
  {
    // All ids that are named, of which the parts of other ranks may have more
    // than this rank's.
    std::map<std::pair<unsigned int, dealii::types::boundary_id>, unsigned int>
      number;
    for (unsigned int b = 0; b < solids.n_bodies(); ++b)
      for (const auto &motion : solids.body(b).prescribed_motions)
        for (const auto id : motion.boundary_ids)
          if (number.emplace(std::make_pair(b, id), supports.size()).second)
            supports.push_back({b, id});
    for (unsigned int p = 0; p < solids.n_forests() && !supports.empty(); ++p)
      {
        // The first id of a motion that a node is on.
        std::map<std::array<unsigned int, 3>, unsigned int> number_of_node;
        for (const unsigned int b : solids.forest(p).get_bodies())
          {
            const auto &motions = solids.body(b).prescribed_motions;
            for (unsigned int m = 0; m < motions.size(); ++m)
              for (const auto id : motions[m].boundary_ids)
                for (const unsigned int node :
                     solids.forest(p).nodes_on_boundary(b, {id}))
                  number_of_node.emplace(
                    std::array<unsigned int, 3>{{b, m, node}},
                    number.at({b, id}));
          }
        support_of.emplace_back();
        for (const auto &support : solids.supports(p))
          support_of.back().push_back(number_of_node.at(
            {{support.body, support.motion, support.dof / dim}}));
      }
    last_reactions.assign(3 * supports.size(), 0.);

    on_first_rank(solids.get_communicator(), [&]() {
      if (!obstacle_names.empty())
        obstacles_writer = std::make_unique<ObstaclesWriter>(directory, resume);
      if (!supports.empty())
        reactions_writer = std::make_unique<ReactionsWriter>(directory, resume);
    });
  }



  template <int dim>
  void
  LoadTables<dim>::add_step(const Balance &balance)
  {
    if (!contact.get_state().has_acted())
      return;
    const auto &loads = contact.get_obstacles().loads();
    for (unsigned int k = 0; k < rows.size(); ++k)
      {
        rows[k].impulse += in_space(loads[k].impulse);
        interval_impulses[k] +=
          balance.contact_share * in_space(loads[k].impulse);
        rows[k].angular_impulse += loads[k].angular_impulse;
        rows[k].work += loads[k].work;
      }
  }



  template <int dim>
  std::vector<double>
  LoadTables<dim>::support_impulses(const Balance &balance) const
  {
    std::vector<double> sums(last_reactions.size(), 0.);
    if (sums.empty())
      return sums;
    if (!balance.support_impulses.empty())
      for (unsigned int p = 0; p < support_of.size(); ++p)
        for (unsigned int s = 0; s < support_of[p].size(); ++s)
          {
            const auto &support = solids.supports(p)[s];
            sums[3 * support_of[p][s] + support.component] +=
              balance.support_impulses[p][support.dof];
          }
    dealii::Utilities::MPI::sum(sums, solids.get_communicator(), sums);
    return sums;
  }



  template <int dim>
  void
  LoadTables<dim>::write(const unsigned long int step,
                         const double time,
                         const Balance &balance)
  {
    const auto sums    = support_impulses(balance);
    const double dt    = time - last_time;
    const double scale = dt > 0. ? 1. / dt : 0.;
    on_first_rank(solids.get_communicator(), [&]() {
      for (unsigned int k = 0; k < rows.size(); ++k)
        {
          rows[k].force = scale * interval_impulses[k];
          obstacles_writer->add(step, time, obstacle_names[k], rows[k]);
        }
      for (unsigned int i = 0; i < supports.size(); ++i)
        {
          Tensor<1, 3> force;
          for (unsigned int d = 0; d < 3; ++d)
            force[d] = scale * (sums[3 * i + d] - last_reactions[3 * i + d]);
          reactions_writer->add(step,
                                time,
                                solids.body(supports[i].body).name,
                                supports[i].id,
                                force);
        }
    });
    last_time      = time;
    last_reactions = sums;
    for (auto &impulse : interval_impulses)
      impulse = 0.;
  }



  template <int dim>
  void
  LoadTables<dim>::flush()
  {
    if (obstacles_writer)
      obstacles_writer->flush();
    if (reactions_writer)
      reactions_writer->flush();
  }



  template <int dim>
  void
  LoadTables<dim>::save(CheckpointData &data) const
  {
    data.scalars["time of last loads"] = last_time;
    data.vectors["last reactions"]     = last_reactions;
    auto &values                       = data.vectors["obstacles"];
    for (unsigned int k = 0; k < rows.size(); ++k)
      {
        for (const auto &vector :
             {rows[k].impulse, rows[k].angular_impulse, interval_impulses[k]})
          for (unsigned int d = 0; d < 3; ++d)
            values.push_back(vector[d]);
        values.push_back(rows[k].work);
      }
  }



  template <int dim>
  void
  LoadTables<dim>::load(const CheckpointData &data)
  {
    last_time           = data.scalars.at("time of last loads");
    last_reactions      = data.vectors.at("last reactions");
    const double *value = data.vectors.at("obstacles").data();
    for (unsigned int k = 0; k < rows.size(); ++k, value += n_row_values)
      for (unsigned int d = 0; d < 3; ++d)
        {
          rows[k].impulse[d]         = value[d];
          rows[k].angular_impulse[d] = value[3 + d];
          interval_impulses[k][d]    = value[6 + d];
          rows[k].work               = value[9];
        }
  }



  template class LoadTables<2>;
  template class LoadTables<3>;
} // namespace Ricochet
