// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/surface/extraction.h>

#include <deal.II/fe/fe.h>
#include <deal.II/grid/cell_id.h>

#include <algorithm>
#include <boost/serialization/array.hpp>
#include <map>
#include <tuple>

namespace Ricochet
{
  namespace
  {
    using namespace dealii;

    /** One boundary face as ranks tell each other about it. */
    template <int dim>
    struct FaceRecord
    {
      static constexpr unsigned int max_vertices = dim == 3 ? 4 : 2;

      unsigned int body;
      unsigned int source;
      CellId::binary_type cell;
      unsigned int face;
      types::boundary_id boundary_id;
      unsigned int n_vertices;
      Point<dim> inside; // the centre of the cell
      std::array<Point<dim>, max_vertices> positions;
      std::array<std::array<types::global_dof_index, dim>, max_vertices> dofs;

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int)
      {
        archive &body &source &cell &face &boundary_id &n_vertices &inside
          &positions &dofs;
      }
    };



    template <int dim>
    std::vector<FaceRecord<dim>>
    local_faces(const std::vector<SurfaceSource<dim>> &sources)
    {
      std::vector<FaceRecord<dim>> records;
      for (unsigned int s = 0; s < sources.size(); ++s)
        for (const auto &cell : sources[s].dof_handler->active_cell_iterators())
          if (cell->is_locally_owned())
            for (const unsigned int f : cell->face_indices())
              {
                if (!cell->face(f)->at_boundary() ||
                    (sources[s].is_contact_face &&
                     !sources[s].is_contact_face(cell, f)))
                  continue;
                const auto face = cell->face(f);
                FaceRecord<dim> record;
                record.body   = sources[s].body ? sources[s].body(cell) : 0;
                record.source = s;
                record.cell   = cell->id().template to_binary<dim>();
                record.face   = f;
                record.boundary_id = face->boundary_id();
                record.n_vertices  = face->n_vertices();
                record.inside      = cell->center();
                for (unsigned int v = 0; v < face->n_vertices(); ++v)
                  {
                    record.positions[v] = face->vertex(v);
                    for (unsigned int c = 0; c < dim; ++c)
                      record.dofs[v][c] = face->vertex_dof_index(v, c);
                  }
                records.push_back(record);
              }
      return records;
    }



    /** All ranks' faces in an order that does not depend on the partition. */
    template <int dim>
    std::vector<FaceRecord<dim>>
    all_faces(const std::vector<SurfaceSource<dim>> &sources,
              const MPI_Comm communicator)
    {
      std::vector<FaceRecord<dim>> records;
      for (const auto &part :
           Utilities::MPI::all_gather(communicator, local_faces(sources)))
        records.insert(records.end(), part.begin(), part.end());

      std::sort(records.begin(),
                records.end(),
                [](const FaceRecord<dim> &a, const FaceRecord<dim> &b) {
                  const CellId cell_a(a.cell), cell_b(b.cell);
                  return std::tie(a.body, a.source, cell_a, a.face) <
                         std::tie(b.body, b.source, cell_b, b.face);
                });
      return records;
    }



    /**
     * Vertex numbers of the facets of a face, outward oriented: the side is
     * decided by the centre of the face's own cell.
     */
    std::vector<std::array<unsigned int, 2>>
    facets_of_face(const FaceRecord<2> &face)
    {
      const Tensor<1, 2> t      = face.positions[1] - face.positions[0];
      const Tensor<1, 2> inward = face.inside - face.positions[0];
      if (t[0] * inward[1] - t[1] * inward[0] > 0.)
        return {{{0, 1}}};
      return {{{1, 0}}};
    }

    std::vector<std::array<unsigned int, 3>>
    facets_of_face(const FaceRecord<3> &face)
    {
      std::vector<std::array<unsigned int, 3>> facets;
      if (face.n_vertices == 3)
        facets = {{{0, 1, 2}}};
      else
        facets = {{{0, 1, 3}}, {{0, 3, 2}}};

      // One decision for the whole face: both halves of a warped
      // quadrilateral must agree.
      const unsigned int last = face.n_vertices == 3 ? 2 : 3;
      const Tensor<1, 3> normal =
        face.n_vertices == 3
          ? cross_product_3d(face.positions[1] - face.positions[0],
                             face.positions[2] - face.positions[0])
          : cross_product_3d(face.positions[3] - face.positions[0],
                             face.positions[2] - face.positions[1]);
      const Point<3> middle =
        face.positions[0] + 0.5 * (face.positions[last] - face.positions[0]);
      if (normal * (middle - face.inside) < 0.)
        for (auto &facet : facets)
          std::swap(facet[1], facet[2]);
      return facets;
    }



    template <int dim>
    void
    check_element(const DoFHandler<dim> &dof_handler)
    {
      const FiniteElement<dim> &fe = dof_handler.get_fe();
      require(fe.n_components() == dim && fe.degree == 1,
              "The contact surface needs a vector-valued element of degree 1 "
              "with " +
                std::to_string(dim) + " components, but got " + fe.get_name() +
                ". Use FESystem(FE_Q(1), dim) or FESystem(FE_SimplexP(1), "
                "dim).");
      require(!dof_handler.get_triangulation().has_hanging_nodes(),
              "The contact surface cannot have hanging nodes yet. Refine the "
              "bodies uniformly.");
    }
  } // namespace



  template <int dim>
  void
  extract_surface(const std::vector<SurfaceSource<dim>> &sources,
                  const MPI_Comm communicator,
                  Surface<dim> &surface,
                  SurfaceNodes<dim> &nodes)
  {
    surface = Surface<dim>();
    nodes   = SurfaceNodes<dim>();
    for (const auto &source : sources)
      check_element(*source.dof_handler);

    // Nodes are numbered by first appearance; the first degree of freedom
    // tells them apart.
    std::map<std::pair<unsigned int, types::global_dof_index>, unsigned int>
      number_of_node;
    for (const auto &face : all_faces(sources, communicator))
      {
        std::array<unsigned int, FaceRecord<dim>::max_vertices> vertices;
        for (unsigned int v = 0; v < face.n_vertices; ++v)
          {
            const auto entry =
              number_of_node.emplace(std::make_pair(face.source,
                                                    face.dofs[v][0]),
                                     nodes.nodes.size());
            vertices[v] = entry.first->second;
            if (entry.second)
              {
                nodes.nodes.push_back({face.source, face.dofs[v]});
                nodes.positions.push_back(face.positions[v]);
                surface.vertex_body.push_back(face.body);
              }
          }
        for (const auto &facet : facets_of_face(face))
          {
            std::array<unsigned int, dim> numbers;
            for (unsigned int i = 0; i < dim; ++i)
              numbers[i] = vertices[facet[i]];
            surface.facets.push_back(numbers);
            surface.facet_body.push_back(face.body);
            surface.facet_boundary_id.push_back(face.boundary_id);
          }
        surface.n_bodies = std::max(surface.n_bodies, face.body + 1);
      }

    surface.n_nodes            = nodes.nodes.size();
    surface.vertices_are_nodes = true;
    for (unsigned int v = 0; v < surface.n_nodes; ++v)
      {
        surface.node_begin.push_back(v);
        surface.vertex_nodes.push_back(v);
        surface.node_weights.push_back(1.);
      }
    surface.node_begin.push_back(surface.n_nodes);
    surface.build_edges(nodes.positions);

    std::vector<unsigned int> owned;
    for (unsigned int n = 0; n < nodes.nodes.size(); ++n)
      if (sources[nodes.nodes[n].source]
            .dof_handler->locally_owned_dofs()
            .is_element(nodes.nodes[n].dofs[0]))
        owned.push_back(n);
    nodes.nodes_of_rank = Utilities::MPI::all_gather(communicator, owned);
  }



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
