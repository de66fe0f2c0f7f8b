// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_rigid_shape_h
#define ricochet_body_rigid_shape_h

#include <ricochet/mesh/boundary_ids.h>
#include <ricochet/mesh/mesh_source.h>
#include <ricochet/obstacle/obstacle.h>
#include <ricochet/rigid/mass_properties.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** The shape of a rigid body. */
  template <int dim>
  struct RigidShape
  {
    /** Closed and outward oriented. */
    ObstacleSurface<dim> surface;

    /** Of the face that each facet comes from. */
    std::vector<dealii::types::boundary_id> facet_boundary_ids;
    BoundaryNames boundary_names;

    /** Of what the surface encloses; for spheres and cylinders, whose facets
     * are chords, those of the exact shape. */
    VolumeMoments<dim> moments;

    /** Sentences for the user, and lines of text about the mesh. */
    std::vector<std::string> notes, summary;
  };



  /** Where the surface of a rigid body comes from: the boundary of a mesh, a
   * file with a surface, or a sphere, box or cylinder. */
  template <int dim>
  class RigidShapeSource
  {
  public:
    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Read it.
     *
     * @param[in] owner Start of error messages.
     * @param[in] base_directory Where relative names of files start.
     * Throws a UserError that names the entry.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner,
                     const std::string &base_directory);

    /** Whether it is the boundary of a mesh. */
    bool
    takes_mesh() const
    {
      return type == "mesh";
    }

    /** For messages. */
    std::string
    description() const
    {
      return "'Rigid body/Surface' = " + type;
    }

    /**
     * The shape, placed by @p source (which has the mesh, if it takes one) but
     * for its translation. Throws a UserError if it is not closed or faces
     * inward. Collective.
     */
    RigidShape<dim>
    create(const MeshSource<dim> &source, const MPI_Comm communicator) const;

  private:
    RigidShape<dim>
    boundary_of_mesh(const MeshSource<dim> &source,
                     const MPI_Comm communicator) const;

    RigidShape<dim>
    read_surface(const MPI_Comm communicator) const;

    /** Sphere, box, or cylinder. */
    RigidShape<dim>
    analytic_shape() const;

    std::string owner;
    std::string type;

    /** Of a file with a surface. */
    std::string file;
    double scale = 1.;
    bool reverse = false;

    /** Of spheres and cylinders. */
    dealii::Point<dim> centre;
    double radius              = 1.;
    unsigned int n_refinements = 0;
    double length              = 1.;
    dealii::Tensor<1, dim> axis;
    unsigned int n_around = 0, n_along = 0;

    /** Of a box. */
    std::array<dealii::Point<dim>, 2> corners;
  };
} // namespace Ricochet

#endif
