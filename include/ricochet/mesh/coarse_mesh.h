// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_coarse_mesh_h
#define ricochet_mesh_coarse_mesh_h

#include <ricochet/mesh/boundary_ids.h>
#include <ricochet/mesh/curved_nodes.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_description.h>

#include <map>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Throw a UserError that starts with @p where unless the cells are all
   * hypercubes or all simplices, and at least one.
   */
  template <int dim>
  void
  check_cell_types(const dealii::Triangulation<dim> &triangulation,
                   const std::string &where);



  /**
   * The cells of one body without any hierarchy: what a triangulation is
   * created from. Cells have straight edges but for
   * those with curved_nodes; boundary and material ids are
   * kept, manifolds are not.
   */
  template <int dim>
  struct CoarseMesh
  {
    /** The material id of cells that do not deform, where there are any; that
     * of all others is 0 then. */
    static constexpr dealii::types::material_id rigid_cell = 1;

    std::vector<dealii::Point<dim>> vertices;
    std::vector<dealii::CellData<dim>> cells;

    /** Every boundary face with its id. */
    dealii::SubCellData subcell_data;

    /** How often all cells are still to be cut into 2^dim, which a forest does:
     * it needs little time and memory for cells that it has cut itself. 0 but
     * where a function says otherwise. */
    unsigned int refinements = 0;

    /** Of rigid regions, whose cells have their numbers from 1 on as material
     * ids, and 0 all others, if there are any; see find_rigid_regions(). */
    unsigned int n_rigid_regions = 0;

    /** Nodes between the vertices that are not where straight edges put them.
     */
    CurvedNodes<dim> curved_nodes;

    /** What the ids of faces are called. */
    BoundaryNames boundary_names;

    /** Names of the groups of cells in the file that the mesh comes from, with
     * their numbers of cells there. */
    std::map<std::string, std::size_t> cell_groups;

    /** What the user should know about a mesh that can be used. Sentences. */
    std::vector<std::string> notes;

    CoarseMesh() = default;

    /**
     * The active cells of a triangulation, unused vertices left out.
     * Throws a UserError that starts with @p where if there are hanging nodes
     * or check_cell_types() fails.
     */
    explicit CoarseMesh(const dealii::Triangulation<dim> &triangulation,
                        const std::string &where = "Mesh");

    /** Whether the cells are simplices; hypercubes otherwise. */
    bool
    is_simplex() const;

    /** The ids that occur on the boundary. */
    BoundaryIds
    boundary_ids() const;

    /** Whether all cells are parallelepipeds, up to round-off. */
    bool
    is_affine() const;

    /** The mesh of the cells that become of these when all are cut as often as
     * they are to be. */
    CoarseMesh
    refined() const;

    /** Name the parts of the boundary by their ids. */
    void
    name_boundary_by_ids();

    /** Give simplices positive volume by exchanging two vertices. */
    void
    orient_simplices();

    /**
     * Throw a UserError that starts with @p where and names the centre of the
     * first cell whose Jacobian determinant is not positive at one of its
     * vertices, relative to the lengths of the edges that meet there.
     */
    void
    check_orientation(const std::string &where) const;

    /** x -> matrix x + shift for all vertices. */
    void
    transform(const dealii::Tensor<2, dim> &matrix,
              const dealii::Tensor<1, dim> &shift);

    /** Fill an empty triangulation. */
    void
    create_triangulation(dealii::Triangulation<dim> &triangulation) const;

    /** For a copy on another rank. */
    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &vertices;
      archive &cells;
      archive &subcell_data.boundary_lines;
      archive &subcell_data.boundary_quads;
      archive &n_rigid_regions;
      archive &curved_nodes;
      archive &boundary_names;
      archive &cell_groups;
      archive &notes;
    }
  };



  /**
   * Cut hypercubes into simplices: each quadrilateral into 8 triangles, each
   * hexahedron into 24 tetrahedra that have its centre in common. The midpoints
   * of edges and faces and the centres are those that the last global
   * refinement of @p refined has found, so they are on its manifolds; the cells
   * that are cut are the ones before that refinement.
   */
  template <int dim>
  CoarseMesh<dim>
  split_into_simplices(const dealii::Triangulation<dim> &refined);
} // namespace Ricochet

#endif
