// SPDX-License-Identifier: LGPL-2.1-or-later

#include "library_readers.h"

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>

#include <deal.II/base/utilities.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/tria.h>

#include <filesystem>
#include <fstream>

#include "child_process.h"
#include "number_groups.h"

namespace Ricochet
{
  namespace
  {
    template <int dim>
    ElementType
    type_of(const unsigned int n_vertices)
    {
      if constexpr (dim == 1)
        return ElementType::line_2;
      if constexpr (dim == 2)
        return n_vertices == 3 ? ElementType::triangle_3
                               : ElementType::quadrilateral_4;
      switch (n_vertices)
        {
          case 4:
            return ElementType::tetrahedron_4;
          case 5:
            return ElementType::pyramid_5;
          case 6:
            return ElementType::wedge_6;
          default:
            return ElementType::hexahedron_8;
        }
    }



    /** The vertices of something, around where it is a quadrilateral or has
     * such at its bottom and its top. */
    template <typename Accessor>
    std::vector<std::uint32_t>
    vertices_around(const Accessor &object)
    {
      std::vector<std::uint32_t> vertices;
      for (const unsigned int v : object->vertex_indices())
        vertices.push_back(object->vertex_index(v));
      for (std::size_t v = 0; vertices.size() % 4 == 0 && v < vertices.size();
           v += 4)
        std::swap(vertices[v + 2], vertices[v + 3]);
      if (vertices.size() == 4 && object->reference_cell().is_simplex())
        std::swap(vertices[2], vertices[3]);
      return vertices;
    }



    template <int dim>
    PlainMesh
    plain_mesh(const dealii::Triangulation<dim> &triangulation)
    {
      PlainMesh mesh;
      for (const auto &x : triangulation.get_vertices())
        {
          mesh.points.push_back({});
          for (unsigned int d = 0; d < dim; ++d)
            mesh.points.back()[d] = x[d];
        }
      mesh.first_point_number = 0;
      NumberGroups groups(mesh);
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          const auto vertices = vertices_around(cell);
          groups.add(mesh.add_element(type_of<dim>(vertices.size()),
                                      cell->active_cell_index(),
                                      vertices),
                     cell->material_id());
          for (const auto &face : cell->face_iterators())
            if (face->at_boundary() && face->boundary_id() != 0)
              {
                const auto of_face = vertices_around(face);
                groups.add(mesh.add_element(type_of<dim - 1>(of_face.size()),
                                            mesh.elements.size(),
                                            of_face),
                           face->boundary_id());
              }
        }
      return mesh;
    }
  } // namespace



  PlainMesh
  read_in_child(const std::string &file_name,
                const std::string &where,
                const std::function<PlainMesh()> &work)
  {
    // Generous for every mesh, whatever a library makes of a number in it.
    const std::size_t size = std::filesystem::file_size(file_name);
    ChildLimits limits;
    limits.memory   = (std::size_t(512) << 20) + 64 * size;
    limits.cpu_time = 8 + size / (1u << 20);
    const auto packed =
      in_child_process([&]() { return dealii::Utilities::pack(work(), false); },
                       limits,
                       where);
    return dealii::Utilities::unpack<PlainMesh>(packed, false);
  }



  PlainMesh
  with_place(const std::string &where, const std::function<PlainMesh()> &work)
  {
    try
      {
        return work();
      }
    catch (const UserError &error)
      {
        throw UserError(where + ": " + error.what());
      }
  }



  template <int dim>
  PlainMesh
  read_with_grid_in(const std::string &file_name,
                    const std::string &format,
                    const std::string &where)
  {
    const auto read_file = [&]() {
      // Of whatever dimension it is, the check of the mesh tells.
      const auto read = [&](auto &triangulation) {
        dealii::GridIn<std::decay_t<decltype(triangulation)>::dimension> grid;
        grid.attach_triangulation(triangulation);
        if (format == "exodusii")
          grid.read_exodusii(file_name);
        else if (format == "comsol")
          {
            std::ifstream in(file_name);
            grid.read_comsol_mphtxt(in);
          }
        else
          {
            std::ifstream in(file_name);
            grid.read(in, grid.parse_format(format));
          }
        return plain_mesh(triangulation);
      };
      const ExceptionsInsteadOfAborts guard;
      std::string complaint;
      try
        {
          dealii::Triangulation<dim> triangulation;
          return read(triangulation);
        }
      catch (const std::exception &exception)
        {
          complaint = text_of(exception);
        }
      try
        {
          dealii::Triangulation<5 - dim> triangulation;
          return read(triangulation);
        }
      catch (const std::exception &)
        {
          throw UserError("the file cannot be read in the format '" + format +
                          "'. Repair it, or name its format in the entry "
                          "'Mesh file format'. The library says: " +
                          complaint);
        }
    };
    return with_place(where, [&]() {
      return read_in_child(file_name, "the file", read_file);
    });
  }



  template PlainMesh
  read_with_grid_in<2>(const std::string &,
                       const std::string &,
                       const std::string &);
  template PlainMesh
  read_with_grid_in<3>(const std::string &,
                       const std::string &,
                       const std::string &);
} // namespace Ricochet
