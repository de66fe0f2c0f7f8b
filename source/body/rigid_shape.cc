// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/number_list.h>
#include <ricochet/body/rigid_shape.h>
#include <ricochet/mesh/boundary_surface.h>
#include <ricochet/mesh/mesh_summary.h>
#include <ricochet/mesh/surface_mesh.h>
#include <ricochet/obstacle/shape_surfaces.h>
#include <ricochet/obstacle/stl_surface.h>

#include <deal.II/base/patterns.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

namespace Ricochet
{
  using dealii::ParameterHandler;
  using dealii::Point;
  using dealii::Tensor;
  namespace Patterns = dealii::Patterns;

  namespace
  {
    template <int dim>
    void
    declare_shapes(ParameterHandler &prm)
    {
      const auto declare_radius = [&]() {
        prm.declare_entry("Radius",
                          "1",
                          Patterns::Double(),
                          "Positive. Units: length.");
      };
      const auto declare_centre = [&]() {
        declare_numbers(prm,
                        "Centre",
                        dim,
                        "0",
                        "Its centre. Units: length.",
                        Patterns::Double());
      };
      prm.enter_subsection("sphere");
      declare_centre();
      declare_radius();
      prm.declare_entry("Refinements",
                        "2",
                        Patterns::Integer(0, 8),
                        dim == 2
                          ? "The circle is a polygon of 8 sides, which are cut "
                            "into two as often as this. Units: none."
                          : "The surface is an icosahedron whose 20 triangles "
                            "are cut into four as often as this, with vertices "
                            "on the sphere. Units: none.");
      prm.leave_subsection();

      prm.enter_subsection("box");
      declare_numbers(prm,
                      "Lower corner",
                      dim,
                      "0",
                      "The corner with the smallest coordinates. Units: "
                      "length.",
                      Patterns::Double());
      declare_numbers(prm,
                      "Upper corner",
                      dim,
                      "1",
                      "The corner with the largest coordinates. Units: length.",
                      Patterns::Double());
      prm.leave_subsection();
      if (dim == 2)
        return;

      prm.enter_subsection("cylinder");
      declare_centre();
      declare_radius();
      prm.declare_entry("Length",
                        "1",
                        Patterns::Double(),
                        "From end to end. Positive. Units: length.");
      prm.declare_entry("Axis",
                        "0, 0, 1",
                        Patterns::List(Patterns::Double(), dim, dim),
                        "Vector of any length along the axis. Units: none.");
      prm.declare_entry("Sides",
                        "24",
                        Patterns::Integer(3, 10000),
                        "Flat sides around the axis, with edges on the "
                        "cylinder. Units: none.");
      prm.declare_entry("Cuts",
                        "1",
                        Patterns::Integer(1, 10000),
                        "Pieces of each side along the axis. Units: none.");
      prm.leave_subsection();

      prm.enter_subsection("surface mesh");
      prm.declare_entry(
        "Mesh file",
        "",
        Patterns::Anything(),
        "File with a closed surface that faces outward, and into holes: STL, "
        "text or binary (.stl), or triangles and quadrilaterals in one of the "
        "formats of 'Mesh/Mesh file'. A relative name starts at the folder of "
        "the parameter file. Units: length, for the coordinates in the file.");
      prm.declare_entry("Scale",
                        "1",
                        Patterns::Double(1e-300),
                        "Factor on the coordinates of the file, such as 0.001 "
                        "from mm to m. Units: none.");
      prm.declare_entry("Reverse",
                        "false",
                        Patterns::Bool(),
                        "Turn all facets of the file around. Units: none.");
      prm.leave_subsection();
    }



    /** Refuse shells of an STL file that no solid has. */
    void
    check_shells(const SurfaceCheck &check, const std::string &where)
    {
      for (const Shell &shell : check.shells)
        {
          std::ostringstream message;
          message << where;
          if (!shell.is_closed())
            message << ": the surface is not closed: " << shell.n_open_edges
                    << " edges have one triangle only, such as that from ("
                    << shell.open_edge[0] << ") to (" << shell.open_edge[1]
                    << "). A rigid body needs a surface with an inside. Close "
                       "it in the program that wrote the file.";
          else if (shell.has_volume &&
                   (shell.volume > 0.) != (shell.depth % 2 == 0))
            message << ": the closed piece of the surface with the volume "
                    << shell.volume << " around (" << shell.middle << ") faces "
                    << (shell.volume > 0. ? "outward" : "inward")
                    << (shell.depth == 0 ? ""
                                         : ", but lies inside of another one")
                    << ". Change 'Reverse' if that is so for all of the file, "
                       "or turn the piece in the program that wrote it.";
          else
            continue;
          throw UserError(message.str());
        }
    }



    /** The rotation that turns the z axis into a unit vector. */
    Tensor<2, 3>
    rotation_of_z_to(const Tensor<1, 3> &unit)
    {
      const Tensor<1, 3> z({0., 0., 1.});
      Tensor<1, 3> vector = cross_product_3d(z, unit);
      const double sine   = vector.norm();
      const double angle  = std::atan2(sine, unit[2]);
      if (sine > 0.)
        vector *= angle / sine;
      else if (unit[2] < 0.)
        vector[0] = angle;
      return rotation_matrix<3>(vector);
    }
  } // namespace



  template <int dim>
  void
  RigidShapeSource<dim>::declare_parameters(ParameterHandler &prm)
  {
    prm.declare_entry(
      "Surface",
      "mesh",
      Patterns::Selection(dim == 2 ? "mesh|sphere|box"
                                   : "mesh|surface mesh|sphere|box|cylinder"),
      "Where the surface comes from: 'mesh', the boundary of the mesh of the "
      "section 'Mesh'; else a shape with a subsection of its own" +
        std::string(dim == 2 ? " (a sphere is a disk)" : "") +
        ", of which 'Mesh' has only 'Scale', 'Rotation' and 'Translation'. "
        "Units: none.");
    declare_shapes<dim>(prm);
  }



  template <int dim>
  void
  RigidShapeSource<dim>::parse_parameters(ParameterHandler &prm,
                                          const std::string &new_owner,
                                          const std::string &base_directory)
  {
    owner = new_owner;
    type  = prm.get("Surface");
    if (takes_mesh())
      return;
    prm.enter_subsection(type);
    const auto positive = [&](const std::string &entry) {
      const double value = prm.get_double(entry);
      require(value > 0.,
              owner + ": '" + type + "/" + entry + "' = " + prm.get(entry) +
                " must be positive.");
      return value;
    };
    if (type == "surface mesh")
      {
        file = prm.get("Mesh file");
        require(!file.empty(),
                owner +
                  ": 'Surface' = surface mesh needs a file. Set 'surface "
                  "mesh/Mesh file'.");
        file    = (std::filesystem::path(base_directory) / file).string();
        scale   = prm.get_double("Scale");
        reverse = prm.get_bool("Reverse");
      }
    else if (type == "box")
      {
        corners[0] = Point<dim>(get_numbers<dim>(prm, "Lower corner"));
        corners[1] = Point<dim>(get_numbers<dim>(prm, "Upper corner"));
        for (unsigned int d = 0; d < dim; ++d)
          require(corners[0][d] < corners[1][d],
                  owner + ": 'box/Lower corner' = " + prm.get("Lower corner") +
                    " must have smaller coordinates than 'Upper corner' = " +
                    prm.get("Upper corner") + ".");
      }
    else
      {
        centre = Point<dim>(get_numbers<dim>(prm, "Centre"));
        radius = positive("Radius");
      }
    if (type == "sphere")
      n_refinements = prm.get_integer("Refinements");
    if (type == "cylinder")
      {
        length   = positive("Length");
        n_around = prm.get_integer("Sides");
        n_along  = prm.get_integer("Cuts");
        axis     = get_numbers<dim>(prm, "Axis");
        require(axis.norm() > 0.,
                owner + ": 'cylinder/Axis' = " + prm.get("Axis") +
                  " has no length.");
        axis /= axis.norm();
      }
    prm.leave_subsection();
  }



  template <int dim>
  RigidShape<dim>
  RigidShapeSource<dim>::boundary_of_mesh(const MeshSource<dim> &source,
                                          const MPI_Comm communicator) const
  {
    const CoarseMesh<dim> mesh    = source.create_untranslated(communicator);
    BoundarySurface<dim> boundary = boundary_of(mesh, owner + ", its mesh");
    RigidShape<dim> shape;
    shape.surface            = std::move(boundary.facets);
    shape.facet_boundary_ids = std::move(boundary.boundary_ids);
    shape.boundary_names     = mesh.boundary_names;
    shape.moments =
      moments_of_surface<dim>(shape.surface.vertices, shape.surface.facets);
    shape.summary = summary_of_mesh(mesh);
    shape.notes   = mesh.notes;
    if (!mesh.curved_nodes.empty())
      shape.notes.push_back(
        "is rigid: its quadratic cells count with straight edges.");
    if (!source.get_local_refinement().is_zero())
      shape.notes.push_back(
        "is rigid: its 'Local refinement' does nothing. Use "
        "'Refinements' for a finer surface.");
    return shape;
  }



  template <int dim>
  RigidShape<dim>
  RigidShapeSource<dim>::read_surface(
    [[maybe_unused]] const MPI_Comm communicator) const
  {
    RigidShape<dim> shape;
    if constexpr (dim == 3)
      {
        const std::string name  = "'surface mesh/Mesh file' = " + file;
        const std::string where = owner + ", " + name;
        std::string suffix = std::filesystem::path(file).extension().string();
        for (char &letter : suffix)
          letter = std::tolower(static_cast<unsigned char>(letter));
        MendedSurface found =
          suffix == ".stl"
            ? read_stl_surface(file, scale, reverse, where)
            : surface_of_triangles(read_surface_mesh(file, where, communicator),
                                   scale,
                                   reverse,
                                   where);
        check_shells(found.check, where);
        shape.surface = std::move(found.surface);
        for (const std::string &remark : found.remarks)
          shape.notes.push_back(name + ": " + remark);
        shape.moments =
          moments_of_surface<dim>(shape.surface.vertices, shape.surface.facets);
      }
    return shape;
  }



  template <int dim>
  RigidShape<dim>
  RigidShapeSource<dim>::analytic_shape() const
  {
    RigidShape<dim> shape;
    if (type == "box")
      {
        shape.surface = box_surface<dim>(corners);
        shape.moments =
          moments_of_surface<dim>(shape.surface.vertices, shape.surface.facets);
        return shape;
      }
    Tensor<2, dim> turn = dealii::unit_symmetric_tensor<dim>();
    if (type == "sphere")
      {
        shape.surface = sphere_surface<dim>(radius, n_refinements);
        shape.moments = moments_of_ball<dim>(radius);
      }
    else if constexpr (dim == 3)
      {
        shape.surface = cylinder_surface(radius, length, n_around, n_along);
        shape.moments = moments_of_cylinder(radius, length);
        turn          = rotation_of_z_to(axis);
      }
    for (Point<dim> &x : shape.surface.vertices)
      x = Point<dim>(turn * x + centre);
    shape.moments = shape.moments.transformed(turn, centre);
    return shape;
  }



  template <int dim>
  RigidShape<dim>
  RigidShapeSource<dim>::create(const MeshSource<dim> &source,
                                const MPI_Comm communicator) const
  {
    RigidShape<dim> shape;
    if (takes_mesh())
      shape = boundary_of_mesh(source, communicator);
    else
      {
        shape = type == "surface mesh" ? read_surface(communicator)
                                       : analytic_shape();
        const Tensor<2, dim> matrix =
          source.get_rotation() * source.get_scale();
        for (Point<dim> &x : shape.surface.vertices)
          x = Point<dim>(matrix * x);
        shape.moments = shape.moments.transformed(matrix, Tensor<1, dim>());
        shape.facet_boundary_ids.assign(shape.surface.facets.size(), 0);
        shape.boundary_names.add("0", 0);
      }

    check_closed<dim>(shape.surface.vertices, shape.surface.facets, owner);
    std::ostringstream volume;
    volume << shape.moments.volume;
    require(shape.moments.volume > 0.,
            owner + ": the surface encloses the volume " + volume.str() +
              ", so it is flat or faces inward. Turn it around in the program "
              "that made it.");
    return shape;
  }



  template class RigidShapeSource<2>;
  template class RigidShapeSource<3>;
} // namespace Ricochet
