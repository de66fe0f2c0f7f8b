// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_mesh_checker_h
#define ricochet_source_mesh_mesh_checker_h

#include <ricochet/mesh/face_table.h>
#include <ricochet/mesh/mesh_check.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mesh_faults.h"
#include "mesh_groups.h"

namespace Ricochet
{
  /** Points this close, relative to the size of the mesh, are at the same
   * place: what is left of 7 digits in a file. */
  constexpr double same_place = 1e-7;



  /** One check of one mesh: what check_mesh() does. */
  template <int dim>
  class MeshChecker
  {
  public:
    /** Both must outlive this object. */
    MeshChecker(PlainMesh &mesh, const std::string &where)
      : mesh(mesh)
      , where(where)
      , cell_of_element(mesh.elements.size(), no_cell)
    {}

    CoarseMesh<dim>
    run(const MeshSelection &selection);

  private:
    void
    weld(const double tolerance);

    void
    take_points();

    void
    take_cells(const std::vector<bool> &selected, const bool linear);

    void
    check_dimension() const;

    bool
    has_good_vertices(const PlainMesh::Element &element);

    void
    leave_out_repeated_cells();

    void
    set_material_ids();

    /** Let material ids tell which cells are in groups of these names, if there
     * are any names. */
    void
    mark_rigid_cells(const std::vector<std::string> &names);

    void
    orient_cells();

    void
    check_plane();

    void
    check_faces(const FaceTable<dim> &faces);

    void
    check_groups();

    void
    check_pieces(const FaceTable<dim> &faces);

    void
    note_unused_points();

    /** "element 17 at (0.5, 0.5, 1)" */
    std::string
    place(const dealii::CellData<dim> &cell, const std::size_t element) const;

    PlainMesh &mesh;
    const std::string &where;
    MeshFaults faults;
    CoarseMesh<dim> result;

    /** Of each element of the file, and back. */
    std::vector<std::uint32_t> cell_of_element;
    std::vector<std::size_t> element_of_cell;
  };
} // namespace Ricochet

#endif
