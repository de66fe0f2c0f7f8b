// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_extraction_h
#define ricochet_surface_extraction_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>
#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/lac/affine_constraints.h>

#include <array>
#include <functional>
#include <vector>

namespace Ricochet
{
  /** A material point of a rigid body. */
  template <int dim>
  struct RigidPoint
  {
    /** The number of the body among all bodies. */
    unsigned int body = dealii::numbers::invalid_unsigned_int;

    /** About its centre of mass, in its axes. */
    dealii::Point<dim> X;
  };



  /** The part of one DoFHandler that takes part in contact. */
  template <int dim>
  struct SurfaceSource
  {
    /** A cell with degrees of freedom. */
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

    /** A vector-valued element of degree 1 with dim components; on hypercubes
     * without hanging nodes also of degree 2. */
    const dealii::DoFHandler<dim> *dof_handler = nullptr;

    /** The number of the body that a cell belongs to. A source without it is
     * one body. Of several sources these come last, in the order of the
     * sources, with the numbers after the largest that any other source has;
     * if none has it, source k is body k. */
    std::function<unsigned int(const Cell &)> body;

    /** Whether a boundary face takes part; all do if empty. */
    std::function<bool(const Cell &, const unsigned int face)> is_contact_face;

    /**
     * The constraints of hanging nodes (nothing else), the same for all
     * components; needed if there are any.
     */
    const dealii::AffineConstraints<double> *hanging_nodes = nullptr;

    /** Tells by the first degree of freedom of a node, which is on a cell of
     * this rank or next to one, whether it is a point of a rigid body (one of
     * RigidSurface::is_in_source): the number of that, which is larger than
     * those of all bodies that deform, is invalid if not. None is, if empty. */
    std::function<RigidPoint<dim>(const dealii::types::global_dof_index)>
      rigid_point;
  };



  /** Where the nodes of a surface live. */
  template <int dim>
  struct SurfaceNodes
  {
    /** Where one node lives. */
    struct Node
    {
      /** Which of the sources. */
      unsigned int source;

      /** Its degrees of freedom, one per component. */
      std::array<dealii::types::global_dof_index, dim> dofs;
    };

    /** All nodes, numbered as in Surface. */
    std::vector<Node> nodes;

    /** The nodes whose degrees of freedom each rank owns, in rank order. */
    std::vector<std::vector<unsigned int>> nodes_of_rank;

    /** Positions of the nodes in the mesh. */
    std::vector<dealii::Point<dim>> positions;

    /** Points of rigid bodies, which are no nodes, and the entries of
     * Surface::vertex_nodes that stand for them, ascending: these have no
     * number until nodes that hold the bodies are there. */
    std::vector<RigidPoint<dim>> rigid_points;
    std::vector<unsigned int> rigid_entries;
  };



  /** The same sources with numbers of the bodies for all of them. Collective.
   */
  template <int dim>
  std::vector<SurfaceSource<dim>>
  number_bodies(std::vector<SurfaceSource<dim>> sources,
                const MPI_Comm communicator);



  /**
   * Collect the boundary faces of all sources from all ranks into one surface
   * that every rank holds, numbered the same way on any number of ranks.
   *
   * Quadrilateral faces are split into two triangles along the diagonal from
   * the face's vertex 0 to vertex 3; next to finer faces, with hanging
   * vertices on their sides, into a fan of triangles about their centre. So
   * there are no gaps or double edges along refinement lines, planes stay
   * planes, and no triangle is flatter than the face. Hanging vertices and
   * centres are weighted sums of nodes. With elements of degree 2 all support
   * points are vertices, and each quarter of a quadrilateral face (half of a
   * line in 2D) is cut like a face of its own. Facets are turned outward.
   *
   * Vertices and facets with nothing but points of one rigid body belong to
   * that body, also those of deformable cells; they are connected to the
   * others.
   *
   * Throws a UserError for elements of another degree, for surfaces that are
   * not orientable manifolds, and for triangulations that are not shared out
   * among the ranks, but complete and the same on each: every cell must be
   * locally owned by one of them.
   */
  template <int dim>
  void
  extract_surface(const std::vector<SurfaceSource<dim>> &sources,
                  const MPI_Comm communicator,
                  Surface<dim> &surface,
                  SurfaceNodes<dim> &nodes);
} // namespace Ricochet

#endif
