// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/hanging_nodes.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/dofs/dof_tools.h>

#include <algorithm>

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

    nodes.clear();
    masters.clear();
    weights.clear();
    row_begin                  = {0};
    const unsigned int n_owned = partitioner->locally_owned_size() / dim;
    const unsigned int n_nodes = n_owned + partitioner->n_ghost_indices() / dim;
    for (unsigned int n = 0; n < n_owned; ++n)
      AssertThrow(add_row(n, *partitioner),
                  dealii::ExcMessage("A hanging node depends on nodes that its "
                                     "rank does not know."));
    n_owned_rows = nodes.size();
    for (unsigned int n = n_owned; n < n_nodes; ++n)
      add_row(n, *partitioner);
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
        masters.push_back(partitioner.global_to_local(entry.first) / dim);
        weights.push_back(entry.second);
      }
    nodes.push_back(node);
    row_begin.push_back(masters.size());
    return true;
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
    for (unsigned int r = 0; r < n_owned_rows; ++r)
      for (unsigned int d = 0; d < dim; ++d)
        {
          double sum = 0.;
          for (unsigned int k = row_begin[r]; k < row_begin[r + 1]; ++k)
            sum += weights[k] * vector.local_element(dim * masters[k] + d);
          vector.local_element(dim * nodes[r] + d) = sum;
        }
    vector.update_ghost_values();
  }



  template <int dim>
  void
  HangingNodes<dim>::condense(VectorType &vector) const
  {
    if (empty())
      return;
    vector.zero_out_ghost_values();
    for (unsigned int r = 0; r < n_owned_rows; ++r)
      for (unsigned int d = 0; d < dim; ++d)
        {
          double &value = vector.local_element(dim * nodes[r] + d);
          for (unsigned int k = row_begin[r]; k < row_begin[r + 1]; ++k)
            vector.local_element(dim * masters[k] + d) += weights[k] * value;
          value = 0.;
        }
    vector.compress(dealii::VectorOperation::add);
  }



  template <int dim>
  void
  HangingNodes<dim>::add_dependent(std::vector<unsigned int> &list) const
  {
    std::vector<unsigned int> sorted(list);
    std::sort(sorted.begin(), sorted.end());
    for (unsigned int r = 0; r < nodes.size(); ++r)
      if (std::any_of(masters.begin() + row_begin[r],
                      masters.begin() + row_begin[r + 1],
                      [&](const unsigned int master) {
                        return std::binary_search(sorted.begin(),
                                                  sorted.end(),
                                                  master);
                      }))
        list.push_back(nodes[r]);
  }



  template class HangingNodes<2>;
  template class HangingNodes<3>;
} // namespace Ricochet
