// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/cell_shape.h>
#include <ricochet/mesh/face_table.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    template <int dim>
    double
    determinant_of_columns(const std::array<dealii::Tensor<1, dim>, dim> &a)
    {
      if constexpr (dim == 2)
        return a[0][0] * a[1][1] - a[0][1] * a[1][0];
      else
        return dealii::cross_product_3d(a[0], a[1]) * a[2];
    }



    /** The edges at a vertex of a cell, ordered so that their determinant is
     * positive if the cell is right. */
    template <int dim>
    std::array<dealii::Tensor<1, dim>, dim>
    edges_at_vertex(const std::vector<dealii::Point<dim>> &vertices,
                    const dealii::CellData<dim> &cell,
                    const unsigned int vertex)
    {
      const auto x = [&](const unsigned int v) {
        return vertices[cell.vertices[v]];
      };
      std::array<dealii::Tensor<1, dim>, dim> edges;
      if (is_simplex(cell))
        {
          // Vertex v and its edges are opposite to each other in sign when v
          // is odd in 2D and 3D alike, but for the order of the others.
          std::array<unsigned int, dim> others{};
          for (unsigned int i = 0, v = 0; v <= dim; ++v)
            if (v != vertex)
              others[i++] = v;
          if (vertex % 2 == 1)
            std::swap(others[0], others[1]);
          for (unsigned int d = 0; d < dim; ++d)
            edges[d] = x(others[d]) - x(vertex);
        }
      else
        for (unsigned int d = 0; d < dim; ++d)
          {
            const unsigned int bit = 1u << d;
            edges[d]               = x(vertex | bit) - x(vertex & ~bit);
          }
      return edges;
    }
  } // namespace



  template <int dim>
  double
  scaled_jacobian(const std::vector<dealii::Point<dim>> &vertices,
                  const dealii::CellData<dim> &cell,
                  const unsigned int vertex)
  {
    const auto edges = edges_at_vertex(vertices, cell, vertex);
    double lengths   = 1.;
    for (const auto &edge : edges)
      lengths *= edge.norm();
    return determinant_of_columns<dim>(edges) / lengths;
  }



  template <int dim>
  std::pair<unsigned int, double>
  worst_vertex(const std::vector<dealii::Point<dim>> &vertices,
               const dealii::CellData<dim> &cell)
  {
    std::pair<unsigned int, double> worst(0,
                                          scaled_jacobian(vertices, cell, 0));
    for (unsigned int v = 1; v < cell.vertices.size(); ++v)
      {
        const double value = scaled_jacobian(vertices, cell, v);
        if (!(value >= worst.second) && !std::isnan(worst.second))
          worst = {v, value};
      }
    return worst;
  }



  template <int dim>
  dealii::Point<dim>
  centre_of(const std::vector<dealii::Point<dim>> &vertices,
            const dealii::CellData<dim> &cell)
  {
    dealii::Point<dim> centre;
    for (const unsigned int v : cell.vertices)
      centre += vertices[v] / static_cast<double>(cell.vertices.size());
    return centre;
  }



  template <int dim>
  std::string
  text_of(const dealii::Point<dim> &point)
  {
    std::ostringstream text;
    text << '(' << point[0];
    for (unsigned int d = 1; d < dim; ++d)
      text << ", " << point[d];
    text << ')';
    return text.str();
  }



#define RICOCHET_INSTANTIATE_CELL_SHAPE(dim)                               \
  template std::string text_of(const dealii::Point<dim> &);                \
  template double scaled_jacobian(const std::vector<dealii::Point<dim>> &, \
                                  const dealii::CellData<dim> &,           \
                                  const unsigned int);                     \
  template std::pair<unsigned int, double> worst_vertex(                   \
    const std::vector<dealii::Point<dim>> &,                               \
    const dealii::CellData<dim> &);                                        \
  template dealii::Point<dim> centre_of(                                   \
    const std::vector<dealii::Point<dim>> &,                               \
    const dealii::CellData<dim> &);

  RICOCHET_INSTANTIATE_CELL_SHAPE(2)
  RICOCHET_INSTANTIATE_CELL_SHAPE(3)
} // namespace Ricochet
