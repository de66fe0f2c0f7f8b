// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/hanging_nodes.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/dofs/dof_tools.h>

#include <algorithm>
#include <tuple>

namespace Ricochet
{
  template <int dim>
  void
  HangingNodes<dim>::reinit(
    const dealii::DoFHandler<dim> &dof_handler,
    const std::shared_ptr<const Partitioner> &partitioner)
  {
    const dealii::IndexSet relevant =
      dealii::DoFTools::extract_locally_relevant_dofs(dof_handler);
    constraints.reinit(relevant);
    any = dof_handler.get_triangulation().has_hanging_nodes();
    if (any)
      dealii::DoFTools::make_hanging_node_constraints(dof_handler, constraints);
    constraints.close();
    // For the library, all cells must be on one level; but bodies side by side
    // can be on levels of their own.
    any = any &&
          dealii::Utilities::MPI::max(constraints.n_constraints() > 0 ? 1 : 0,
                                      partitioner->get_mpi_communicator()) > 0;

    masters = hanging          = WeightedSums();
    const unsigned int n_owned = partitioner->locally_owned_size() / dim;
    const unsigned int n_nodes = n_owned + partitioner->n_ghost_indices() / dim;
    for (unsigned int n = 0; n < n_owned; ++n)
      AssertThrow(add_row(n, *partitioner),
                  dealii::ExcMessage("A hanging node depends on nodes that its "
                                     "rank does not know."));
    n_owned_rows = masters.targets.size();
    for (unsigned int n = n_owned; n < n_nodes; ++n)
      add_row(n, *partitioner);
    if (any)
      transpose(*partitioner);
  }



  template <int dim>
  bool
  HangingNodes<dim>::add_row(const unsigned int node,
                             const Partitioner &partitioner)
  {
    const auto *const entries = constraints.get_constraint_entries(
      partitioner.local_to_global(dim * node));
    if (entries == nullptr)
      return true;
    for (const auto &entry : *entries)
      if (!partitioner.in_local_range(entry.first) &&
          !partitioner.is_ghost_entry(entry.first))
        return false;
    for (const auto &entry : *entries)
      {
        masters.sources.push_back(partitioner.global_to_local(entry.first) /
                                  dim);
        masters.weights.push_back(entry.second);
      }
    masters.end_row(node);
    return true;
  }



  template <int dim>
  void
  HangingNodes<dim>::transpose(const Partitioner &partitioner)
  {
    // A hanging node is the corner of a fine cell that has the master as
    // another corner. So the owner of the master knows it, as a ghost.
    const unsigned int n_owned = partitioner.locally_owned_size() / dim;
    std::vector<std::tuple<unsigned int,
                           dealii::types::global_dof_index,
                           unsigned int,
                           double>>
      entries;
    for (unsigned int r = 0; r < masters.targets.size(); ++r)
      for (unsigned int k = masters.begin[r]; k < masters.begin[r + 1]; ++k)
        if (masters.sources[k] < n_owned)
          {
            const unsigned int node = masters.targets[r];
            entries.emplace_back(masters.sources[k],
                                 partitioner.local_to_global(dim * node),
                                 node,
                                 masters.weights[k]);
          }
    std::sort(entries.begin(), entries.end());
    for (unsigned int i = 0; i < entries.size(); ++i)
      {
        const auto &[master, global_node, node, weight] = entries[i];
        hanging.sources.push_back(node);
        hanging.weights.push_back(weight);
        if (i + 1 == entries.size() || std::get<0>(entries[i + 1]) != master)
          hanging.end_row(master);
      }

    const unsigned int n_given = masters.begin[n_owned_rows];
    AssertThrow(dealii::Utilities::MPI::sum(
                  static_cast<int>(n_given) - static_cast<int>(entries.size()),
                  partitioner.get_mpi_communicator()) == 0,
                dealii::ExcMessage("Nodes hang on one whose rank does not know "
                                   "them."));
  }



  template <int dim>
  void
  HangingNodes<dim>::WeightedSums::end_row(const unsigned int target)
  {
    targets.push_back(target);
    begin.push_back(sources.size());
  }



  template <int dim>
  void
  HangingNodes<dim>::WeightedSums::evaluate(const unsigned int n,
                                            const bool add,
                                            VectorType &vector) const
  {
    for (unsigned int r = 0; r < n; ++r)
      for (unsigned int d = 0; d < dim; ++d)
        {
          double &value = vector.local_element(dim * targets[r] + d);
          double sum    = add ? value : 0.;
          for (unsigned int k = begin[r]; k < begin[r + 1]; ++k)
            sum += weights[k] * vector.local_element(dim * sources[k] + d);
          value = sum;
        }
  }



  // AffineConstraints::distribute() would set up a communication pattern in
  // every call and knows no transposed operation on distributed vectors; here
  // the one of the vector serves.

  template <int dim>
  void
  HangingNodes<dim>::distribute(VectorType &vector) const
  {
    if (empty())
      return;
    vector.update_ghost_values();
    masters.evaluate(n_owned_rows, false, vector);
    vector.update_ghost_values();
  }



  template <int dim>
  void
  HangingNodes<dim>::condense(VectorType &vector) const
  {
    if (empty())
      return;
    vector.update_ghost_values();
    hanging.evaluate(hanging.targets.size(), true, vector);
    for (unsigned int r = 0; r < n_owned_rows; ++r)
      for (unsigned int d = 0; d < dim; ++d)
        vector.local_element(dim * masters.targets[r] + d) = 0.;
    vector.zero_out_ghost_values();
  }



  template class HangingNodes<2>;
  template class HangingNodes<3>;
} // namespace Ricochet
