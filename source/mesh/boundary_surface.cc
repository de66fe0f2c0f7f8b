// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/boundary_surface.h>
#include <ricochet/surface/extraction.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>

#include <utility>

namespace Ricochet
{
  template <int dim>
  BoundarySurface<dim>
  boundary_of(const CoarseMesh<dim> &mesh, const std::string &where)
  {
    dealii::Triangulation<dim> triangulation;
    mesh.create_triangulation(triangulation);
    dealii::DoFHandler<dim> dof_handler(triangulation);
    if (mesh.is_simplex())
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_SimplexP<dim>(1), dim));
    else
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_Q<dim>(1), dim));
    SurfaceSource<dim> part;
    part.dof_handler = &dof_handler;
    Surface<dim> surface;
    SurfaceNodes<dim> nodes;
    try
      {
        extract_surface<dim>({part}, MPI_COMM_SELF, surface, nodes);
      }
    catch (const UserError &error)
      {
        throw UserError(where + ": " + error.what());
      }

    BoundarySurface<dim> result;
    std::vector<dealii::Point<dim>> buffer;
    result.facets.vertices = surface.vertex_positions(nodes.positions, buffer);
    result.facets.facets   = std::move(surface.facets);
    result.boundary_ids    = std::move(surface.facet_boundary_id);
    return result;
  }



  template BoundarySurface<2>
  boundary_of(const CoarseMesh<2> &, const std::string &);
  template BoundarySurface<3>
  boundary_of(const CoarseMesh<3> &, const std::string &);
} // namespace Ricochet
