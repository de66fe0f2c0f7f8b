// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/forest_order.h>

#include <deal.II/base/point.h>
#include <deal.II/base/utilities.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    /** Of coordinates along the curve: dim of them fit in one number. */
    constexpr int bits = 20;

    /** The centres of the cells, on a grid of integers. */
    template <int dim>
    std::vector<std::array<std::uint64_t, dim>>
    centres_on_grid(const CoarseMesh<dim> &mesh)
    {
      dealii::Point<dim> lowest;
      double size = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const auto [least, most] =
            std::minmax_element(mesh.vertices.begin(),
                                mesh.vertices.end(),
                                [d](const auto &a, const auto &b) {
                                  return a[d] < b[d];
                                });
          lowest[d] = (*least)[d];
          size      = std::max(size, (*most)[d] - lowest[d]);
        }
      const double scale = ((std::uint64_t(1) << bits) - 1) / size;
      std::vector<std::array<std::uint64_t, dim>> result(mesh.cells.size());
      for (unsigned int c = 0; c < mesh.cells.size(); ++c)
        {
          dealii::Point<dim> sum;
          for (const unsigned int v : mesh.cells[c].vertices)
            sum += mesh.vertices[v] - lowest;
          for (unsigned int d = 0; d < dim; ++d)
            result[c][d] = static_cast<std::uint64_t>(
              scale * sum[d] / mesh.cells[c].vertices.size());
        }
      return result;
    }
  } // namespace



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



  template <int dim>
  std::vector<unsigned int>
  places_on_curve(const CoarseMesh<dim> &mesh,
                  const std::vector<unsigned int> &cell_bodies)
  {
    const unsigned int n = mesh.cells.size();
    std::vector<std::uint64_t> along(n);
    const auto indices =
      dealii::Utilities::inverse_Hilbert_space_filling_curve<dim>(
        centres_on_grid(mesh),
        bits);
    for (unsigned int c = 0; c < n; ++c)
      along[c] = dealii::Utilities::pack_integers<dim>(indices[c], bits);

    std::vector<unsigned int> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](const unsigned int a, const unsigned int b) {
                       return cell_bodies[a] != cell_bodies[b]
                                ? cell_bodies[a] < cell_bodies[b]
                                : along[a] < along[b];
                     });
    std::vector<unsigned int> places(n);
    for (unsigned int k = 0; k < n; ++k)
      places[order[k]] = k;
    return places;
  }



  template std::vector<unsigned int>
  places_in_forest(const CoarseMesh<2> &);
  template std::vector<unsigned int>
  places_in_forest(const CoarseMesh<3> &);
  template std::vector<unsigned int>
  places_on_curve(const CoarseMesh<2> &, const std::vector<unsigned int> &);
  template std::vector<unsigned int>
  places_on_curve(const CoarseMesh<3> &, const std::vector<unsigned int> &);
} // namespace Ricochet
