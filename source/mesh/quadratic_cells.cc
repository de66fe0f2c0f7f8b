// SPDX-License-Identifier: LGPL-2.1-or-later

#include "quadratic_cells.h"

#include <cmath>

namespace Ricochet
{
  namespace
  {
    /** Edges of a quadrilateral and a hexahedron in the order of ElementType;
     * the former are the first four. */
    constexpr unsigned int edges[12][2] = {{0, 1},
                                           {1, 2},
                                           {2, 3},
                                           {3, 0},
                                           {4, 5},
                                           {5, 6},
                                           {6, 7},
                                           {7, 4},
                                           {0, 4},
                                           {1, 5},
                                           {2, 6},
                                           {3, 7}};

    /** Faces of a hexahedron in the order of ElementType: vertices, edges. */
    constexpr unsigned int faces[6][2][4] = {{{0, 4, 7, 3}, {8, 7, 11, 3}},
                                             {{1, 2, 6, 5}, {1, 10, 5, 9}},
                                             {{0, 1, 5, 4}, {0, 9, 4, 8}},
                                             {{2, 3, 7, 6}, {2, 11, 6, 10}},
                                             {{0, 1, 2, 3}, {0, 1, 2, 3}},
                                             {{4, 5, 6, 7}, {4, 5, 6, 7}}};



    /** One element whose nodes are taken. */
    template <int dim>
    class QuadraticCell
    {
    public:
      QuadraticCell(const PlainMesh &mesh,
                    const PlainMesh::Element &element,
                    CurvedNodes<dim> &nodes,
                    MeshFaults &faults)
        : mesh(mesh)
        , element(element)
        , type(info(element.type))
        , nodes(nodes)
        , faults(faults)
      {}

      void
      take()
      {
        const unsigned int n_edges = dim == 2 ? 4 : 12;
        const unsigned int n_faces = dim == 2 ? 0 : 6;
        for (unsigned int e = 0; e < n_edges; ++e)
          add({point(edges[e][0]), point(edges[e][1])}, x(edge_node(e)));
        std::vector<unsigned int> all;
        for (unsigned int v = 0; v < type.n_vertices; ++v)
          all.push_back(point(v));
        const bool has_all = type.n_nodes > type.n_vertices + n_edges;
        for (unsigned int f = 0; f < n_faces; ++f)
          add({point(faces[f][0][0]),
               point(faces[f][0][1]),
               point(faces[f][0][2]),
               point(faces[f][0][3])},
              has_all ? x(20 + f) : centre_of_face(faces[f][0], faces[f][1]));
        if (has_all)
          add(all, x(type.n_nodes - 1));
        else if (dim == 2)
          add(all, centre_of_face(faces[4][0], faces[4][1]));
        else
          add(all, centre_of_hexahedron());
      }

    private:
      unsigned int
      point(const unsigned int n) const
      {
        return mesh.nodes[element.first_node + n];
      }

      unsigned int
      edge_node(const unsigned int e) const
      {
        return type.n_vertices + e;
      }

      dealii::Point<dim>
      x(const unsigned int n) const
      {
        dealii::Point<dim> result;
        for (unsigned int d = 0; d < dim; ++d)
          result[d] = mesh.points[point(n)][d];
        return result;
      }

      /** Serendipity functions of 8 nodes at the centre: -1/4 and 1/2. */
      dealii::Point<dim>
      centre_of_face(const unsigned int (&vertices)[4],
                     const unsigned int (&edges_of_face)[4]) const
      {
        dealii::Tensor<1, dim> sum;
        for (unsigned int i = 0; i < 4; ++i)
          sum += 0.5 * x(edge_node(edges_of_face[i])) - 0.25 * x(vertices[i]);
        return dealii::Point<dim>(sum);
      }

      /** Those of 20 nodes: -1/4 and 1/4. */
      dealii::Point<dim>
      centre_of_hexahedron() const
      {
        dealii::Tensor<1, dim> sum;
        for (unsigned int n = 0; n < 20; ++n)
          sum += (n < 8 ? -0.25 : 0.25) * x(n);
        return dealii::Point<dim>(sum);
      }

      void
      add(const std::vector<unsigned int> &points,
          const dealii::Point<dim> &node)
      {
        const std::string name = "element " + std::to_string(element.number);
        if (!std::isfinite(node.square()))
          faults.add("nodes between vertices without finite coordinates", name);
        const double distance = nodes.add(points, node).distance(node);
        const double size     = x(0).distance(x(dim == 2 ? 2 : 6));
        if (distance > 1e-6 * size)
          faults.add(
            "elements that share vertices with another one, but not "
            "the node between them",
            name);
      }

      const PlainMesh &mesh;
      const PlainMesh::Element &element;
      const ElementTypeInfo type;
      CurvedNodes<dim> &nodes;
      MeshFaults &faults;
    };
  } // namespace



  bool
  is_quadratic_cube(const ElementType type)
  {
    return type == ElementType::quadrilateral_8 ||
           type == ElementType::quadrilateral_9 ||
           type == ElementType::hexahedron_20 ||
           type == ElementType::hexahedron_27;
  }



  template <int dim>
  void
  take_curved_nodes(const PlainMesh &mesh,
                    const PlainMesh::Element &element,
                    CurvedNodes<dim> &nodes,
                    MeshFaults &faults)
  {
    QuadraticCell<dim>(mesh, element, nodes, faults).take();
  }



  template void
  take_curved_nodes(const PlainMesh &,
                    const PlainMesh::Element &,
                    CurvedNodes<2> &,
                    MeshFaults &);
  template void
  take_curved_nodes(const PlainMesh &,
                    const PlainMesh::Element &,
                    CurvedNodes<3> &,
                    MeshFaults &);
} // namespace Ricochet
