// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/forest_order.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>

namespace Ricochet
{
  template <int dim>
  std::vector<unsigned int>
  places_in_forest(const CoarseMesh<dim> &mesh)
  {
    std::vector<std::vector<unsigned int>> cells_at(mesh.vertices.size());
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      for (const unsigned int v : mesh.cells[c].vertices)
        cells_at[v].push_back(c);

    dealii::DynamicSparsityPattern neighbors(mesh.cells.size());
    for (unsigned int c = 0; c < mesh.cells.size(); ++c)
      for (const unsigned int v : mesh.cells[c].vertices)
        neighbors.add_entries(c, cells_at[v].begin(), cells_at[v].end(), true);

    std::vector<dealii::DynamicSparsityPattern::size_type> places(
      mesh.cells.size());
    dealii::SparsityTools::reorder_hierarchical(neighbors, places);
    return {places.begin(), places.end()};
  }



  template std::vector<unsigned int>
  places_in_forest(const CoarseMesh<2> &);
  template std::vector<unsigned int>
  places_in_forest(const CoarseMesh<3> &);
} // namespace Ricochet
