// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_feature_normals_h
#define ricochet_geometry_feature_normals_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** The slack of the cone of normals at an edge or a vertex, in radians. */
  constexpr double cone_tolerance = 0.1;

  /** Edges with a smaller sine between them have no common normal. */
  constexpr double parallel_sine = 1e-8;

  /** The mean of the nodes that a vertex depends on. */
  template <int dim>
  dealii::Point<dim>
  mean_of_nodes(const Surface<dim> &surface,
                const std::vector<dealii::Point<dim>> &nodes,
                const unsigned int vertex);

  /** Position of a vertex of the surface from the positions of the nodes. */
  template <int dim>
  inline dealii::Point<dim>
  vertex_position(const Surface<dim> &surface,
                  const std::vector<dealii::Point<dim>> &nodes,
                  const unsigned int vertex)
  {
    return surface.vertices_are_nodes ? nodes[vertex]
                                      : mean_of_nodes(surface, nodes, vertex);
  }

  /** The vertices of a facet from the positions of all vertices. */
  template <int dim>
  std::array<dealii::Point<dim>, dim>
  facet_corners(const Surface<dim> &surface,
                const std::vector<dealii::Point<dim>> &positions,
                const unsigned int facet)
  {
    std::array<dealii::Point<dim>, dim> corners;
    for (unsigned int i = 0; i < dim; ++i)
      corners[i] = positions[surface.facets[facet][i]];
    return corners;
  }

  /** The same from the positions of the nodes. */
  template <int dim>
  std::array<dealii::Point<dim>, dim>
  corners_from_nodes(const Surface<dim> &surface,
                     const std::vector<dealii::Point<dim>> &nodes,
                     const unsigned int facet)
  {
    std::array<dealii::Point<dim>, dim> corners;
    for (unsigned int i = 0; i < dim; ++i)
      corners[i] = vertex_position(surface, nodes, surface.facets[facet][i]);
    return corners;
  }

  /** Outward unit normal of a facet from the positions of its vertices; zero if
   * the facet has no extent. */
  template <int dim>
  dealii::Tensor<1, dim>
  facet_normal(const std::array<dealii::Point<dim>, dim> &x);

  /**
   * Outward unit normal at a vertex, an edge or a facet, given by its vertices:
   * the mean of the facets that have them all, weighted by their angles at a
   * vertex; the way in which a plane is cut does not change it. Zero if they
   * have no mean.
   */
  template <int dim>
  dealii::Tensor<1, dim>
  mean_normal(const Surface<dim> &surface,
              const std::vector<dealii::Point<dim>> &nodes,
              const std::vector<unsigned int> &vertices);

  /** The normals of the one or two facets at an edge. */
  struct EdgeNormals
  {
    /** Of an edge at these positions of the nodes. */
    EdgeNormals(const Surface<3> &surface,
                const std::vector<dealii::Point<3>> &nodes,
                const unsigned int edge);

    /** Whether facets with these normals are a flat part of the surface, and so
     * its border is, with one normal twice. */
    static bool
    are_flat(const dealii::Tensor<1, 3> &first,
             const dealii::Tensor<1, 3> &second);

    /** Whether @p n is between the two normals, give or take the tolerance. */
    bool
    contains(const dealii::Tensor<1, 3> &n) const;

    dealii::Tensor<1, 3> first, second, mean;
    bool is_flat;
  };

  /** Whether a normal from b to a lies between the facets of both edges. */
  bool
  fits(const EdgeNormals &a,
       const EdgeNormals &b,
       const dealii::Tensor<1, 3> &n);

  /**
   * A normal that both edges' facets can agree on: that of the flat edges if
   * there are any, else the given one if it lies in both cones, else the mean
   * of all facets.
   */
  dealii::Tensor<1, 3>
  fitting_normal(const EdgeNormals &a,
                 const EdgeNormals &b,
                 const dealii::Tensor<1, 3> &n);
} // namespace Ricochet

#endif
