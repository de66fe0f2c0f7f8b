// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/boundary_surface.h>
#include <ricochet/mesh/mesh_source.h>
#include <ricochet/obstacle/obstacle.h>

namespace Ricochet
{
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
    CoarseMesh<dim> mesh = source.create_untranslated();
    mesh.transform(dealii::unit_symmetric_tensor<dim>(),
                   source.get_translation());
    this->boundary = boundary_of(mesh, owner + ", section 'mesh'").facets;
  }



  RICOCHET_REGISTER_OBSTACLE(
    MeshObstacle,
    "mesh",
    "The boundary of a mesh from a grid generator or a file, rigid; exact for "
    "its facets.")
} // namespace Ricochet
