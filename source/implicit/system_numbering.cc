// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/implicit/system_numbering.h>

#include <algorithm>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  SystemNumbering<dim>::reinit(const Solids<dim> &solids)
  {
    communicator                  = solids.get_communicator();
    const unsigned int n_forests  = solids.n_forests();
    types::global_dof_index n_all = 0;
    unsigned int n_own            = 0;
    layouts.clear();
    begins.clear();
    first_dofs.clear();
    for (unsigned int p = 0; p < n_forests; ++p)
      {
        layouts.push_back(solids.forest(p).get_partitioner());
        begins.push_back(n_own);
        n_own += layouts[p]->locally_owned_size();
        n_all += layouts[p]->size();
        // Ranks that own nothing have no place of their own in a layout.
        first_dofs.push_back({0});
        for (const auto n :
             Utilities::MPI::all_gather(communicator,
                                        layouts[p]->locally_owned_size()))
          first_dofs[p].push_back(first_dofs[p].back() + n);
        first_dofs[p].pop_back();
      }
    const unsigned int n_rigid =
      n_rigid_unknowns * solids.rigid_bodies().size();
    first_rigid      = Utilities::MPI::all_gather(communicator, n_own)[0];
    has_rigid_bodies = Utilities::MPI::this_mpi_process(communicator) == 0;
    n_own += has_rigid_bodies ? n_rigid : 0;
    n_all += n_rigid;
    const auto begins_of_ranks =
      Utilities::MPI::all_gather(communicator, begins);
    const auto sizes = Utilities::MPI::all_gather(communicator, n_own);
    first_numbers.assign(n_forests, {});
    types::global_dof_index first = 0, own_first = 0;
    for (unsigned int r = 0; r < sizes.size(); ++r)
      {
        for (unsigned int p = 0; p < n_forests; ++p)
          first_numbers[p].push_back(first + begins_of_ranks[r][p]);
        if (r == Utilities::MPI::this_mpi_process(communicator))
          own_first = first;
        first += sizes[r];
      }

    owned_indices = IndexSet(n_all);
    owned_indices.add_range(own_first, own_first + n_own);
    relevant_indices = owned_indices;
    for (unsigned int p = 0; p < n_forests; ++p)
      for (const auto dof : layouts[p]->ghost_indices())
        relevant_indices.add_index(of_dof(p, dof));
    relevant_indices.compress();
    partitioner =
      std::make_shared<const Partitioner>(owned_indices, communicator);
  }



  template <int dim>
  types::global_dof_index
  SystemNumbering<dim>::of_dof(const unsigned int forest,
                               const types::global_dof_index dof) const
  {
    // The last rank whose piece begins at or before it; empty pieces come
    // before the one that begins at the same place.
    const auto &firsts = first_dofs[forest];
    const unsigned int rank =
      std::upper_bound(firsts.begin(), firsts.end(), dof) - firsts.begin() - 1;
    return first_numbers[forest][rank] + (dof - firsts[rank]);
  }



  template <int dim>
  types::global_dof_index
  SystemNumbering<dim>::of_local(const unsigned int forest,
                                 const unsigned int local) const
  {
    return of_dof(forest, layouts[forest]->local_to_global(local));
  }



  template <int dim>
  typename SystemNumbering<dim>::VectorType
  SystemNumbering<dim>::zero_vector() const
  {
    VectorType result;
    result.reinit(partitioner);
    return result;
  }



  template <int dim>
  void
  SystemNumbering<dim>::gather(const ForestVectors &from, VectorType &to) const
  {
    for (unsigned int p = 0; p < from.size(); ++p)
      std::copy_n(from[p].begin(),
                  from[p].locally_owned_size(),
                  to.begin() + begins[p]);
  }



  template <int dim>
  void
  SystemNumbering<dim>::scatter(const VectorType &from, ForestVectors &to) const
  {
    for (unsigned int p = 0; p < to.size(); ++p)
      std::copy_n(from.begin() + begins[p],
                  to[p].locally_owned_size(),
                  to[p].begin());
  }



  template class SystemNumbering<2>;
  template class SystemNumbering<3>;
} // namespace Ricochet
