// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_pictures_render_surface_h
#define ricochet_source_pictures_render_surface_h

#include <ricochet/pictures/rasterizer.h>

#include <deal.II/base/point.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /**
   * How space is seen in the plane of the picture: without perspective, so
   * that lengths along the plane are true.
   */
  template <int dim>
  class View
  {
  public:
    /** Position in the plane, and depth towards the eye. */
    static dealii::Point<3>
    project(const dealii::Point<dim> &x);

    /** From the bodies towards the eye. */
    static dealii::Tensor<1, 3>
    eye();
  };



  /** A side of a facet, by numbers of vertices, and the facet. */
  struct OutlineSegment
  {
    std::array<unsigned int, 2> vertices;
    unsigned int facet;
  };



  /**
   * Lines that show the shape of a surface without its faces. In 2D these are
   * all facets; in 3D edges where the surface has an end, where it turns away
   * from the eye, and those of its creases that face the eye. Vertices have
   * been projected already.
   */
  template <int dim>
  std::vector<OutlineSegment>
  outlines(const std::vector<std::array<unsigned int, dim>> &facets,
           const std::vector<dealii::Point<3>> &vertices);



  /**
   * Draw a surface; vertices have been projected and scaled to pixels already
   * (the depth, too).
   */
  template <int dim>
  void
  render_surface(const std::vector<std::array<unsigned int, dim>> &facets,
                 const std::vector<unsigned int> &facet_bodies,
                 const std::vector<dealii::Point<3>> &vertices,
                 Rasterizer &picture);
} // namespace Ricochet

#endif
