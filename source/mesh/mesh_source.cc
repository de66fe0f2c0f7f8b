// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/base/number_list.h>
#include <ricochet/mesh/grid_generator.h>
#include <ricochet/mesh/mesh_file.h>
#include <ricochet/mesh/mesh_source.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

namespace Ricochet
{
  namespace
  {
    namespace Patterns = dealii::Patterns;

    template <int dim>
    void
    declare_placement(dealii::ParameterHandler &prm)
    {
      prm.declare_entry(
        "Scale",
        "1",
        Patterns::List(Patterns::Double(0), 1, dim),
        "Factor on the coordinates of the mesh; one number, or one for each "
        "direction. Positive. Units: none.");
      declare_numbers(
        prm,
        "Rotation",
        n_rotations<dim>,
        "0",
        dim == 2
          ? "Angle of the rotation about the origin of the mesh's own "
            "coordinates, counter-clockwise, after the scaling. Units: radians."
          : "Rotation vector (unit axis times angle) of the rotation about the "
            "origin of the mesh's own coordinates, after the scaling. Units: "
            "radians.",
        Patterns::Double());
      declare_numbers(prm,
                      "Translation",
                      dim,
                      "0",
                      "Displacement of the mesh after scaling and rotation. "
                      "Units: length.",
                      Patterns::Double());
    }



    /** Reading it takes seconds, so the user should know. */
    void
    announce_large_file(const std::filesystem::path &path,
                        const std::string &where)
    {
      std::error_code error;
      const std::uintmax_t size = std::filesystem::file_size(path, error);
      if (!error && size > 50000000)
        std::cout << "Reading " << where << " (" << size / 1000000 << " MB)"
                  << std::endl;
    }



    void
    declare_file(dealii::ParameterHandler &prm)
    {
      prm.declare_entry(
        "Mesh file",
        "",
        Patterns::Anything(),
        "File to read the mesh from instead: " + mesh_file_documentation() +
          ". Groups of faces and cells keep their names and numbers; --validate "
          "lists them. A relative name starts at the folder of the parameter "
          "file. Units: length, for the coordinates in the file.");
      prm.declare_entry(
        "Mesh file format",
        "auto",
        Patterns::Selection(mesh_file_formats()),
        "Format of the mesh file; 'auto' goes by its suffix, and "
        "by its content for .inp. Units: none.");
      prm.declare_entry(
        "Material ids",
        "",
        Patterns::Anything(),
        "Names or numbers of groups of cells in the mesh file, "
        "separated by ','; the body consists of their cells, of "
        "all cells if empty. So one file can give several "
        "bodies. Units: none.");
      prm.declare_entry(
        "Rigid material ids",
        "",
        Patterns::Anything(),
        "Of a body that deforms: names or numbers of groups of its cells, of a "
        "grid generator numbers of material ids, separated by ','. These cells "
        "do not deform, as a steel head on a soft tail: each region of them "
        "that hangs together by faces is a rigid body with a name and a row in "
        "bodies.csv of its own, which the nodes on it follow. No two regions "
        "may have a node in common. For explicit integrators and the lumped "
        "mass. Units: none.");
      prm.declare_entry(
        "Weld tolerance",
        "0",
        Patterns::Double(0.),
        "Points of the mesh file within this distance become "
        "one, so that pieces hang together. Units: length in the "
        "file.");
      prm.declare_entry(
        "Order of mesh file",
        "as in the file",
        Patterns::Selection("as in the file|linear"),
        "Whether quadratic cells in the file keep their nodes "
        "between the vertices, which needs 'Element degree' = 2, "
        "or become linear ones. Units: none.");
    }



    template <int dim>
    std::string
    generator_documentation()
    {
      std::string text =
        "Name of a function of deal.II's namespace GridGenerator that makes "
        "the mesh. Units: none. Names, with examples for 'Grid generator "
        "arguments':";
      for (const auto &example : grid_generator_examples<dim>())
        text += " " + example.first + " (" + example.second + ");";
      text.back() = '.';
      return text;
    }
  } // namespace



  template <int dim>
  void
  MeshSource<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry("Grid generator",
                      "",
                      Patterns::Anything(),
                      generator_documentation<dim>());
    prm.declare_entry(
      "Grid generator arguments",
      "",
      Patterns::Anything(),
      "All arguments of the grid generator, separated by ':' (coordinates of a "
      "point by ','). None can be left out. Units: length, where an argument "
      "is one.");
    declare_file(prm);
    prm.declare_entry("Refinements",
                      "0",
                      Patterns::Integer(0, 12),
                      "How often all cells are cut into 2^dim cells, before "
                      "the mesh is moved. Curved bodies of a grid generator "
                      "get closer to their shape. Units: none.");
    prm.declare_entry(
      "Local refinement",
      "0",
      Patterns::Anything(),
      std::string("How often cells are cut further after the mesh has been "
                  "moved to its place: a function of ") +
        (dim == 2 ? "x, y" : "x, y, z") +
        ". A cell is cut into 2^dim cells as long as the value at its centre "
        "is above the number of its cuts, so that coarse and fine cells meet "
        "at hanging nodes; neighbors are cut as well where more than one cut "
        "lies between them. Not for simplices. New vertices are on the "
        "straight cells, also of curved bodies. Units: none.");
    prm.declare_entry(
      "Simplices",
      "false",
      Patterns::Bool(),
      dim == 2 ? "Cut each quadrilateral, after the refinements, into 8 "
                 "triangles. Units: none."
               : "Cut each hexahedron, after the refinements, into 24 "
                 "tetrahedra. Units: none.");
    declare_placement<dim>(prm);
  }



  template <int dim>
  void
  MeshSource<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    generator   = prm.get("Grid generator");
    arguments   = prm.get("Grid generator arguments");
    file        = prm.get("Mesh file");
    format      = prm.get("Mesh file format");
    refinements = prm.get_integer("Refinements");
    simplices   = prm.get_bool("Simplices");
    selection.material_ids =
      dealii::Utilities::split_string_list(prm.get("Material ids"));
    selection.rigid_material_ids =
      dealii::Utilities::split_string_list(prm.get("Rigid material ids"));
    selection.weld_tolerance = prm.get_double("Weld tolerance");
    selection.linear         = prm.get("Order of mesh file") == "linear";
    local_refinement =
      VectorFunction<dim, 1>(prm.get("Local refinement"),
                             owner + ", entry 'Local refinement'");

    require(!generator.empty() || !file.empty(),
            owner + " has no mesh. Set 'Grid generator' or 'Mesh file'.");
    require(generator.empty() || file.empty(),
            owner + " has two meshes: 'Grid generator' = " + generator +
              " and 'Mesh file' = " + file + ". Set only one of them.");
    require(generator.empty() || selection.material_ids.empty(),
            owner + ": 'Material ids' = " + prm.get("Material ids") +
              " names groups of a mesh file, but the mesh comes from a grid "
              "generator. Remove it.");
    read_placement(prm);
  }



  template <int dim>
  void
  MeshSource<dim>::parse_placement(dealii::ParameterHandler &prm,
                                   const std::string &surface)
  {
    for (const char *entry : {"Grid generator", "Mesh file"})
      require(prm.get(entry).empty(),
              owner + " has two surfaces: '" + entry + "' = " + prm.get(entry) +
                " and " + surface + ". Set only one of them.");
    read_placement(prm);
  }



  template <int dim>
  void
  MeshSource<dim>::read_placement(const dealii::ParameterHandler &prm)
  {
    scale       = get_numbers<dim>(prm, "Scale");
    rotation    = get_numbers<n_rotations<dim>>(prm, "Rotation");
    translation = get_numbers<dim>(prm, "Translation");
    for (unsigned int d = 0; d < dim; ++d)
      require(scale[d] > 0,
              owner + ": 'Scale' = " + prm.get("Scale") +
                " must be positive in all directions.");
  }



  template <int dim>
  void
  MeshSource<dim>::set_base_directory(const std::string &directory)
  {
    base_directory = directory;
  }



  template <int dim>
  void
  MeshSource<dim>::set_owner(const std::string &text)
  {
    owner = text;
  }



  template <int dim>
  std::string
  MeshSource<dim>::where() const
  {
    return owner + (file.empty() ? ", 'Grid generator' = " + generator
                                 : ", 'Mesh file' = " + file);
  }



  template <int dim>
  CoarseMesh<dim>
  MeshSource<dim>::read_file(const MPI_Comm communicator) const
  {
    // An absolute name on the right of the slash replaces the folder.
    const std::filesystem::path path =
      std::filesystem::path(base_directory) / file;
    std::vector<char> packed;
    on_first_rank(communicator, [&]() {
      announce_large_file(path, where());
      const CoarseMesh<dim> mesh =
        check_mesh<dim>(read_mesh_file<dim>(path.string(), format, where()),
                        selection,
                        where());
      packed = dealii::Utilities::pack(mesh, false);
    });

    namespace MPI = dealii::Utilities::MPI;
    packed.resize(MPI::broadcast(communicator, packed.size(), 0));
    MPI::broadcast(packed.data(), packed.size(), 0, communicator);
    return dealii::Utilities::unpack<CoarseMesh<dim>>(packed, false);
  }



  template <int dim>
  void
  MeshSource<dim>::refine(dealii::Triangulation<dim> &triangulation,
                          const unsigned int n_cuts) const
  {
    // Refining a mesh of mixed cells would fail with a less helpful text.
    check_cell_types(triangulation, where());
    require(!simplices || triangulation.all_reference_cells_are_hyper_cube(),
            where() +
              ": the mesh consists of simplices already. Remove "
              "'Simplices = true'.");
    try
      {
        triangulation.refine_global(n_cuts + (simplices ? 1 : 0));
      }
    catch (const std::exception &exception)
      {
        throw UserError(where() + ": the mesh cannot be refined " +
                        std::to_string(refinements) +
                        " times. Lower 'Refinements' or repair the mesh. The "
                        "library says: " +
                        text_of(exception));
      }
  }



  template <int dim>
  void
  MeshSource<dim>::mark_rigid_cells(CoarseMesh<dim> &mesh) const
  {
    if (!has_rigid_cells())
      return;
    std::set<std::string> known;
    for (const auto &cell : mesh.cells)
      known.insert(std::to_string(cell.material_id));
    const std::vector<std::string> &names = selection.rigid_material_ids;
    for (const std::string &name : names)
      require(known.count(name) > 0,
              where() + ": 'Rigid material ids' names " + name +
                ", but the grid generator has made no cells with that number. "
                "Its numbers: " +
                dealii::Patterns::Tools::to_string(known) + ".");
    for (auto &cell : mesh.cells)
      cell.material_id = std::count(names.begin(),
                                    names.end(),
                                    std::to_string(cell.material_id)) > 0
                           ? CoarseMesh<dim>::rigid_cell
                           : 0;
  }



  template <int dim>
  CoarseMesh<dim>
  MeshSource<dim>::create_untranslated(const MPI_Comm communicator) const
  {
    return create_mesh(communicator, false);
  }



  template <int dim>
  CoarseMesh<dim>
  MeshSource<dim>::create_for_forest(const MPI_Comm communicator) const
  {
    return create_mesh(communicator, !simplices && !has_rigid_cells());
  }



  template <int dim>
  CoarseMesh<dim>
  MeshSource<dim>::create_mesh(const MPI_Comm communicator,
                               const bool leave_cuts) const
  {
    const ExceptionsInsteadOfAborts guard;
    dealii::Triangulation<dim> triangulation;
    CoarseMesh<dim> from_file;
    unsigned int n_cuts = refinements;
    if (file.empty())
      {
        HalvedBox box{arguments, 0};
        if (leave_cuts)
          box = halved_box<dim>(generator, arguments);
        generate_grid(generator, box.arguments, owner, triangulation);
        n_cuts += box.n_cuts;
      }
    else
      {
        from_file = read_file(communicator);
        from_file.create_triangulation(triangulation);
      }
    // Cuts of curved cells are where the library's manifolds put them.
    const bool leave = leave_cuts && n_cuts > 0 &&
                       from_file.curved_nodes.empty() &&
                       triangulation.all_reference_cells_are_hyper_cube() &&
                       triangulation.get_manifold_ids() ==
                         std::vector<dealii::types::manifold_id>{
                           dealii::numbers::flat_manifold_id};
    if (!leave)
      refine(triangulation, n_cuts);

    CoarseMesh<dim> mesh = simplices ? split_into_simplices(triangulation)
                                     : CoarseMesh<dim>(triangulation, where());
    if (leave)
      mesh.refinements = n_cuts;
    if (!from_file.curved_nodes.empty())
      {
        require(refinements == 0 && !simplices,
                where() +
                  ": quadratic cells of a file cannot be refined or "
                  "cut. Set 'Order of mesh file' = linear, or leave "
                  "out 'Refinements' and 'Simplices'.");
        mesh.curved_nodes = std::move(from_file.curved_nodes);
        mesh.curved_nodes.renumber(from_file.cells, mesh.cells);
      }
    mesh.boundary_names = std::move(from_file.boundary_names);
    mesh.cell_groups    = std::move(from_file.cell_groups);
    mesh.notes          = std::move(from_file.notes);
    if (file.empty())
      {
        mesh.name_boundary_by_ids();
        mark_rigid_cells(mesh);
      }
    require(!mesh.is_simplex() || local_refinement.is_zero(),
            where() +
              ": only quadrilaterals and hexahedra can be refined "
              "locally, but the cells are simplices. Remove 'Local "
              "refinement', or use a mesh file that is finer there.");
    mesh.orient_simplices();
    // Parts of a cell that is no parallelepiped may fold over where it does not
    // at its vertices.
    if (mesh.refinements > 0 && !mesh.is_affine())
      mesh.refined().check_orientation(where());
    else
      mesh.check_orientation(where());

    mesh.transform(get_rotation() * get_scale(), dealii::Tensor<1, dim>());
    return mesh;
  }



  template <int dim>
  void
  MeshSource<dim>::create(dealii::Triangulation<dim> &triangulation) const
  {
    CoarseMesh<dim> mesh = create_untranslated();
    mesh.transform(dealii::unit_symmetric_tensor<dim>(), translation);
    mesh.create_triangulation(triangulation);
  }



  template class MeshSource<2>;
  template class MeshSource<3>;
} // namespace Ricochet
