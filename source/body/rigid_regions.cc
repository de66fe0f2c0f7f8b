// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/body/rigid_regions.h>
#include <ricochet/mesh/boundary_surface.h>
#include <ricochet/mesh/face_table.h>
#include <ricochet/rigid/mass_properties.h>

#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** For messages. */
    template <int dim>
    std::string
    text_of(const Point<dim> &point)
    {
      std::ostringstream text;
      text << "(" << point << ")";
      return text.str();
    }



    /** Number the regions of rigid cells in the material ids, from 1 on, and
     * return how many there are. */
    template <int dim>
    unsigned int
    number_regions(CoarseMesh<dim> &mesh)
    {
      std::vector<dealii::CellData<dim>> cells;
      for (const auto &cell : mesh.cells)
        if (cell.material_id == CoarseMesh<dim>::rigid_cell)
          cells.push_back(cell);
      const auto pieces = FaceTable<dim>(cells).pieces(cells.size());
      unsigned int next = 0, n_regions = 0;
      for (auto &cell : mesh.cells)
        if (cell.material_id == CoarseMesh<dim>::rigid_cell)
          {
            cell.material_id = pieces[next++] + 1;
            n_regions        = std::max(n_regions, cell.material_id);
          }
      return n_regions;
    }



    /** Refuse regions that meet in less than a face. */
    template <int dim>
    void
    check_apart(const CoarseMesh<dim> &mesh, const std::string &where)
    {
      std::vector<unsigned int> region(mesh.vertices.size(), 0);
      for (const auto &cell : mesh.cells)
        for (const unsigned int v : cell.vertices)
          if (cell.material_id > 0)
            {
              if (region[v] != 0 && region[v] != cell.material_id)
                throw UserError(
                  where +
                  ": two rigid regions, or two parts of one, touch each other "
                  "without a common face, at the node " +
                  text_of(mesh.vertices[v]) +
                  ". Take cells there into the region, so that it hangs "
                  "together by faces, or leave some out, so that deformable "
                  "cells are in between.");
              region[v] = cell.material_id;
            }
    }



    /** Refuse regions that deformable cells do not hang on by faces. */
    template <int dim>
    void
    check_faces(const CoarseMesh<dim> &mesh,
                const unsigned int n_regions,
                const std::string &where)
    {
      std::vector<bool> is_deformable(mesh.vertices.size()),
        is_on_face(mesh.vertices.size()), has_face(n_regions + 1);
      for (const auto &cell : mesh.cells)
        for (const unsigned int v : cell.vertices)
          if (cell.material_id == 0)
            is_deformable[v] = true;
      const auto id_of = [&](const auto &entry) {
        return mesh.cells[entry.cell].material_id;
      };
      FaceTable<dim>(mesh.cells).for_each_face([&](const auto &range) {
        if (range.second - range.first != 2 ||
            id_of(range.first[0]) == id_of(range.first[1]))
          return;
        has_face[id_of(range.first[0])] = has_face[id_of(range.first[1])] =
          true;
        for (const unsigned int v : range.first->key)
          is_on_face[v] = true;
      });
      for (const auto &cell : mesh.cells)
        for (const unsigned int v : cell.vertices)
          {
            if (cell.material_id == 0)
              continue;
            if (!has_face[cell.material_id])
              throw UserError(where + ": the rigid region at " +
                              text_of(mesh.vertices[v]) +
                              " has no face in common with deformable cells. "
                              "Make it a body of its own, with 'Rigid = true', "
                              "or take its group out of the list.");
            if (!is_on_face[v] && is_deformable[v])
              throw UserError(where + ": at the node " +
                              text_of(mesh.vertices[v]) +
                              " deformable cells touch a rigid region without "
                              "a face in common with it. Separate them there, "
                              "or take cells in between into the region.");
          }
    }



    /** The boundary of a region, and what it encloses. */
    template <int dim>
    RigidBody<dim>
    make_region(const CoarseMesh<dim> &mesh,
                const dealii::types::material_id number,
                const double density,
                const std::string &where)
    {
      CoarseMesh<dim> part;
      part.vertices = mesh.vertices;
      for (const auto &cell : mesh.cells)
        if (cell.material_id == number)
          part.cells.push_back(cell);
      dealii::GridTools::delete_unused_vertices(part.vertices,
                                                part.cells,
                                                part.subcell_data);
      BoundarySurface<dim> boundary =
        boundary_of(part, where + ", its rigid region");
      const VolumeMoments<dim> moments =
        moments_of_surface<dim>(boundary.facets.vertices,
                                boundary.facets.facets);

      RigidBody<dim> region;
      region.material     = number;
      region.mass.mass    = density * moments.volume;
      region.mass.inertia = density * moments.inertia();
      region.centre       = moments.centre;
      region.surface      = std::move(boundary.facets);
      for (Point<dim> &x : region.surface.vertices)
        x = Point<dim>(x - region.centre);
      region.facet_boundary_ids = std::move(boundary.boundary_ids);
      return region;
    }
  } // namespace



  template <int dim>
  std::vector<RigidBody<dim>>
  find_rigid_regions(CoarseMesh<dim> &mesh,
                     const double density,
                     const std::string &where)
  {
    const unsigned int n_regions = number_regions(mesh);
    require(n_regions > 0,
            where +
              ": 'Rigid material ids' names no cell of the body. Its "
              "groups must be among those of 'Material ids'.");
    require(std::any_of(mesh.cells.begin(),
                        mesh.cells.end(),
                        [](const auto &cell) { return cell.material_id == 0; }),
            where +
              ": all of its cells are in 'Rigid material ids'. Set "
              "'Rigid = true' instead.");
    mesh.n_rigid_regions = n_regions;
    check_apart(mesh, where);
    check_faces(mesh, n_regions, where);
    std::vector<RigidBody<dim>> regions;
    for (unsigned int number = 1; number <= n_regions; ++number)
      regions.push_back(make_region(mesh, number, density, where));
    return regions;
  }



  template std::vector<RigidBody<2>>
  find_rigid_regions(CoarseMesh<2> &, const double, const std::string &);
  template std::vector<RigidBody<3>>
  find_rigid_regions(CoarseMesh<3> &, const double, const std::string &);
} // namespace Ricochet
