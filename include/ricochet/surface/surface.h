// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_surface_h
#define ricochet_surface_surface_h

#include <ricochet/surface/vertex_facets.h>

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * The contact surface: triangles in 3D, segments in 2D, with their vertices
   * and (in 3D) edges. Topology only: positions live in arrays with one entry
   * per vertex, so that search and response can work on several
   * configurations of one surface.
   *
   * Every rank holds the whole surface, numbered the same way on any number of
   * ranks (facets sorted by forest, cell id and face; vertices and edges by
   * first appearance in the facets).
   *
   * A facet is oriented outward: in 3D its vertices are counter-clockwise seen
   * from outside the body, in 2D the body is on the left of vertex 0 -> 1.
   *
   * A vertex is a weighted sum of *nodes* (points that own degrees of
   * freedom): on conforming linear meshes one node with weight 1, on hanging
   * nodes and face centres several. Weights of one vertex sum up to 1.
   *
   * Facets have one side, the outward one. Surfaces of codimension one, which
   * are touched from both sides, would come in here, as a flag per facet next
   * to its boundary id; what then decides about the side of a vertex is where
   * it was at the start of the step, as it already is for pairs of edges.
   */
  template <int dim>
  struct Surface
  {
    /** No such facet: an edge on an open surface has only one. */
    static constexpr unsigned int none =
      std::numeric_limits<unsigned int>::max();

    /** Vertices of each facet, outward oriented. */
    std::vector<std::array<unsigned int, dim>> facets;

    /** The body of each facet; facets of one body are consecutive. A facet of
     * a body that deforms can have vertices of its rigid regions, see
     * SurfaceSource::rigid_point. */
    std::vector<unsigned int> facet_body;

    /**
     * The boundary id of the face that each facet comes from, to restrict
     * pairs and to write output.
     */
    std::vector<dealii::types::boundary_id> facet_boundary_id;

    /**
     * 3D: the two vertices of each edge, diagonals of quadrilaterals included.
     * The smaller vertex comes first. 2D: empty.
     */
    std::vector<std::array<unsigned int, 2>> edges;

    /** 3D: the two facets of each edge (second may be @p none). */
    std::vector<std::array<unsigned int, 2>> edge_facets;

    /**
     * The vertices that share a facet edge with vertex v are
     * neighbors[neighbor_begin[v]] to neighbors[neighbor_begin[v+1] - 1].
     */
    std::vector<unsigned int> neighbor_begin, neighbors;

    /** The facets at each vertex. */
    VertexFacets vertex_facets;

    /** The body of each vertex. */
    std::vector<unsigned int> vertex_body;

    /**
     * The local edge length at each vertex, facet and edge in the reference
     * configuration: the shortest edge of the facets at the feature. All
     * clearances and tolerances are relative to it.
     */
    std::vector<double> vertex_length, facet_length, edge_length;

    /** The share of the surface that belongs to each vertex in the reference
     * configuration: 1/dim of its facets. Zero for vertices without facets.
     * Units: length in 2D, area in 3D. */
    std::vector<double> vertex_area;

    /**
     * Compressed rows: vertex v is the sum over
     * k in [node_begin[v], node_begin[v+1]) of
     * node_weights[k] * position of node vertex_nodes[k].
     */
    std::vector<unsigned int> node_begin, vertex_nodes;
    std::vector<double> node_weights;

    /** Number of nodes that the vertices depend on. */
    unsigned int n_nodes = 0;

    /** Number of bodies. */
    unsigned int n_bodies = 0;

    /** Number of vertices of all bodies. */
    unsigned int
    n_vertices() const
    {
      return vertex_body.size();
    }

    /** Number of facets of all bodies. */
    unsigned int
    n_facets() const
    {
      return facets.size();
    }

    /** Number of edges of all bodies; none in 2D. */
    unsigned int
    n_edges() const
    {
      return edges.size();
    }

    /** The body of edge @p e; of one that leads to a rigid region that with the
     * smaller number, which deforms. */
    unsigned int
    edge_body(const unsigned int e) const
    {
      return vertex_body[edges[e][0]];
    }

    /** Whether every vertex is one node of the same number, with weight 1. */
    bool vertices_are_nodes = false;

    /**
     * Positions of the vertices from those of the nodes: @p nodes itself if
     * vertices are nodes and there are no more of them, else @p buffer.
     */
    const std::vector<dealii::Point<dim>> &
    vertex_positions(const std::vector<dealii::Point<dim>> &nodes,
                     std::vector<dealii::Point<dim>> &buffer) const;

    /** The body of each node. */
    std::vector<unsigned int>
    node_bodies() const;

    /**
     * Add a body with vertices that are nodes of their own, and facets with
     * numbers among these. Edges, neighbors and lengths have to be built anew.
     */
    void
    append(const unsigned int n_vertices,
           const std::vector<std::array<unsigned int, dim>> &facets,
           const unsigned int body);

    /**
     * Add a body with vertices that are weighted sums of nodes of their own,
     * all with all.
     *
     * @param[in] weights One row of @p n_nodes numbers for each vertex.
     * @param[in] boundary_ids One per facet, or none.
     */
    void
    append(const unsigned int n_nodes,
           const std::vector<double> &weights,
           const std::vector<std::array<unsigned int, dim>> &facets,
           const std::vector<dealii::types::boundary_id> &boundary_ids,
           const unsigned int body);

    /**
     * Remove the edges of rigid bodies, which are all from @p first_body on,
     * that lie between two facets of one plane. A straight edge can pass
     * through the plane without one of its ends doing so only across the border
     * of the flat part, so they tell nothing; but a floor would depend on how
     * it is cut. Call it after build_edges(), with the same positions.
     */
    void
    remove_flat_edges(const std::vector<dealii::Point<dim>> &positions,
                      const unsigned int first_body);

    /**
     * Fill edges, edge_facets, neighbors, vertex_facets, the local lengths and
     * the areas from facets and @p positions (one per vertex, reference
     * configuration). Throws a UserError when an edge has more than two facets
     * or two facets of one edge are oriented against each other.
     */
    void
    build_edges(const std::vector<dealii::Point<dim>> &positions);
  };
} // namespace Ricochet

#endif
