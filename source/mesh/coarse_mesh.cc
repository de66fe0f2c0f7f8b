// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/cell_shape.h>
#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/mesh/face_table.h>

#include <deal.II/base/numbers.h>
#include <deal.II/grid/tria_accessor.h>
#include <deal.II/grid/tria_iterator.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace Ricochet
{
  namespace
  {
    /** Numbers the vertices of a triangulation in the order of their use. */
    template <int dim>
    class VertexNumbers
    {
    public:
      VertexNumbers(const dealii::Triangulation<dim> &triangulation,
                    std::vector<dealii::Point<dim>> &vertices)
        : positions(triangulation.get_vertices())
        , vertices(vertices)
        , numbers(positions.size(), dealii::numbers::invalid_unsigned_int)
      {}

      /** The number of the vertex with this index. */
      unsigned int
      operator()(const unsigned int index)
      {
        if (numbers[index] == dealii::numbers::invalid_unsigned_int)
          {
            numbers[index] = vertices.size();
            vertices.push_back(positions[index]);
          }
        return numbers[index];
      }

    private:
      const std::vector<dealii::Point<dim>> &positions;
      std::vector<dealii::Point<dim>> &vertices;
      std::vector<unsigned int> numbers;
    };



    /** Note down a boundary face from its vertex indices. */
    template <int dim, typename Indices>
    void
    add_face(const Indices &indices,
             const dealii::types::boundary_id id,
             VertexNumbers<dim> &numbers,
             dealii::SubCellData &subcell_data)
    {
      dealii::CellData<dim - 1> data(indices.size());
      for (unsigned int v = 0; v < indices.size(); ++v)
        data.vertices[v] = numbers(indices[v]);
      data.boundary_id = id;
      data.manifold_id = dealii::numbers::flat_manifold_id;
      if constexpr (dim == 2)
        subcell_data.boundary_lines.push_back(data);
      else
        subcell_data.boundary_quads.push_back(data);
    }



    /**
     * The halves of a refined edge, or the four triangles around the midpoint
     * of a refined quadrilateral, as vertex indices.
     */
    template <int dim, typename Face>
    std::vector<std::array<unsigned int, dim>>
    split_face(const Face &face)
    {
      std::vector<std::array<unsigned int, dim>> parts;
      if constexpr (dim == 2)
        {
          const unsigned int midpoint = face->child(0)->vertex_index(1);
          for (const unsigned int v : {0, 1})
            parts.push_back({{face->vertex_index(v), midpoint}});
        }
      else
        {
          const unsigned int midpoint = face->child(0)->vertex_index(3);
          for (unsigned int e = 0; e < 4; ++e)
            parts.push_back({{face->line(e)->vertex_index(0),
                              face->line(e)->vertex_index(1),
                              midpoint}});
        }
      return parts;
    }
  } // namespace



  template <int dim>
  void
  check_cell_types(const dealii::Triangulation<dim> &triangulation,
                   const std::string &where)
  {
    require(triangulation.n_active_cells() > 0,
            where + ": there are no cells.");
    require(triangulation.all_reference_cells_are_hyper_cube() ||
              triangulation.all_reference_cells_are_simplex(),
            where + ": the mesh mixes types of cells. Use only " +
              (dim == 2 ? "quadrilaterals or only triangles"
                        : "hexahedra or only tetrahedra") +
              " in one body.");
  }



  template <int dim>
  CoarseMesh<dim>::CoarseMesh(const dealii::Triangulation<dim> &triangulation,
                              const std::string &where)
  {
    check_cell_types(triangulation, where);

    VertexNumbers<dim> numbers(triangulation, vertices);
    cells.reserve(triangulation.n_active_cells());
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        dealii::CellData<dim> data(cell->n_vertices());
        for (const unsigned int v : cell->vertex_indices())
          data.vertices[v] = numbers(cell->vertex_index(v));
        data.material_id = cell->material_id();
        data.manifold_id = dealii::numbers::flat_manifold_id;
        cells.push_back(data);

        for (const auto &face : cell->face_iterators())
          {
            require(!face->has_children(),
                    where +
                      ": the mesh has hanging nodes. Refine all cells "
                      "alike.");
            if (!face->at_boundary())
              continue;
            std::vector<unsigned int> indices;
            for (const unsigned int v : face->vertex_indices())
              indices.push_back(face->vertex_index(v));
            add_face(indices, face->boundary_id(), numbers, subcell_data);
          }
      }
  }



  template <int dim>
  bool
  CoarseMesh<dim>::is_simplex() const
  {
    return !cells.empty() && cells[0].vertices.size() == dim + 1;
  }



  template <int dim>
  bool
  CoarseMesh<dim>::is_affine() const
  {
    constexpr double round_off = 1e-12;
    return is_simplex() ||
           std::all_of(cells.begin(), cells.end(), [&](const auto &cell) {
             const auto edge = [&](const unsigned int v) {
               return vertices[cell.vertices[v]] - vertices[cell.vertices[0]];
             };
             double size = 0.;
             for (unsigned int d = 0; d < dim; ++d)
               size = std::max(size, edge(1 << d).norm());
             for (unsigned int v = 1; v < cell.vertices.size(); ++v)
               {
                 dealii::Tensor<1, dim> difference = edge(v);
                 for (unsigned int d = 0; d < dim; ++d)
                   if ((v >> d & 1) != 0)
                     difference -= edge(1 << d);
                 if (!(difference.norm() <= round_off * size))
                   return false;
               }
             return true;
           });
  }



  template <int dim>
  CoarseMesh<dim>
  CoarseMesh<dim>::refined() const
  {
    if (refinements == 0)
      return *this;
    dealii::Triangulation<dim> triangulation;
    create_triangulation(triangulation);
    triangulation.refine_global(refinements);
    CoarseMesh<dim> result(triangulation);
    result.n_rigid_regions = n_rigid_regions;
    result.boundary_names  = boundary_names;
    result.cell_groups     = cell_groups;
    result.notes           = notes;
    return result;
  }



  template <int dim>
  BoundaryIds
  CoarseMesh<dim>::boundary_ids() const
  {
    BoundaryIds ids;
    for (const auto &line : subcell_data.boundary_lines)
      ids.insert(line.boundary_id);
    for (const auto &quad : subcell_data.boundary_quads)
      ids.insert(quad.boundary_id);
    return ids;
  }



  template <int dim>
  void
  CoarseMesh<dim>::name_boundary_by_ids()
  {
    for (const auto id : boundary_ids())
      boundary_names.add(std::to_string(id), id);
  }



  template <int dim>
  void
  CoarseMesh<dim>::orient_simplices()
  {
    for (auto &cell : cells)
      if (Ricochet::is_simplex(cell) && scaled_jacobian(vertices, cell, 0) < 0.)
        std::swap(cell.vertices[dim - 1], cell.vertices[dim]);
  }



  template <int dim>
  void
  CoarseMesh<dim>::check_orientation(const std::string &where) const
  {
    for (const auto &cell : cells)
      {
        const auto [v, value] = worst_vertex(vertices, cell);
        // Written so that not-a-number fails, too.
        if (value > flat_cell)
          continue;
        std::ostringstream message;
        message << where << ": the mesh has an inverted or flat cell. The cell "
                << "with its centre at (" << centre_of(vertices, cell)
                << ") folds over at its vertex (" << vertices[cell.vertices[v]]
                << "). Repair the mesh or choose other arguments.";
        throw UserError(message.str());
      }
  }



  template <int dim>
  void
  CoarseMesh<dim>::transform(const dealii::Tensor<2, dim> &matrix,
                             const dealii::Tensor<1, dim> &shift)
  {
    for (auto &vertex : vertices)
      vertex = dealii::Point<dim>(matrix * vertex + shift);
    curved_nodes.transform(matrix, shift);
  }



  template <int dim>
  void
  CoarseMesh<dim>::create_triangulation(
    dealii::Triangulation<dim> &triangulation) const
  {
    triangulation.create_triangulation(vertices, cells, subcell_data);
  }



  template <int dim>
  CoarseMesh<dim>
  split_into_simplices(const dealii::Triangulation<dim> &refined)
  {
    CoarseMesh<dim> mesh;
    VertexNumbers<dim> numbers(refined, mesh.vertices);
    Assert(refined.n_levels() > 1, dealii::ExcInternalError());
    for (const auto &cell :
         refined.cell_iterators_on_level(refined.n_levels() - 2))
      {
        // The last vertex of the first child is the centre of the cell.
        const unsigned int centre =
          cell->child(0)->vertex_index(cell->n_vertices() - 1);
        for (const auto &face : cell->face_iterators())
          for (const auto &part : split_face<dim>(face))
            {
              dealii::CellData<dim> data(dim + 1);
              for (unsigned int v = 0; v < dim; ++v)
                data.vertices[v] = numbers(part[v]);
              data.vertices[dim] = numbers(centre);
              data.material_id   = cell->material_id();
              data.manifold_id   = dealii::numbers::flat_manifold_id;
              mesh.cells.push_back(data);
              if (face->at_boundary())
                add_face(part, face->boundary_id(), numbers, mesh.subcell_data);
            }
      }
    return mesh;
  }



  template void
  check_cell_types(const dealii::Triangulation<2> &, const std::string &);
  template void
  check_cell_types(const dealii::Triangulation<3> &, const std::string &);
  template CoarseMesh<2>
  split_into_simplices(const dealii::Triangulation<2> &);
  template CoarseMesh<3>
  split_into_simplices(const dealii::Triangulation<3> &);
  template struct CoarseMesh<2>;
  template struct CoarseMesh<3>;
} // namespace Ricochet
