// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_cell_shape_h
#define ricochet_mesh_cell_shape_h

#include <deal.II/base/point.h>
#include <deal.II/grid/tria_description.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** A cell whose scaled Jacobian is below this is flat for all purposes of a
   * computation. */
  constexpr double flat_cell = 1e-10;

  /**
   * The determinant of the edges that meet at a vertex of a hypercube or
   * simplex with straight edges, over the product of their lengths: the scaled
   * Jacobian, 1 for perpendicular edges, not positive where a cell folds over,
   * and not a number if edges have no length or no end. A simplex has the same
   * determinant at all its vertices.
   *
   * As a measure of cells (Knupp, 2001).
   */
  template <int dim>
  double
  scaled_jacobian(const std::vector<dealii::Point<dim>> &vertices,
                  const dealii::CellData<dim> &cell,
                  const unsigned int vertex);

  /** The vertex with the smallest scaled Jacobian, or the first where it is not
   * a number, and the value there. */
  template <int dim>
  std::pair<unsigned int, double>
  worst_vertex(const std::vector<dealii::Point<dim>> &vertices,
               const dealii::CellData<dim> &cell);

  /** "(0.5, 0.5, 1)" */
  template <int dim>
  std::string
  text_of(const dealii::Point<dim> &point);

  /** The mean of the vertices. */
  template <int dim>
  dealii::Point<dim>
  centre_of(const std::vector<dealii::Point<dim>> &vertices,
            const dealii::CellData<dim> &cell);
} // namespace Ricochet

#endif
