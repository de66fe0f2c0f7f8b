// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/number_list.h>
#include <ricochet/body/body.h>
#include <ricochet/body/rigid_regions.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <utility>

namespace Ricochet
{
  namespace
  {
    namespace Patterns = dealii::Patterns;

    /**
     * Random numbers that are the same on every platform: the standard fixes
     * the generator, but not its distributions.
     */
    class RandomNumbers
    {
    public:
      explicit RandomNumbers(const unsigned long int seed)
        : generator(seed)
      {}

      /** Uniform in [-1, 1). */
      double
      symmetric()
      {
        return 2 * uniform() - 1;
      }

      /** Uniform in [0, 1): the upper 53 of 64 bits. */
      double
      uniform()
      {
        return static_cast<double>(generator() >> 11) * 0x1p-53;
      }

    private:
      std::mt19937_64 generator;
    };



    /** A turn by at most @p largest_angle; its axis has no preferred direction.
     */
    template <int dim>
    RotationVector<dim>
    random_rotation(RandomNumbers &random, const double largest_angle)
    {
      RotationVector<dim> vector;
      if constexpr (dim == 2)
        vector[0] = largest_angle * random.symmetric();
      else
        {
          // The height on a sphere is uniformly distributed (Archimedes).
          const double z         = random.symmetric();
          const double longitude = dealii::numbers::PI * random.symmetric();
          const double radius    = std::sqrt(1 - z * z);
          const double angle     = largest_angle * random.uniform();
          vector[0]              = angle * radius * std::cos(longitude);
          vector[1]              = angle * radius * std::sin(longitude);
          vector[2]              = angle * z;
        }
      return vector;
    }



    template <int dim>
    void
    declare_lattice(dealii::ParameterHandler &prm)
    {
      declare_numbers(prm,
                      "Repeat",
                      dim,
                      "1",
                      "Number of copies of this body in each direction. Units: "
                      "none.",
                      Patterns::Integer(1));
      declare_numbers(prm,
                      "Repeat spacing",
                      dim,
                      "0",
                      "Distance from copy to copy in each direction. Units: "
                      "length.",
                      Patterns::Double());
      prm.declare_entry("Random rotation",
                        "0",
                        Patterns::Double(0, 180),
                        "Every copy is turned, about the origin of the mesh's "
                        "own coordinates, by a random angle of at most this "
                        "size (in 3D about a random axis). Units: degrees.");
      prm.declare_entry("Random shift",
                        "0",
                        Patterns::List(Patterns::Double(0), 1, dim),
                        "Every copy is moved by a random distance of at most "
                        "this size in each direction; one number, or one for "
                        "each direction. Units: length.");
      prm.declare_entry("Random seed",
                        "0",
                        Patterns::Integer(0),
                        "Another number gives other random rotations and "
                        "shifts, the same number the same ones, everywhere. "
                        "Units: none.");
    }



    template <int dim>
    void
    declare_motion(dealii::ParameterHandler &prm,
                   const std::vector<std::string> &motion_names)
    {
      const std::string zero = dim == 2 ? "0; 0" : "0; 0; 0";
      const std::string components =
        "one expression for each component, separated by ';', ";
      prm.declare_entry("Initial velocity",
                        zero,
                        Patterns::Anything(),
                        "Velocity at time zero: " + components +
                          "in the reference position x, y[, z]. Units: length "
                          "over time.");
      declare_numbers(prm,
                      "Spin",
                      n_rotations<dim>,
                      "0",
                      "Angular velocity at time zero about the centre of mass, "
                      "in addition to the initial velocity. Units: radians "
                      "over time.",
                      Patterns::Double());
      prm.declare_entry("Body force",
                        zero,
                        Patterns::Anything(),
                        "Force per mass, that is an acceleration such as "
                        "gravity: " +
                          components +
                          "in the reference position x, y[, z] and the time t. "
                          "Units: length over time squared.");
      prm.enter_subsection("Prescribed motion");
      for (const std::string &name : motion_names)
        {
          prm.enter_subsection(name);
          PrescribedMotion<dim>::declare_parameters(prm);
          prm.leave_subsection();
        }
      prm.leave_subsection();
    }



    template <int dim>
    void
    declare_material(dealii::ParameterHandler &prm)
    {
      prm.enter_subsection("Material");
      declare_choice<Material<dim>>(
        prm,
        "Law",
        "neo-Hookean",
        "Stress from deformation. Only the entries of the chosen law are used. "
        "Units: none.\n" +
          Registry<Material<dim>>::documentation());
      declare_classes<Material<dim>, Sections::shared>(prm);
      prm.leave_subsection();
    }
  } // namespace



  template <int dim>
  dealii::Tensor<1, dim>
  Body<dim>::velocity_at(const dealii::Point<dim> &position,
                         const dealii::Point<dim> &centre) const
  {
    return initial_velocity.value(position, 0.) +
           rotational_velocity<dim>(spin, position - centre);
  }



  template <int dim>
  unsigned int
  Body<dim>::refinement_level(const dealii::Point<dim> &centre) const
  {
    if (local_refinement.is_zero())
      return 0;
    const double level = local_refinement.value(centre, 0.)[0];
    std::ostringstream place;
    place << centre;
    require(level <= 12.,
            "Body '" + name + "': 'Local refinement' is " +
              std::to_string(level) + " at the point (" + place.str() +
              "), but at most 12 cuts are possible. Lower it.");
    return level > 0. ? static_cast<unsigned int>(std::ceil(level)) : 0;
  }



  template <int dim>
  void
  BodyParameters<dim>::declare_parameters(
    dealii::ParameterHandler &prm,
    const std::vector<std::string> &motion_names)
  {
    prm.enter_subsection("Mesh");
    MeshSource<dim>::declare_parameters(prm);
    prm.leave_subsection();
    prm.declare_entry("Contact boundary ids",
                      "",
                      Patterns::Anything(),
                      "Ids or names of the boundary faces that can touch other "
                      "bodies, separated by ','; empty means all. Units: "
                      "none.");
    declare_material<dim>(prm);
    prm.declare_entry("Element formulation",
                      "full",
                      Patterns::Selection("full|F-bar|reduced"),
                      "For quadrilaterals and hexahedra of degree 1. full: "
                      "2^dim points; too stiff when the material hardly "
                      "changes its volume, as metals that flow and rubber. "
                      "F-bar: the change of volume is constant in each cell, "
                      "which cures that. reduced: one point, and a stiffness "
                      "against hourglass modes; the fastest choice for costly "
                      "laws, and soft in bending. Units: none.");
    prm.declare_entry("Hourglass stiffness",
                      "0.02",
                      Patterns::Double(0.),
                      "Of the formulation 'reduced', relative to the shear "
                      "modulus. Less, such as 0.005, suits metals that flow "
                      "far, whose own stiffness is then small. Its energy "
                      "counts as internal energy. Units: none.");
    declare_motion<dim>(prm, motion_names);
    declare_lattice<dim>(prm);
    prm.declare_entry(
      "Rigid",
      "false",
      Patterns::Bool(),
      "Whether the body does not deform: a tool, a projectile, a grain. Of its "
      "mesh only the boundary counts, of 'Material' only 'Density'; 'Local "
      "refinement', 'Element degree', 'Element formulation' and the kind of "
      "the mass matrix do not matter, and instead of 'Prescribed motion' there "
      "is what is held in 'Rigid body'. 'Initial velocity' and 'Body force' "
      "are those at the centre of mass. Units: none.");
    prm.declare_entry("Density of rigid cells",
                      "0",
                      Patterns::Double(0.),
                      "Of the cells that 'Rigid material ids' in 'Mesh' names; "
                      "0 is the 'Density' of the material. Units: mass over "
                      "volume (in 2D over area).");
    prm.enter_subsection("Rigid body");
    RigidShapeSource<dim>::declare_parameters(prm);
    RigidParameters<dim>::declare_parameters(prm);
    prm.leave_subsection();
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_parameters(
    dealii::ParameterHandler &prm,
    const std::string &name,
    const std::vector<std::string> &motion_names,
    const std::string &base_directory)
  {
    owner          = "Body '" + name + "'";
    prototype.name = name;

    mesh_source.set_owner(owner);
    mesh_source.set_base_directory(base_directory);
    rigid = prm.get_bool("Rigid");
    if (rigid)
      parse_rigid(prm, motion_names, base_directory);
    prm.enter_subsection("Mesh");
    if (!rigid || rigid_shape.takes_mesh())
      mesh_source.parse_parameters(prm);
    else
      mesh_source.parse_placement(prm, rigid_shape.description());
    prm.leave_subsection();
    prototype.local_refinement = mesh_source.get_local_refinement();

    contact_boundaries = prm.get("Contact boundary ids");
    if (!rigid)
      parse_material(prm);
    parse_regions(prm);
    parse_formulation(prm);
    parse_lattice(prm);

    const auto function = [&](const std::string &entry) {
      return VectorFunction<dim>(prm.get(entry),
                                 owner + ", entry '" + entry + "'");
    };
    prototype.initial_velocity = function("Initial velocity");
    prototype.body_force       = function("Body force");
    prototype.spin             = get_numbers<n_rotations<dim>>(prm, "Spin");

    parse_motions(prm, motion_names);
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_motions(
    dealii::ParameterHandler &prm,
    const std::vector<std::string> &motion_names)
  {
    prm.enter_subsection("Prescribed motion");
    prototype.prescribed_motions.clear();
    for (const std::string &motion_name : motion_names)
      {
        prm.enter_subsection(motion_name);
        prototype.prescribed_motions.emplace_back();
        prototype.prescribed_motions.back().parse_parameters(prm,
                                                             motion_name,
                                                             owner);
        prm.leave_subsection();
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_rigid(dealii::ParameterHandler &prm,
                                   const std::vector<std::string> &motion_names,
                                   const std::string &base_directory)
  {
    if (!motion_names.empty())
      throw UserError(owner +
                      " is rigid, but its section 'Prescribed motion' "
                      "has '" +
                      motion_names[0] +
                      "', which is for boundaries of bodies that deform. "
                      "Remove it and set 'Held', 'Held velocity' and 'Held "
                      "angular velocity' in 'Rigid body' instead.");
    const std::string place = owner + ", section 'Rigid body'";
    prm.enter_subsection("Rigid body");
    rigid_shape.parse_parameters(prm, place, base_directory);
    rigid_parameters.parse_parameters(prm, place);
    prm.leave_subsection();
    if (!rigid_parameters.needs_density())
      return;
    prm.enter_subsection("Material");
    try
      {
        density = parse_density(prm);
      }
    catch (const UserError &error)
      {
        throw UserError(owner + ", section 'Material': " + error.what() +
                        " Or give the 'Mass' in 'Rigid body'.");
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_material(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Material");
    try
      {
        prototype.material =
          choose<Material<dim>, Sections::shared>(prm, "Law");
      }
    catch (const UserError &error)
      {
        throw UserError(owner + ", section 'Material': " + error.what());
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_regions(const dealii::ParameterHandler &prm)
  {
    if (!mesh_source.has_rigid_cells())
      return;
    require(!rigid,
            owner +
              " is rigid as a whole, so that 'Rigid material ids' in "
              "'Mesh' says nothing. Remove one of both.");
    density = prm.get_double("Density of rigid cells");
    if (density == 0.)
      density = prototype.material->density();
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_formulation(const dealii::ParameterHandler &prm)
  {
    using Kind                      = ElementFormulation::Kind;
    const std::string name          = prm.get("Element formulation");
    ElementFormulation &formulation = prototype.formulation;
    formulation.kind                = name == "F-bar"     ? Kind::f_bar
                                      : name == "reduced" ? Kind::reduced
                                                          : Kind::full;
    formulation.hourglass_stiffness = prm.get_double("Hourglass stiffness");
  }



  template <int dim>
  void
  BodyParameters<dim>::parse_lattice(dealii::ParameterHandler &prm)
  {
    const auto numbers = get_numbers<dim>(prm, "Repeat");
    spacing            = get_numbers<dim>(prm, "Repeat spacing");
    for (unsigned int d = 0; d < dim; ++d)
      {
        repeat[d] = static_cast<unsigned int>(numbers[d]);
        require(repeat[d] == 1 || spacing[d] != 0,
                owner + ": 'Repeat spacing' = " + prm.get("Repeat spacing") +
                  " puts copies into the same place. It must not be zero where "
                  "'Repeat' = " +
                  prm.get("Repeat") + " is more than 1.");
      }
    largest_shift = get_numbers<dim>(prm, "Random shift");
    largest_angle =
      prm.get_double("Random rotation") * (dealii::numbers::PI / 180);
    seed = prm.get_integer("Random seed");
  }



  template <int dim>
  unsigned int
  BodyParameters<dim>::n_copies() const
  {
    unsigned int n = 1;
    for (const unsigned int r : repeat)
      n *= r;
    return n;
  }



  template <int dim>
  std::string
  BodyParameters<dim>::copy_name(const Index &index) const
  {
    if (n_copies() == 1)
      return prototype.name;
    std::string name = prototype.name + "[" + std::to_string(index[0]);
    for (unsigned int d = 1; d < dim; ++d)
      name += "," + std::to_string(index[d]);
    return name + "]";
  }



  template <int dim>
  std::vector<typename BodyParameters<dim>::Copy>
  BodyParameters<dim>::copies() const
  {
    RandomNumbers random(seed);
    std::vector<Copy> result(n_copies());
    for (unsigned int c = 0; c < result.size(); ++c)
      {
        Index index;
        unsigned int rest = c;
        for (unsigned int d = 0; d < dim; ++d)
          {
            index[d] = rest % repeat[d];
            rest /= repeat[d];
          }

        // Drawn whether needed or not, so that the shifts stay the same when
        // the rotations are switched on.
        result[c].rotation =
          rotation_matrix<dim>(random_rotation<dim>(random, largest_angle));
        result[c].shift = mesh_source.get_translation();
        for (unsigned int d = 0; d < dim; ++d)
          result[c].shift[d] +=
            index[d] * spacing[d] + largest_shift[d] * random.symmetric();
        result[c].name = copy_name(index);
      }
    return result;
  }



  template <int dim>
  std::vector<Body<dim>>
  BodyParameters<dim>::create_bodies(const MPI_Comm communicator) const
  {
    const CoarseMesh<dim> mesh = mesh_source.create_for_forest(communicator);
    Body<dim> body             = prototype;
    for (auto &motion : body.prescribed_motions)
      motion.find_boundaries(mesh.boundary_names, owner);
    body.contact_boundary_ids =
      mesh.boundary_names.ids_of_list(contact_boundaries,
                                      owner + ", 'Contact boundary ids'");

    std::vector<Body<dim>> bodies;
    for (const Copy &copy : copies())
      {
        bodies.push_back(body);
        bodies.back().name = copy.name;
        bodies.back().mesh = mesh;
        bodies.back().mesh.transform(copy.rotation, copy.shift);
        if (mesh_source.has_rigid_cells())
          find_regions(bodies.back());
      }
    return bodies;
  }



  template <int dim>
  void
  BodyParameters<dim>::find_regions(Body<dim> &body) const
  {
    body.rigid_regions = find_rigid_regions(body.mesh, density, owner);
    const bool is_one  = body.rigid_regions.size() == 1;
    for (unsigned int k = 0; k < body.rigid_regions.size(); ++k)
      {
        RigidBody<dim> &region = body.rigid_regions[k];
        region.name =
          body.name + ".rigid" + (is_one ? "" : "[" + std::to_string(k) + "]");
        region.body_force           = body.body_force;
        region.contact_boundary_ids = body.contact_boundary_ids;
      }
  }



  template <int dim>
  typename BodyParameters<dim>::RigidBodies
  BodyParameters<dim>::create_rigid_bodies(const MPI_Comm communicator) const
  {
    RigidShape<dim> shape = rigid_shape.create(mesh_source, communicator);
    RigidBody<dim> body;
    body.initial_velocity = prototype.initial_velocity;
    body.spin             = prototype.spin;
    body.body_force       = prototype.body_force;
    body.contact_boundary_ids =
      shape.boundary_names.ids_of_list(contact_boundaries,
                                       owner + ", 'Contact boundary ids'");
    RigidBodies result;
    result.notes   = std::move(shape.notes);
    result.summary = std::move(shape.summary);
    rigid_parameters.apply(std::move(shape),
                           mesh_source.get_rotation(),
                           mesh_source.get_scale(),
                           density,
                           body);
    for (const Copy &copy : copies())
      {
        result.bodies.push_back(body);
        result.bodies.back().name = copy.name;
        result.bodies.back().place(copy.rotation, copy.shift);
      }
    result.summary.push_back(summary_of(result.bodies[0]));
    return result;
  }



  template struct Body<2>;
  template struct Body<3>;
  template class BodyParameters<2>;
  template class BodyParameters<3>;
} // namespace Ricochet
