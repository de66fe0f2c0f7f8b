// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_source.h>
#include <ricochet/obstacle/obstacle.h>
#include <ricochet/surface/extraction.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>

namespace Ricochet
{
  using dealii::Point;

  /** The boundary of a mesh. */
  template <int dim>
  class MeshObstacle : public FacetedObstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      MeshSource<dim>::declare_parameters(prm);
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override;
  };



  template <int dim>
  void
  MeshObstacle<dim>::parse_parameters(dealii::ParameterHandler &prm,
                                      const std::string &owner)
  {
    MeshSource<dim> source;
    source.set_owner(owner);
    source.parse_parameters(prm);
    dealii::Triangulation<dim> triangulation;
    source.create(triangulation);

    dealii::DoFHandler<dim> dof_handler(triangulation);
    if (triangulation.all_reference_cells_are_hyper_cube())
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_Q<dim>(1), dim));
    else
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_SimplexP<dim>(1), dim));
    SurfaceSource<dim> part;
    part.dof_handler = &dof_handler;
    Surface<dim> extracted;
    SurfaceNodes<dim> nodes;
    try
      {
        extract_surface<dim>({part}, MPI_COMM_SELF, extracted, nodes);
      }
    catch (const UserError &error)
      {
        throw UserError(owner + ", section 'mesh': " + error.what());
      }
    std::vector<Point<dim>> buffer;
    this->boundary.vertices =
      extracted.vertex_positions(nodes.positions, buffer);
    this->boundary.facets = extracted.facets;
  }



  RICOCHET_REGISTER_OBSTACLE(
    MeshObstacle,
    "mesh",
    "The boundary of a mesh from a grid generator or a file, rigid; exact for "
    "its facets.")
} // namespace Ricochet
