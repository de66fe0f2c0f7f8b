// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/all_gather.h>
#include <ricochet/base/error.h>
#include <ricochet/surface/extraction.h>

#include <deal.II/fe/fe.h>
#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "boundary_faces.h"

namespace Ricochet
{
  namespace
  {
    using namespace dealii;

    /** The faces of all ranks, one rank after the other: what the library does
     * with less work, since it would compress them. */
    template <int dim>
    std::vector<BoundaryFace<dim>>
    gather(std::vector<BoundaryFace<dim>> &&own, const MPI_Comm communicator)
    {
      if (Utilities::MPI::n_mpi_processes(communicator) == 1)
        return std::move(own);
      std::vector<char> all;
      const auto begin =
        all_gather(Utilities::pack(own, false), communicator, all);
      std::vector<BoundaryFace<dim>> records;
      for (unsigned int rank = 0; rank + 1 < begin.size(); ++rank)
        for (auto &record : Utilities::unpack<std::vector<BoundaryFace<dim>>>(
               all.cbegin() + begin[rank],
               all.cbegin() + begin[rank + 1],
               false))
          records.push_back(std::move(record));
      return records;
    }



    /** All ranks' faces in an order that does not depend on the partition. */
    template <int dim>
    std::vector<BoundaryFace<dim>>
    all_faces(const std::vector<SurfaceSource<dim>> &sources,
              const MPI_Comm communicator)
    {
      std::vector<BoundaryFace<dim>> records =
        gather(own_boundary_faces(sources), communicator);
      std::vector<CellId> cells;
      for (const auto &record : records)
        cells.emplace_back(record.cell);
      std::vector<unsigned int> order(records.size());
      std::iota(order.begin(), order.end(), 0u);
      std::sort(order.begin(),
                order.end(),
                [&](const unsigned int i, const unsigned int j) {
                  const BoundaryFace<dim> &a = records[i], &b = records[j];
                  return std::tie(a.body, a.source, cells[i], a.face) <
                         std::tie(b.body, b.source, cells[j], b.face);
                });
      std::vector<BoundaryFace<dim>> sorted;
      sorted.reserve(records.size());
      for (const unsigned int i : order)
        sorted.push_back(std::move(records[i]));
      return sorted;
    }



    /** Throw if ranks own the same faces: each has a whole mesh of its own. */
    template <int dim>
    void
    check_owners(const std::vector<BoundaryFace<dim>> &faces)
    {
      const auto twice =
        std::adjacent_find(faces.begin(),
                           faces.end(),
                           [](const auto &a, const auto &b) {
                             return std::tie(a.source, a.cell, a.face) ==
                                    std::tie(b.source, b.cell, b.face);
                           });
      if (twice != faces.end())
        throw UserError(
          "The triangulation of source " + std::to_string(twice->source) +
          " of the contact surface is not shared out among the ranks: each has "
          "all of its cells, and owns them. Use a "
          "parallel::distributed::Triangulation, or a "
          "parallel::fullydistributed or parallel::shared one, with the "
          "communicator of contact; or one rank, or MPI_COMM_SELF if each rank "
          "is to compute the same.");
    }



    template <int dim>
    void
    check_element(const SurfaceSource<dim> &source, const MPI_Comm communicator)
    {
      const DoFHandler<dim> &dof_handler = *source.dof_handler;
      const FiniteElement<dim> &fe       = dof_handler.get_fe();
      require(fe.n_components() == dim &&
                (fe.degree == 1 ||
                 (fe.degree == 2 && fe.reference_cell().is_hyper_cube())),
              "The contact surface needs a vector-valued element of degree 1, "
              "or on hypercubes 2, with " +
                std::to_string(dim) + " components, but got " + fe.get_name() +
                ". Use FESystem(FE_Q(1), dim), FESystem(FE_Q(2), dim), or "
                "FESystem(FE_SimplexP(1), dim).");
      // Cells on several levels need not meet.
      const bool any_hanging_nodes =
        dof_handler.get_triangulation().has_hanging_nodes() &&
        Utilities::MPI::max(source.hanging_nodes == nullptr ||
                                source.hanging_nodes->n_constraints() > 0
                              ? 1
                              : 0,
                            communicator) > 0;
      require(fe.degree == 1 || !any_hanging_nodes,
              "A contact surface of elements of degree 2 cannot have hanging "
              "nodes. Use elements of degree 1, or refine all cells.");
      AssertThrow(source.hanging_nodes != nullptr || !any_hanging_nodes,
                  ExcMessage("A contact surface with hanging nodes needs their "
                             "constraints: SurfaceSource::hanging_nodes."));
    }



    /** Numbers vertices and nodes by first appearance and adds them, and the
     * facets, to the surface; the first degree of freedom tells them apart. */
    template <int dim>
    class Numbering
    {
    public:
      Numbering(Surface<dim> &surface, SurfaceNodes<dim> &nodes)
        : surface(surface)
        , nodes(nodes)
      {
        surface.node_begin = {0};
      }

      void
      add(const BoundaryFace<dim> &face)
      {
        ids.clear();
        for (const SurfaceVertex<dim> &vertex : face.vertices)
          {
            ids.push_back(surface.n_vertices());
            if (vertex.number != numbers::invalid_dof_index)
              ids.back() = number_of_vertex
                             .emplace(Number(face.source, vertex.number),
                                      surface.n_vertices())
                             .first->second;
            if (ids.back() == surface.n_vertices())
              add_vertex(face, vertex);
          }
        for (auto facet : face.facets)
          {
            for (unsigned int &v : facet)
              v = ids[v];
            surface.facets.push_back(facet);
            surface.facet_body.push_back(body_of(facet, face.body));
            surface.facet_boundary_id.push_back(face.boundary_id);
            surface.n_bodies =
              std::max(surface.n_bodies, surface.facet_body.back() + 1);
          }
        surface.n_bodies = std::max(surface.n_bodies, face.body + 1);
      }

      /** After the last face: put what rigid bodies have behind all others. */
      void
      sort_by_body();

      /** In the mesh. */
      const std::vector<Point<dim>> &
      vertex_positions() const
      {
        return positions;
      }

    private:
      /** Source and first degree of freedom. */
      using Number = std::pair<unsigned int, types::global_dof_index>;

      /** That of a facet of a face of body @p other: the body of its vertices
       * if these are all of one rigid body. */
      unsigned int
      body_of(const std::array<unsigned int, dim> &facet,
              const unsigned int other) const
      {
        const unsigned int body = surface.vertex_body[facet[0]];
        return std::all_of(facet.begin(),
                           facet.end(),
                           [&](const unsigned int v) {
                             return surface.vertex_body[v] == body;
                           })
                 ? body
                 : other;
      }

      /** The same of a vertex. */
      static unsigned int
      body_of(const SurfaceVertex<dim> &vertex, const unsigned int other)
      {
        const auto &first = vertex.nodes.front().second;
        return first.is_rigid() &&
                   std::all_of(vertex.nodes.begin(),
                               vertex.nodes.end(),
                               [&](const auto &entry) {
                                 return entry.second.rigid.body ==
                                        first.rigid.body;
                               })
                 ? first.rigid.body
                 : other;
      }

      void
      add_vertex(const BoundaryFace<dim> &face,
                 const SurfaceVertex<dim> &vertex)
      {
        for (const auto &[weight, node] : vertex.nodes)
          {
            surface.node_weights.push_back(weight);
            if (node.is_rigid())
              {
                nodes.rigid_points.push_back(node.rigid);
                nodes.rigid_entries.push_back(surface.vertex_nodes.size());
                surface.vertex_nodes.push_back(Surface<dim>::none);
                continue;
              }
            const auto entry =
              number_of_node.emplace(Number(face.source, node.dofs[0]),
                                     nodes.nodes.size());
            if (entry.second)
              {
                nodes.nodes.push_back({face.source, node.dofs});
                nodes.positions.push_back(node.position);
              }
            surface.vertex_nodes.push_back(entry.first->second);
          }
        surface.node_begin.push_back(surface.vertex_nodes.size());
        surface.vertex_body.push_back(body_of(vertex, face.body));
        positions.push_back(vertex.position);
      }

      Surface<dim> &surface;
      SurfaceNodes<dim> &nodes;
      std::map<Number, unsigned int> number_of_vertex, number_of_node;
      std::vector<Point<dim>> positions;

      /** Of the vertices of a face. */
      std::vector<unsigned int> ids;
    };



    /** Numbers from 0 on in the order of some values, else as they were. */
    std::vector<unsigned int>
    order_of(const std::vector<unsigned int> &values)
    {
      std::vector<unsigned int> order(values.size());
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(),
                       order.end(),
                       [&](const unsigned int a, const unsigned int b) {
                         return values[a] < values[b];
                       });
      return order;
    }



    /** The values in another order. */
    template <typename Value>
    void
    permute(const std::vector<unsigned int> &order, std::vector<Value> &values)
    {
      std::vector<Value> result;
      for (const unsigned int k : order)
        result.push_back(values[k]);
      values = std::move(result);
    }



    template <int dim>
    void
    Numbering<dim>::sort_by_body()
    {
      if (nodes.rigid_points.empty())
        return;
      const auto facets = order_of(surface.facet_body);
      permute(facets, surface.facets);
      permute(facets, surface.facet_body);
      permute(facets, surface.facet_boundary_id);

      const auto vertices             = order_of(surface.vertex_body);
      const Surface<dim> before       = surface;
      const SurfaceNodes<dim> entries = nodes;
      permute(vertices, surface.vertex_body);
      permute(vertices, positions);
      std::vector<unsigned int> new_number(vertices.size());
      surface.node_begin = {0};
      surface.vertex_nodes.clear();
      surface.node_weights.clear();
      nodes.rigid_points.clear();
      nodes.rigid_entries.clear();
      for (const unsigned int v : vertices)
        {
          new_number[v] = surface.node_begin.size() - 1;
          for (unsigned int k = before.node_begin[v];
               k < before.node_begin[v + 1];
               ++k)
            {
              if (before.vertex_nodes[k] == Surface<dim>::none)
                {
                  const auto entry =
                    std::lower_bound(entries.rigid_entries.begin(),
                                     entries.rigid_entries.end(),
                                     k);
                  nodes.rigid_points.push_back(
                    entries
                      .rigid_points[entry - entries.rigid_entries.begin()]);
                  nodes.rigid_entries.push_back(surface.vertex_nodes.size());
                }
              surface.vertex_nodes.push_back(before.vertex_nodes[k]);
              surface.node_weights.push_back(before.node_weights[k]);
            }
          surface.node_begin.push_back(surface.vertex_nodes.size());
        }
      for (auto &facet : surface.facets)
        for (unsigned int &v : facet)
          v = new_number[v];
    }



    /** Whether vertex v is node v alone, for all v. */
    template <int dim>
    bool
    vertices_are_nodes(const Surface<dim> &surface)
    {
      bool result = surface.n_vertices() == surface.n_nodes &&
                    surface.vertex_nodes.size() == surface.n_nodes;
      for (unsigned int v = 0; v < surface.n_vertices(); ++v)
        result = result && surface.vertex_nodes[v] == v;
      return result;
    }



    /** The nodes whose degrees of freedom this rank owns. */
    template <int dim>
    std::vector<unsigned int>
    owned_nodes(const std::vector<SurfaceSource<dim>> &sources,
                const SurfaceNodes<dim> &nodes)
    {
      std::vector<unsigned int> owned;
      for (unsigned int n = 0; n < nodes.nodes.size(); ++n)
        if (sources[nodes.nodes[n].source]
              .dof_handler->locally_owned_dofs()
              .is_element(nodes.nodes[n].dofs[0]))
          owned.push_back(n);
      return owned;
    }
  } // namespace



  template <int dim>
  std::vector<SurfaceSource<dim>>
  number_bodies(std::vector<SurfaceSource<dim>> sources,
                const MPI_Comm communicator)
  {
    unsigned int next = 0;
    for (const SurfaceSource<dim> &source : sources)
      if (source.body)
        for (const auto &cell : source.dof_handler->active_cell_iterators())
          if (cell->is_locally_owned())
            next = std::max(next, source.body(cell) + 1);
    next = Utilities::MPI::max(next, communicator);
    for (SurfaceSource<dim> &source : sources)
      if (!source.body)
        source.body = [number = next++](const auto &) { return number; };
    return sources;
  }



  template <int dim>
  void
  extract_surface(const std::vector<SurfaceSource<dim>> &given_sources,
                  const MPI_Comm communicator,
                  Surface<dim> &surface,
                  SurfaceNodes<dim> &nodes)
  {
    surface = Surface<dim>();
    nodes   = SurfaceNodes<dim>();
    for (const auto &source : given_sources)
      check_element(source, communicator);
    const auto sources = number_bodies(given_sources, communicator);

    const auto faces = all_faces(sources, communicator);
    check_owners(faces);
    Numbering<dim> numbering(surface, nodes);
    for (const auto &face : faces)
      numbering.add(face);
    numbering.sort_by_body();
    surface.n_nodes            = nodes.nodes.size();
    surface.vertices_are_nodes = vertices_are_nodes(surface);
    surface.build_edges(numbering.vertex_positions());
    nodes.nodes_of_rank =
      Utilities::MPI::all_gather(communicator, owned_nodes(sources, nodes));
  }



  template std::vector<SurfaceSource<2>>
  number_bodies(std::vector<SurfaceSource<2>>, const MPI_Comm);
  template std::vector<SurfaceSource<3>>
  number_bodies(std::vector<SurfaceSource<3>>, const MPI_Comm);
  template void
  extract_surface(const std::vector<SurfaceSource<2>> &,
                  const MPI_Comm,
                  Surface<2> &,
                  SurfaceNodes<2> &);
  template void
  extract_surface(const std::vector<SurfaceSource<3>> &,
                  const MPI_Comm,
                  Surface<3> &,
                  SurfaceNodes<3> &);
} // namespace Ricochet
