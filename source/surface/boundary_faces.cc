// SPDX-License-Identifier: LGPL-2.1-or-later

#include "boundary_faces.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <map>
#include <set>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Looks up the nodes that vertices of a mesh depend on. */
    template <int dim>
    class VertexReader
    {
    public:
      explicit VertexReader(const SurfaceSource<dim> &source);

      /**
       * Vertex @p v of an object of the mesh: a cell, face, or line.
       */
      template <class Object>
      SurfaceVertex<dim>
      read(const Object &object, const unsigned int v) const;

    private:
      const AffineConstraints<double> *constraints = nullptr;

      /** Nodes that hanging ones depend on, by first degree of freedom. */
      std::map<types::global_dof_index, SurfaceNode<dim>> masters;
    };



    template <class Object, int dim>
    void
    read_node(const Object &object,
              const unsigned int v,
              SurfaceNode<dim> &node)
    {
      node.position = object->vertex(v);
      for (unsigned int c = 0; c < dim; ++c)
        node.dofs[c] = object->vertex_dof_index(v, c);
    }



    template <int dim>
    VertexReader<dim>::VertexReader(const SurfaceSource<dim> &source)
    {
      if (!source.dof_handler->get_triangulation().has_hanging_nodes())
        return;
      constraints = source.hanging_nodes;
      std::set<types::global_dof_index> wanted;
      for (const auto &line : constraints->get_lines())
        for (const auto &entry : line.entries)
          wanted.insert(entry.first);
      for (const auto &cell : source.dof_handler->active_cell_iterators())
        if (!cell->is_artificial())
          for (const unsigned int v : cell->vertex_indices())
            if (wanted.count(cell->vertex_dof_index(v, 0)) > 0)
              read_node(cell, v, masters[cell->vertex_dof_index(v, 0)]);
    }



    template <int dim>
    template <class Object>
    SurfaceVertex<dim>
    VertexReader<dim>::read(const Object &object, const unsigned int v) const
    {
      SurfaceNode<dim> node;
      read_node(object, v, node);
      SurfaceVertex<dim> vertex;
      vertex.number   = node.dofs[0];
      vertex.position = node.position;
      const auto *entries =
        constraints != nullptr
          ? constraints->get_constraint_entries(node.dofs[0])
          : nullptr;
      if (entries == nullptr)
        vertex.nodes.emplace_back(1., node);
      else
        for (const auto &entry : *entries)
          {
            const auto master = masters.find(entry.first);
            AssertThrow(master != masters.end(),
                        ExcMessage("A hanging node depends on nodes that its "
                                   "rank does not know."));
            vertex.nodes.emplace_back(entry.second, master->second);
          }
      return vertex;
    }



    /** The centre of a face as the mean of its first @p n vertices. */
    template <int dim>
    SurfaceVertex<dim>
    centre(const std::vector<SurfaceVertex<dim>> &corners, const unsigned int n)
    {
      SurfaceVertex<dim> result;
      for (unsigned int i = 0; i < n; ++i)
        {
          result.position += corners[i].position / n;
          for (const auto &[weight, node] : corners[i].nodes)
            {
              const auto known =
                std::find_if(result.nodes.begin(),
                             result.nodes.end(),
                             [&dofs = node.dofs](const auto &other) {
                               return other.second.dofs == dofs;
                             });
              if (known == result.nodes.end())
                result.nodes.emplace_back(weight / n, node);
              else
                known->first += weight / n;
            }
        }
      return result;
    }



    /**
     * Append the vertices inside a line, from the end with the index
     * @p first on: where the neighbors along the line are finer.
     */
    template <int dim, class Line>
    void
    append_inner_vertices(const Line &line,
                          const unsigned int first,
                          const VertexReader<dim> &reader,
                          std::vector<SurfaceVertex<dim>> &vertices)
    {
      if (!line->has_children())
        return;
      const unsigned int side = line->vertex_index(0) == first ? 0 : 1;
      const auto middle       = line->child(0)->vertex_index(1);
      append_inner_vertices(line->child(side), first, reader, vertices);
      vertices.push_back(reader.read(line->child(0), 1));
      append_inner_vertices(line->child(1 - side), middle, reader, vertices);
    }



    /**
     * Whether the vertices of the facets have to be reversed: the side is
     * decided by the centre @p inside of the face's own cell.
     */
    bool
    is_inward(const BoundaryFace<2> &face, const Point<2> &inside)
    {
      const Point<2> &x_0       = face.vertices[0].position;
      const Tensor<1, 2> t      = face.vertices[1].position - x_0;
      const Tensor<1, 2> inward = inside - x_0;
      return !(t[0] * inward[1] - t[1] * inward[0] > 0.);
    }

    bool
    is_inward(const BoundaryFace<3> &face,
              const Point<3> &inside,
              const unsigned int n_corners)
    {
      const auto x = [&face](const unsigned int v) -> const Point<3> & {
        return face.vertices[v].position;
      };
      // One decision for the whole face: both halves of a warped
      // quadrilateral must agree.
      const unsigned int last = n_corners - 1;
      const Tensor<1, 3> normal =
        n_corners == 3 ? cross_product_3d(x(1) - x(0), x(2) - x(0))
                       : cross_product_3d(x(3) - x(0), x(2) - x(1));
      const Point<3> middle = x(0) + 0.5 * (x(last) - x(0));
      return normal * (middle - inside) < 0.;
    }



    /** The vertex in the middle of a line or face that has a node there. */
    template <int dim, class Object>
    SurfaceVertex<dim>
    middle_node(const Object &object)
    {
      SurfaceNode<dim> node;
      node.position = object->center();
      for (unsigned int c = 0; c < dim; ++c)
        node.dofs[c] = object->dof_index(c);
      SurfaceVertex<dim> vertex;
      vertex.number   = node.dofs[0];
      vertex.position = node.position;
      vertex.nodes.emplace_back(1., node);
      return vertex;
    }



    /** Vertices and facets of a face of an element of degree @p degree. */
    template <class Face>
    void
    split(const Face &face,
          const Point<2> &inside,
          const unsigned int degree,
          const VertexReader<2> &reader,
          BoundaryFace<2> &record)
    {
      for (unsigned int v = 0; v < 2; ++v)
        record.vertices.push_back(reader.read(face, v));
      record.facets = {{{0, 1}}};
      if (degree == 2)
        {
          record.vertices.push_back(middle_node<2>(face));
          record.facets = {{{0, 2}}, {{2, 1}}};
        }
      if (is_inward(record, inside))
        for (auto &facet : record.facets)
          std::swap(facet[0], facet[1]);
    }



    /** Four quarters along the lines of support points. */
    template <class Face>
    void
    split_into_quarters(const Face &face, BoundaryFace<3> &record)
    {
      for (unsigned int l = 0; l < 4; ++l)
        record.vertices.push_back(middle_node<3>(face->line(l)));
      record.vertices.push_back(middle_node<3>(face));
      // Corners 0 to 3, left, right, bottom, top, middle.
      const unsigned int quarters[4][4] = {{0, 6, 4, 8},
                                           {6, 1, 8, 5},
                                           {4, 8, 2, 7},
                                           {8, 5, 7, 3}};
      for (const auto &q : quarters)
        {
          record.facets.push_back({{q[0], q[1], q[3]}});
          record.facets.push_back({{q[0], q[3], q[2]}});
        }
    }



    /** Two triangles, or a fan if there are hanging vertices on the sides. */
    template <class Face>
    void
    split_between_neighbors(const Face &face,
                            const VertexReader<3> &reader,
                            BoundaryFace<3> &record)
    {
      // Around the face: its corners, and hanging vertices in between.
      std::vector<unsigned int> around;
      const unsigned int corners[4] = {0, 1, 3, 2}, lines[4] = {2, 1, 3, 0};
      for (unsigned int i = 0; i < 4; ++i)
        {
          around.push_back(corners[i]);
          const unsigned int begin = record.vertices.size();
          append_inner_vertices(face->line(lines[i]),
                                face->vertex_index(corners[i]),
                                reader,
                                record.vertices);
          for (unsigned int v = begin; v < record.vertices.size(); ++v)
            around.push_back(v);
        }
      if (around.size() == 4)
        {
          record.facets = {{{0, 1, 3}}, {{0, 3, 2}}};
          return;
        }
      const unsigned int middle = record.vertices.size();
      record.vertices.push_back(centre(record.vertices, 4));
      for (unsigned int i = 0; i < around.size(); ++i)
        record.facets.push_back(
          {{middle, around[i], around[(i + 1) % around.size()]}});
    }

    template <class Face>
    void
    split(const Face &face,
          const Point<3> &inside,
          const unsigned int degree,
          const VertexReader<3> &reader,
          BoundaryFace<3> &record)
    {
      const unsigned int n_corners = face->n_vertices();
      for (unsigned int v = 0; v < n_corners; ++v)
        record.vertices.push_back(reader.read(face, v));
      if (n_corners == 3)
        record.facets = {{{0, 1, 2}}};
      else if (degree == 2)
        split_into_quarters(face, record);
      else
        split_between_neighbors(face, reader, record);
      if (is_inward(record, inside, n_corners))
        for (auto &facet : record.facets)
          std::swap(facet[1], facet[2]);
    }
  } // namespace



  template <int dim>
  std::vector<BoundaryFace<dim>>
  own_boundary_faces(const std::vector<SurfaceSource<dim>> &sources)
  {
    std::vector<BoundaryFace<dim>> records;
    for (unsigned int s = 0; s < sources.size(); ++s)
      {
        const VertexReader<dim> reader(sources[s]);
        for (const auto &cell : sources[s].dof_handler->active_cell_iterators())
          if (cell->is_locally_owned())
            for (const unsigned int f : cell->face_indices())
              {
                if (!cell->face(f)->at_boundary() ||
                    (sources[s].is_contact_face &&
                     !sources[s].is_contact_face(cell, f)))
                  continue;
                BoundaryFace<dim> record;
                record.body        = sources[s].body(cell);
                record.source      = s;
                record.cell        = cell->id().template to_binary<dim>();
                record.face        = f;
                record.boundary_id = cell->face(f)->boundary_id();
                split(cell->face(f),
                      cell->center(),
                      sources[s].dof_handler->get_fe().degree,
                      reader,
                      record);
                if (sources[s].rigid_point)
                  for (SurfaceVertex<dim> &vertex : record.vertices)
                    for (auto &[weight, node] : vertex.nodes)
                      node.rigid = sources[s].rigid_point(node.dofs[0]);
                records.push_back(record);
              }
      }
    return records;
  }



  template std::vector<BoundaryFace<2>>
  own_boundary_faces(const std::vector<SurfaceSource<2>> &);
  template std::vector<BoundaryFace<3>>
  own_boundary_faces(const std::vector<SurfaceSource<3>> &);
} // namespace Ricochet
