// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_model_h
#define ricochet_simulation_model_h

#include <ricochet/base/parameter_file.h>
#include <ricochet/body/body.h>
#include <ricochet/body/solids.h>
#include <ricochet/contact.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** What moves and what it can hit: bodies, obstacles, and the contact between
   * all of them, as a parameter file describes them. */
  template <int dim>
  class Model
  {
  public:
    /** Empty until parse_parameters(). */
    explicit Model(const MPI_Comm communicator);

    /** Declare the sections 'Mass', 'Bodies', 'Obstacles' and 'Contact', with
     * the user-named sections of @p file. */
    static void
    declare_parameters(dealii::ParameterHandler &prm,
                       const ParameterFile &file);

    /**
     * Read them, and the meshes that they name. The names of mesh files in
     * @p prm become absolute, so that it can be printed and run from elsewhere.
     * Throws a UserError for what cannot be.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm, const ParameterFile &file);

    /** Make the bodies, once; prepare() is to follow. Collective. */
    void
    build();

    /**
     * Fit contact to the bodies at the positions and the time of @p state:
     * after build(), and after each change of mesh, surface or bodies. Contact
     * keeps what it remembers beyond a step, if the nodes are as before.
     * Collective.
     */
    void
    prepare(const State &state);

    /** The bodies, from parse_parameters() on; empty until build(). */
    const Solids<dim> &
    get_solids() const
    {
      return *solids;
    }

    /** The contact of all bodies and obstacles. */
    Contact<dim> &
    get_contact()
    {
      return contact;
    }

    /** The same, to look at. */
    const Contact<dim> &
    get_contact() const
    {
      return contact;
    }

    /** Of bodies that deform, rigid bodies and obstacles, in the order of their
     * numbers. */
    const std::vector<std::string> &
    get_names() const
    {
      return names;
    }

    /** What the user should know about meshes that can be used, as sentences;
     * from parse_parameters() on. */
    const std::vector<std::string> &
    get_notes() const
    {
      return notes;
    }

    /** Lines of text about the meshes of all bodies, between
     * parse_parameters() and build(). Copies are told of once. */
    std::vector<std::string>
    mesh_summary() const;

    /** The obstacles, in the order of their numbers. */
    const std::vector<PlacedObstacle<dim>> &
    get_obstacles() const
    {
      return obstacles;
    }

    /** Whether anything can touch. */
    bool
    expects_contact() const
    {
      return any_contact;
    }

  private:
    /** Keep the bodies of one section of 'Bodies'. */
    void
    add_bodies(const BodyParameters<dim> &parameters,
               const std::string &section);

    void
    parse_obstacles(dealii::ParameterHandler &prm, const ParameterFile &file);

    const MPI_Comm communicator;
    std::vector<Body<dim>> bodies; // until they are built
    std::vector<RigidBody<dim>> rigid_bodies;
    std::vector<std::string> names, notes;

    /** First body and number of bodies of each section with deformable ones.
     */
    std::vector<std::pair<unsigned int, unsigned int>> sections;

    /** Lines of mesh_summary() about the rigid ones. */
    std::vector<std::string> rigid_summary;
    std::vector<PlacedObstacle<dim>> obstacles;
    bool lumped_contact = true;
    bool any_contact    = false;
    std::unique_ptr<Solids<dim>> solids;
    Contact<dim> contact;
  };
} // namespace Ricochet

#endif
