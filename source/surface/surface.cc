// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** Normals that differ by less belong to one plane. */
    constexpr double flat = 1e-9;



    /** "body b, at (x, y, z)" for messages; without the number if there is one
     * body only. */
    template <int dim>
    std::string
    location(const Surface<dim> &surface,
             const std::vector<Point<dim>> &positions,
             const unsigned int vertex)
    {
      std::ostringstream text;
      if (surface.vertex_body.front() != surface.vertex_body.back())
        text << "body " << surface.vertex_body[vertex] << ", ";
      text << "at (";
      for (unsigned int d = 0; d < dim; ++d)
        text << (d > 0 ? ", " : "") << positions[vertex][d];
      text << ")";
      return text.str();
    }



    /**
     * Length of the edge between two vertices of a facet; it must have one,
     * since all clearances are relative to it.
     */
    template <int dim>
    double
    length_of_edge(const Surface<dim> &surface,
                   const std::vector<Point<dim>> &positions,
                   const unsigned int a,
                   const unsigned int b)
    {
      const double length = positions[a].distance(positions[b]);
      if (!(a != b && std::isfinite(length) && length > 0.))
        throw UserError("The contact surface has an edge without length (" +
                        location(surface, positions, a) +
                        "). Remove the degenerate cells from the mesh or leave "
                        "this boundary out of the contact surface.");
      return length;
    }



    /** Length or area of a facet. */
    template <int dim>
    double
    area_of_facet(const std::vector<Point<dim>> &positions,
                  const std::array<unsigned int, dim> &facet)
    {
      const dealii::Tensor<1, dim> first =
        positions[facet[1]] - positions[facet[0]];
      if constexpr (dim == 2)
        return first.norm();
      else
        return 0.5 * dealii::cross_product_3d(first,
                                              positions[facet[2]] -
                                                positions[facet[0]])
                       .norm();
    }



    template <int dim>
    [[noreturn]] void
    throw_not_a_manifold(const Surface<dim> &surface,
                         const std::vector<Point<dim>> &positions,
                         const unsigned int vertex)
    {
      throw UserError(
        std::string("The contact surface branches: more than two ") +
        (dim == 2 ? "segments meet at a vertex (" : "facets share an edge (") +
        location(surface, positions, vertex) +
        "). Separate the parts of the body that only touch there, or leave "
        "one of them out of the contact surface.");
    }



    template <int dim>
    [[noreturn]] void
    throw_not_oriented(const Surface<dim> &surface,
                       const std::vector<Point<dim>> &positions,
                       const unsigned int vertex)
    {
      throw UserError(
        "Two neighbouring facets of the contact surface face opposite sides "
        "(" +
        location(surface, positions, vertex) +
        "). Order the vertices of all facets so that the body is behind each "
        "of them.");
    }



    /** 2D: each vertex ends at most one segment and starts at most one. */
    void
    connect(Surface<2> &surface, const std::vector<Point<2>> &positions)
    {
      std::vector<std::array<unsigned int, 2>> n_segments(
        surface.n_vertices(),
        std::array<unsigned int, 2>{{0, 0}});
      for (const auto &facet : surface.facets)
        for (unsigned int i = 0; i < 2; ++i)
          ++n_segments[facet[i]][i];
      for (unsigned int v = 0; v < surface.n_vertices(); ++v)
        {
          if (n_segments[v][0] + n_segments[v][1] > 2)
            throw_not_a_manifold(surface, positions, v);
          if (n_segments[v][0] > 1 || n_segments[v][1] > 1)
            throw_not_oriented(surface, positions, v);
        }
    }



    /** 3D: number the edges; the two facets of an edge pass it oppositely. */
    void
    connect(Surface<3> &surface, const std::vector<Point<3>> &positions)
    {
      // Edges with the same smaller vertex form a chain.
      std::vector<unsigned int> first_edge(surface.n_vertices(),
                                           Surface<3>::none);
      std::vector<unsigned int> next_edge;
      std::vector<char> first_facet_goes_up;

      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        for (unsigned int i = 0; i < 3; ++i)
          {
            const unsigned int a    = surface.facets[f][i];
            const unsigned int b    = surface.facets[f][(i + 1) % 3];
            const unsigned int low  = std::min(a, b);
            const unsigned int high = std::max(a, b);
            unsigned int e          = first_edge[low];
            while (e != Surface<3>::none && surface.edges[e][1] != high)
              e = next_edge[e];
            if (e == Surface<3>::none)
              {
                next_edge.push_back(first_edge[low]);
                first_edge[low] = surface.n_edges();
                surface.edges.push_back({{low, high}});
                surface.edge_facets.push_back({{f, Surface<3>::none}});
                first_facet_goes_up.push_back(a == low);
                continue;
              }
            if (surface.edge_facets[e][1] != Surface<3>::none)
              throw_not_a_manifold(surface, positions, a);
            if (bool(first_facet_goes_up[e]) == (a == low))
              throw_not_oriented(surface, positions, a);
            surface.edge_facets[e][1] = f;
          }
    }
    /** List the neighbors of all vertices, both ends of each edge in turn. */
    template <int dim>
    void
    connect_vertices(Surface<dim> &surface)
    {
      const auto &edges = [&surface]() -> const auto &
      {
        if constexpr (dim == 2)
          return surface.facets;
        else
          return surface.edges;
      }
      ();
      surface.neighbor_begin.assign(surface.n_vertices() + 1, 0);
      for (const auto &edge : edges)
        for (const unsigned int v : edge)
          ++surface.neighbor_begin[v + 1];
      for (unsigned int v = 0; v < surface.n_vertices(); ++v)
        surface.neighbor_begin[v + 1] += surface.neighbor_begin[v];
      surface.neighbors.resize(surface.neighbor_begin.back());
      std::vector<unsigned int> next(surface.neighbor_begin.begin(),
                                     surface.neighbor_begin.end() - 1);
      for (const auto &edge : edges)
        for (unsigned int i = 0; i < 2; ++i)
          surface.neighbors[next[edge[i]]++] = edge[1 - i];
    }
  } // namespace



  template <int dim>
  void
  Surface<dim>::append(
    const unsigned int n_new_vertices,
    const std::vector<std::array<unsigned int, dim>> &new_facets,
    const unsigned int body)
  {
    const unsigned int first = n_vertices();
    if (node_begin.empty())
      node_begin.push_back(0);
    for (unsigned int v = 0; v < n_new_vertices; ++v)
      {
        vertex_nodes.push_back(n_nodes++);
        node_weights.push_back(1.);
        node_begin.push_back(vertex_nodes.size());
        vertex_body.push_back(body);
      }
    for (auto facet : new_facets)
      {
        for (unsigned int &v : facet)
          v += first;
        facets.push_back(facet);
        facet_body.push_back(body);
        facet_boundary_id.push_back(0);
      }
  }



  template <int dim>
  void
  Surface<dim>::append(
    const unsigned int n_new_nodes,
    const std::vector<double> &weights,
    const std::vector<std::array<unsigned int, dim>> &new_facets,
    const std::vector<dealii::types::boundary_id> &boundary_ids,
    const unsigned int body)
  {
    const unsigned int first = n_vertices();
    if (node_begin.empty())
      node_begin.push_back(0);
    for (unsigned int k = 0; k < weights.size(); ++k)
      {
        vertex_nodes.push_back(n_nodes + k % n_new_nodes);
        node_weights.push_back(weights[k]);
        if ((k + 1) % n_new_nodes == 0)
          {
            node_begin.push_back(vertex_nodes.size());
            vertex_body.push_back(body);
          }
      }
    n_nodes += n_new_nodes;
    vertices_are_nodes = false;
    for (unsigned int f = 0; f < new_facets.size(); ++f)
      {
        facets.push_back(new_facets[f]);
        for (unsigned int &v : facets.back())
          v += first;
        facet_body.push_back(body);
        facet_boundary_id.push_back(boundary_ids.empty() ? 0 : boundary_ids[f]);
      }
  }



  template <int dim>
  void
  Surface<dim>::remove_flat_edges(
    [[maybe_unused]] const std::vector<Point<dim>> &positions,
    [[maybe_unused]] const unsigned int first_body)
  {
    if constexpr (dim == 3)
      {
        const auto normal = [&](const unsigned int f) {
          const auto &facet = facets[f];
          const dealii::Tensor<1, 3> n =
            dealii::cross_product_3d(positions[facet[1]] - positions[facet[0]],
                                     positions[facet[2]] - positions[facet[0]]);
          return n / n.norm();
        };
        unsigned int n_kept = 0;
        for (unsigned int e = 0; e < n_edges(); ++e)
          {
            const auto both = edge_facets[e];
            if (both[1] != none && facet_body[both[0]] >= first_body &&
                facet_body[both[1]] >= first_body)
              {
                const dealii::Tensor<1, 3> a = normal(both[0]),
                                           b = normal(both[1]);
                if (a * b > 0. && (a - b).norm() < flat)
                  continue;
              }
            edges[n_kept]       = edges[e];
            edge_facets[n_kept] = both;
            edge_length[n_kept] = edge_length[e];
            ++n_kept;
          }
        edges.resize(n_kept);
        edge_facets.resize(n_kept);
        edge_length.resize(n_kept);
      }
  }



  template <int dim>
  void
  Surface<dim>::build_edges(const std::vector<Point<dim>> &positions)
  {
    AssertThrow(positions.size() == n_vertices(),
                dealii::ExcDimensionMismatch(positions.size(), n_vertices()));
    AssertThrow(facet_body.size() == n_facets(),
                dealii::ExcDimensionMismatch(facet_body.size(), n_facets()));

    constexpr double infinity = std::numeric_limits<double>::infinity();
    edges.clear();
    edge_facets.clear();
    facet_length.assign(n_facets(), infinity);
    vertex_length.assign(n_vertices(), infinity);
    vertex_area.assign(n_vertices(), 0.);
    for (unsigned int f = 0; f < n_facets(); ++f)
      {
        const unsigned int n_sides = dim == 2 ? 1 : 3;
        for (unsigned int i = 0; i < n_sides; ++i)
          facet_length[f] = std::min(facet_length[f],
                                     length_of_edge(*this,
                                                    positions,
                                                    facets[f][i],
                                                    facets[f][(i + 1) % dim]));
        const double area = area_of_facet<dim>(positions, facets[f]);
        for (const unsigned int v : facets[f])
          {
            vertex_length[v] = std::min(vertex_length[v], facet_length[f]);
            vertex_area[v] += area / dim;
          }
      }
    for (const double length : vertex_length)
      AssertThrow(length < infinity,
                  dealii::ExcMessage("A vertex of the contact surface belongs "
                                     "to no facet."));

    connect(*this, positions);
    connect_vertices(*this);
    vertex_facets.reinit(facets, n_vertices());

    edge_length.assign(n_edges(), infinity);
    for (unsigned int e = 0; e < n_edges(); ++e)
      for (const unsigned int f : edge_facets[e])
        if (f != none)
          edge_length[e] = std::min(edge_length[e], facet_length[f]);
  }



  template <int dim>
  const std::vector<Point<dim>> &
  Surface<dim>::vertex_positions(const std::vector<Point<dim>> &nodes,
                                 std::vector<Point<dim>> &buffer) const
  {
    if (vertices_are_nodes && nodes.size() == n_nodes)
      return nodes;
    if (vertices_are_nodes)
      {
        buffer.assign(nodes.begin(), nodes.begin() + n_nodes);
        return buffer;
      }
    buffer.assign(n_vertices(), Point<dim>());
    for (unsigned int v = 0; v < n_vertices(); ++v)
      for (unsigned int k = node_begin[v]; k < node_begin[v + 1]; ++k)
        buffer[v] +=
          node_weights[k] * dealii::Tensor<1, dim>(nodes[vertex_nodes[k]]);
    return buffer;
  }



  template <int dim>
  std::vector<unsigned int>
  Surface<dim>::node_bodies() const
  {
    if (vertices_are_nodes)
      return vertex_body;
    std::vector<unsigned int> bodies(n_nodes);
    for (unsigned int v = 0; v < n_vertices(); ++v)
      for (unsigned int k = node_begin[v]; k < node_begin[v + 1]; ++k)
        bodies[vertex_nodes[k]] = vertex_body[v];
    return bodies;
  }



  template struct Surface<2>;
  template struct Surface<3>;
} // namespace Ricochet
