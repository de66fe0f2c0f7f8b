// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_pictures_rasterizer_h
#define ricochet_pictures_rasterizer_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** Red, green, blue, each from 0 to 1. */
  using Color = std::array<float, 3>;

  /** The color of body @p b: distinct for the first ones, then repeating. */
  Color
  body_color(const unsigned int b);



  /**
   * Draws triangles and line segments into a picture, hidden parts removed by
   * a depth buffer: right for any arrangement of facets, also for a small
   * body on a large plate, where sorting facets by depth goes wrong.
   *
   * Coordinates are in pixels, (0,0) is the lower left corner; larger depth is
   * nearer to the eye.
   */
  class Rasterizer
  {
  public:
    /** x, y, depth. */
    using Vertex = dealii::Point<3>;

    /**
     * An empty (white) picture. It is drawn with @p oversampling times more
     * pixels in each direction, which smooths edges.
     */
    Rasterizer(const unsigned int width,
               const unsigned int height,
               const unsigned int oversampling = 3);

    /** A triangle of one color. */
    void
    draw_triangle(const std::array<Vertex, 3> &vertices, const Color &color);

    /** A line of a width in pixels. */
    void
    draw_segment(const std::array<Vertex, 2> &vertices,
                 const Color &color,
                 const double line_width);

    /**
     * Fill what is inside of closed curves, given by their segments in any
     * order: points from which a ray crosses an odd number of them. The depth
     * is that of the first vertex.
     */
    void
    fill(const std::vector<std::array<Vertex, 2>> &segments,
         const Color &color);

    /**
     * The picture, three bytes (red, green, blue) per pixel, rows from the top
     * to the bottom.
     */
    std::string
    bytes() const;

  private:
    const unsigned int width, height, oversampling;

    std::vector<Color> colors;
    std::vector<float> depths;
  };
} // namespace Ricochet

#endif
