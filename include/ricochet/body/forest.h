// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_forest_h
#define ricochet_body_forest_h

#include <ricochet/body/hanging_nodes.h>
#include <ricochet/element/cell_table.h>
#include <ricochet/mesh/coarse_mesh.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/partitioner.h>
#include <deal.II/base/types.h>
#include <deal.II/distributed/tria_base.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/grid/cell_id.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * All bodies of one cell type in one distributed triangulation with one
   * DoFHandler of vector-valued elements, linear or of degree 2.
   *
   * The bodies' meshes stand side by side: vertices of different bodies are
   * never merged, even where they coincide. Hypercubes that come from cuts are
   * distributed by p4est, one tree per cell of the meshes before. Simplices and
   * hypercubes most of which are not cut live in a
   * parallel::shared::Triangulation that is cut into contiguous pieces, the
   * latter along a Hilbert curve in each body. Either way every rank holds the
   * list of all trees or cells, but only the degrees of freedom near its own
   * cells. One rank does without p4est as well where all cells of a body are
   * cut alike: that takes half of the time, and gives the same cells and
   * nodes in the same order.
   *
   * Cells of rigid regions (CoarseMesh::n_rigid_regions) are not in the cell
   * table, since nothing is evaluated there, but their nodes are nodes like
   * others.
   *
   * Hypercubes can be cut further where they stand, so that coarse and fine
   * cells meet at hanging nodes; p4est keeps neighbors within one level.
   *
   * A *node* is a support point with its dim degrees of freedom: a vertex,
   * and for degree 2 the middle of a line, face, or cell. Global degree of
   * freedom dim * n + c is component c of global node n, and the numbers of
   * the nodes do not depend on the number of ranks. Locally, the entries of a
   * distributed vector are ordered the same way: entry dim * n + c is component
   * c of local node n, owned nodes first.
   *
   * All functions but the constructor are local to a rank.
   */
  template <int dim>
  class Forest
  {
  public:
    /** The number of a body and its mesh. */
    using Tree = std::pair<unsigned int, const CoarseMesh<dim> *>;

    /** How often the cell of a body at a place is to be cut. */
    using Levels =
      std::function<unsigned int(const unsigned int body,
                                 const dealii::Point<dim> &centre)>;

    /**
     * Build everything. Collective; all ranks give the same meshes, which are
     * not needed any more afterwards. Cells of the bodies must all be of one
     * type, body numbers must differ.
     *
     * @param[in] levels After the CoarseMesh::refinements, a hypercube is cut
     *   into 2^dim as long as it was cut less often than this says for its
     *   centre, and for the sake of its neighbors. None is cut if empty. Called
     * on the ranks of the cells.
     * @param[in] degree Of the elements: 1, or for hypercubes without hanging
     *   nodes 2.
     */
    Forest(const MPI_Comm communicator,
           const std::vector<Tree> &bodies,
           const Levels &levels      = {},
           const unsigned int degree = 1);

    /** The same from serial triangulations, whose active cells are taken. */
    Forest(
      const MPI_Comm communicator,
      const std::vector<
        std::pair<unsigned int, const dealii::Triangulation<dim> *>> &bodies);

    /** The distributed mesh of all bodies in this forest. */
    const dealii::parallel::TriangulationBase<dim> &
    get_triangulation() const
    {
      return *triangulation;
    }

    /** The degrees of freedom, see above for their order. */
    const dealii::DoFHandler<dim> &
    get_dof_handler() const
    {
      return dof_handler;
    }

    /** The map to cells with straight edges, or with those of curved_nodes. */
    const dealii::Mapping<dim> &
    get_mapping() const
    {
      return *mapping;
    }

    /** Owned degrees of freedom, and all those of ghost cells as ghosts. */
    const std::shared_ptr<const dealii::Utilities::MPI::Partitioner> &
    get_partitioner() const
    {
      return partitioner;
    }

    /** Cells that touch an owned node but rigid ones, and all nodes of the
     * partitioner. */
    const CellTable<dim> &
    get_cells() const
    {
      return cells;
    }

    /** The cells of the table in its order, with what sorts them. Any two owned
     * cells of different ranks are in the order of the ranks: ids follow the
     * sequence that is cut into pieces. */
    std::vector<
      std::pair<dealii::CellId,
                typename dealii::DoFHandler<dim>::active_cell_iterator>>
    cells_of_table() const;

    /** The hanging nodes and their masters. */
    const HangingNodes<dim> &
    get_hanging_nodes() const
    {
      return hanging_nodes;
    }

    /** Whether the cells are simplices; hypercubes otherwise. */
    bool
    is_simplex() const
    {
      return cells.simplex;
    }

    /** Number of nodes on all ranks. */
    dealii::types::global_dof_index
    n_global_nodes() const
    {
      return dof_handler.n_dofs() / dim;
    }

    /** Number of active cells on all ranks. */
    dealii::types::global_cell_index
    n_global_cells() const
    {
      return triangulation->n_global_active_cells();
    }

    /** The global number of a local node. */
    dealii::types::global_dof_index
    global_node(const unsigned int node) const
    {
      return partitioner->local_to_global(dim * node) / dim;
    }

    /** The body that a cell (of triangulation or DoFHandler) belongs to. */
    unsigned int
    body_of_cell(
      const typename dealii::Triangulation<dim>::cell_iterator &cell) const
    {
      // By index: the id is the number of a tree of p4est, which has an order
      // of its own.
      auto coarse_cell = cell;
      while (coarse_cell->level() > 0)
        coarse_cell = coarse_cell->parent();
      return cell_bodies[coarse_cell->index()];
    }

    /** The rigid region of its body that a cell belongs to, 0 if none. */
    static unsigned int
    region_of_cell(
      const typename dealii::Triangulation<dim>::cell_iterator &cell)
    {
      return cell->material_id();
    }

    /** The same of every local node: that of any of its cells. Hanging nodes,
     * which follow their masters, belong to none. */
    const std::vector<unsigned int> &
    get_node_regions() const
    {
      return node_regions;
    }

    /** The numbers of the bodies in this forest, ascending. */
    const std::vector<unsigned int> &
    get_bodies() const
    {
      return bodies;
    }

    /** The body of every local node. */
    const std::vector<unsigned int> &
    get_node_bodies() const
    {
      return node_bodies;
    }

    /** The boundary ids that a body has, on all ranks. */
    const std::set<dealii::types::boundary_id> &
    get_boundary_ids(const unsigned int body) const;

    /**
     * Local numbers, ascending, of the nodes of one body that are on a boundary
     * face with one of the given ids. No owned node and no node of an owned
     * cell is missed, even if the faces it is on belong to other ranks.
     */
    std::vector<unsigned int>
    nodes_on_boundary(const unsigned int body,
                      const std::set<dealii::types::boundary_id> &ids) const;

  private:
    /** The meshes side by side, and bodies and boundary ids noted down. */
    CoarseMesh<dim>
    join(const std::vector<Tree> &trees);

    void
    build(const MPI_Comm communicator,
          const std::vector<Tree> &trees,
          const Levels &levels);

    /** @param[in] local_refinement Whether cells of a body may be cut in
     * different ways. */
    void
    create_triangulation(const MPI_Comm communicator,
                         CoarseMesh<dim> &&mesh,
                         const bool local_refinement);

    /** Of cells that are cut before, in the order of a curve. */
    void
    create_flat_triangulation(const MPI_Comm communicator,
                              const std::vector<Tree> &trees);

    /** Without cells yet. */
    void
    create_shared_triangulation(const MPI_Comm communicator);

    /** Let the cells of the forest stand in other places. */
    void
    sort_cells(const std::vector<unsigned int> &places, CoarseMesh<dim> &mesh);

    /** Whether most cells come from cuts that a forest can make. */
    static bool
    cuts_pay(const std::vector<Tree> &trees);

    /** Cut the cells as often as their meshes want it, and then as @p levels
     * says. */
    void
    refine(const std::vector<Tree> &trees, const Levels &levels);

    void
    distribute_dofs();

    void
    build_cell_table();

    /** Let the nodes of rigid cells know their regions. Collective. */
    void
    find_regions();

    /** Also gives them exactly the weighted sums as reference positions. */
    void
    find_hanging_nodes();

    /** Local numbers of the nodes of a cell in the order of the table. */
    void
    get_nodes(
      const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
      std::vector<unsigned int> &nodes) const;

    /** Reference position of node @p a of a cell. */
    dealii::Point<dim>
    reference_position(
      const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
      const unsigned int a) const;

    /** Reference position of the node amidst an edge, face or cell. */
    template <typename Object>
    dealii::Point<dim>
    node_amidst(const Object &object) const;

    /** Let the mapping go through the nodes of curved cells. */
    void
    follow_curved_nodes();

    std::unique_ptr<dealii::parallel::TriangulationBase<dim>> triangulation;
    dealii::DoFHandler<dim> dof_handler;

    CurvedNodes<dim> curved_nodes;

    /** Reference positions of the nodes, if cells are curved. */
    dealii::LinearAlgebra::distributed::Vector<double> curved_positions;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::shared_ptr<const dealii::Utilities::MPI::Partitioner> partitioner;

    CellTable<dim> cells;

    /** Number in the element of the nodes of the table. */
    std::vector<unsigned int> element_nodes;
    HangingNodes<dim> hanging_nodes;
    std::vector<unsigned int> bodies, cell_bodies, node_bodies, node_regions;
    std::map<unsigned int, std::set<dealii::types::boundary_id>> boundary_ids;
  };
} // namespace Ricochet

#endif
