// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_body_h
#define ricochet_body_body_h

#include <ricochet/base/rotation.h>
#include <ricochet/base/vector_function.h>
#include <ricochet/body/prescribed_motion.h>
#include <ricochet/body/rigid_body.h>
#include <ricochet/body/rigid_parameters.h>
#include <ricochet/body/rigid_shape.h>
#include <ricochet/element/element_formulation.h>
#include <ricochet/material/material.h>
#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/mesh/mesh_source.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** One deformable body, placed and ready to join a forest. */
  template <int dim>
  struct Body
  {
    std::string name;
    CoarseMesh<dim> mesh;
    std::shared_ptr<const Material<dim>> material;
    ElementFormulation formulation;

    /** Of the reference position at time zero. Units: length over time. */
    VectorFunction<dim> initial_velocity;

    /** Angular velocity about the centre of mass, radians over time. */
    RotationVector<dim> spin;

    /** Force per mass as a function of reference position and time. */
    VectorFunction<dim> body_force;

    std::vector<PrescribedMotion<dim>> prescribed_motions;

    /** How often cells are cut where they stand, see MeshSource. */
    VectorFunction<dim, 1> local_refinement;

    /** Boundary faces that take part in contact; all if empty. */
    BoundaryIds contact_boundary_ids;

    /** The regions of cells that do not deform, see find_rigid_regions(). */
    std::vector<RigidBody<dim>> rigid_regions;

    /**
     * Velocity at time zero of the material point at @p position, with the
     * spin about the centre of mass @p centre.
     */
    dealii::Tensor<1, dim>
    velocity_at(const dealii::Point<dim> &position,
                const dealii::Point<dim> &centre) const;

    /**
     * How often the cell at @p centre is to be cut. Throws a UserError if that
     * is more than any run could want.
     */
    unsigned int
    refinement_level(const dealii::Point<dim> &centre) const;
  };



  /**
   * What one subsection of the section Bodies says: a body, or a lattice of
   * equal ones.
   */
  template <int dim>
  class BodyParameters
  {
  public:
    /**
     * Declare the entries of the section that the caller has entered.
     *
     * @param[in] motion_names Names of the subsections that the user wrote
     *   below "Prescribed motion".
     */
    static void
    declare_parameters(dealii::ParameterHandler &prm,
                       const std::vector<std::string> &motion_names);

    /**
     * Read the section that the caller has entered.
     *
     * @param[in] name The name of the section.
     * @param[in] motion_names As for declare_parameters().
     * @param[in] base_directory Folder at which relative file names start.
     * Throws a UserError that names the body.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &name,
                     const std::vector<std::string> &motion_names,
                     const std::string &base_directory);

    /** Whether the bodies do not deform. */
    bool
    is_rigid() const
    {
      return rigid;
    }

    /** Number of bodies that this section stands for. */
    unsigned int
    n_copies() const;

    /**
     * The bodies if they deform, copies along x first. A single one has the
     * name of the section, copies are called name[i,j,k] with indices from
     * zero.
     *
     * Copy (i,j,k) is placed at R_c x + translation + shift_c + (i,j,k) *
     * spacing, where x is the scaled and rotated mesh, and R_c and shift_c are
     * random; they depend on the seed and the copy only, not on the platform.
     * Rigid regions are called after their body, name.rigid, several of them
     * name.rigid[0] and so on. All copies share one material. Throws a
     * UserError when something is wrong with the mesh or boundary ids do not
     * exist. Collective: a mesh file is read by the first rank only.
     */
    std::vector<Body<dim>>
    create_bodies(const MPI_Comm communicator) const;

    /** What create_rigid_bodies() gives. */
    struct RigidBodies
    {
      std::vector<RigidBody<dim>> bodies;

      /** Sentences about the shape for the user, and lines of text about the
       * first body. */
      std::vector<std::string> notes, summary;
    };

    /** The same bodies if they are rigid. Throws a UserError also for a surface
     * that is not closed and an inertia that no body has. Collective. */
    RigidBodies
    create_rigid_bodies(const MPI_Comm communicator) const;

  private:
    using Index = std::array<unsigned int, dim>;

    /** A copy of the body. */
    struct Copy
    {
      std::string name;

      /** Of the mesh without translation. */
      dealii::Tensor<2, dim> rotation;
      dealii::Tensor<1, dim> shift;
    };

    void
    parse_lattice(dealii::ParameterHandler &prm);

    void
    parse_material(dealii::ParameterHandler &prm);

    /** What is said only of the rigid cells of a body that deforms. */
    void
    parse_regions(const dealii::ParameterHandler &prm);

    void
    parse_formulation(const dealii::ParameterHandler &prm);

    /** What is said only of rigid bodies. */
    void
    parse_rigid(dealii::ParameterHandler &prm,
                const std::vector<std::string> &motion_names,
                const std::string &base_directory);

    void
    parse_motions(dealii::ParameterHandler &prm,
                  const std::vector<std::string> &motion_names);

    /** Give a body its rigid regions, and the cells of its mesh their numbers.
     */
    void
    find_regions(Body<dim> &body) const;

    std::string
    copy_name(const Index &index) const;

    std::vector<Copy>
    copies() const;

    std::string owner; // for messages
    std::string contact_boundaries;
    MeshSource<dim> mesh_source;

    /** All that the copies have in common; of rigid bodies the motion. */
    Body<dim> prototype;

    bool rigid = false;
    RigidShapeSource<dim> rigid_shape;
    RigidParameters<dim> rigid_parameters;
    double density = 0.; // if the rigid bodies need one, or of rigid cells

    Index repeat;
    dealii::Tensor<1, dim> spacing, largest_shift;
    double largest_angle   = 0.; // radians
    unsigned long int seed = 0;
  };
} // namespace Ricochet

#endif
