// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/base/number_list.h>
#include <ricochet/mesh/grid_generator.h>
#include <ricochet/mesh/mesh_file.h>
#include <ricochet/mesh/mesh_source.h>

#include <deal.II/base/patterns.h>

#include <exception>
#include <filesystem>

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
    prm.declare_entry(
      "Mesh file",
      "",
      Patterns::Anything(),
      "File to read the mesh from instead, in any format of deal.II's class "
      "GridIn: Gmsh (.msh, text), VTK (.vtk), UCD (.ucd, .inp), Abaqus (.inp), "
      "and others. Boundary and material ids are kept. A relative name starts "
      "at the folder of the parameter file. Units: length, for the coordinates "
      "in the file.");
    prm.declare_entry("Mesh file format",
                      "auto",
                      Patterns::Selection(mesh_file_formats()),
                      "Format of the mesh file; 'auto' goes by its suffix, and "
                      "by its content for .inp. Units: none.");
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
    scale       = get_numbers<dim>(prm, "Scale");
    rotation    = get_numbers<n_rotations<dim>>(prm, "Rotation");
    translation = get_numbers<dim>(prm, "Translation");
    local_refinement =
      VectorFunction<dim, 1>(prm.get("Local refinement"),
                             owner + ", entry 'Local refinement'");

    require(!generator.empty() || !file.empty(),
            owner + " has no mesh. Set 'Grid generator' or 'Mesh file'.");
    require(generator.empty() || file.empty(),
            owner + " has two meshes: 'Grid generator' = " + generator +
              " and 'Mesh file' = " + file + ". Set only one of them.");
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
  void
  MeshSource<dim>::create_refined(
    dealii::Triangulation<dim> &triangulation) const
  {
    const ExceptionsInsteadOfAborts guard;
    if (file.empty())
      generate_grid(generator, arguments, owner, triangulation);
    else
      {
        // An absolute name on the right of the slash replaces the folder.
        const std::filesystem::path path =
          std::filesystem::path(base_directory) / file;
        read_mesh_file(path.string(), format, where(), triangulation);
      }

    // Refining a mesh of mixed cells would fail with a less helpful text.
    check_cell_types(triangulation, where());
    require(!simplices || triangulation.all_reference_cells_are_hyper_cube(),
            where() +
              ": the mesh consists of simplices already. Remove "
              "'Simplices = true'.");
    try
      {
        triangulation.refine_global(refinements + (simplices ? 1 : 0));
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
  CoarseMesh<dim>
  MeshSource<dim>::create_untranslated() const
  {
    dealii::Triangulation<dim> refined;
    create_refined(refined);

    CoarseMesh<dim> mesh = simplices ? split_into_simplices(refined)
                                     : CoarseMesh<dim>(refined, where());
    require(!mesh.is_simplex() || local_refinement.is_zero(),
            where() +
              ": only quadrilaterals and hexahedra can be refined "
              "locally, but the cells are simplices. Remove 'Local "
              "refinement', or use a mesh file that is finer there.");
    mesh.orient_simplices();
    mesh.check_orientation(where());

    dealii::Tensor<2, dim> matrix = rotation_matrix<dim>(rotation);
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        matrix[i][j] *= scale[j];
    mesh.transform(matrix, dealii::Tensor<1, dim>());
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
