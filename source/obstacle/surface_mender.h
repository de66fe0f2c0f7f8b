// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_obstacle_surface_mender_h
#define ricochet_source_obstacle_surface_mender_h

#include <ricochet/obstacle/surface_check.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace Ricochet
{
  /** The vertices of a triangle. */
  using Facet = std::array<unsigned int, 3>;



  inline bool
  has_equal_vertices(const Facet &facet)
  {
    return facet[0] == facet[1] || facet[1] == facet[2] || facet[2] == facet[0];
  }



  /** Call @p action with the sides of each edge; sides have the numbers of
   * find_shells(). */
  template <typename Action>
  void
  for_each_edge(const std::vector<Facet> &facets, const Action &action)
  {
    std::vector<std::array<unsigned int, 3>> sides;
    for (unsigned int s = 0; s < 3 * facets.size(); ++s)
      {
        const unsigned int a = facets[s / 3][s % 3];
        const unsigned int b = facets[s / 3][(s + 1) % 3];
        sides.push_back({{std::min(a, b), std::max(a, b), s}});
      }
    std::sort(sides.begin(), sides.end());
    std::vector<unsigned int> group;
    for (std::size_t k = 0; k < sides.size(); ++k)
      {
        group.push_back(sides[k][2]);
        if (k + 1 == sides.size() || sides[k + 1][0] != sides[k][0] ||
            sides[k + 1][1] != sides[k][1])
          {
            action(group);
            group.clear();
          }
      }
  }



  /** What mend_surface() does. */
  class SurfaceMender
  {
  public:
    SurfaceMender(ObstacleSurface<3> &surface, const std::string &where)
      : surface(surface)
      , vertices(surface.vertices)
      , facets(surface.facets)
      , where(where)
    {}

    SurfaceCheck
    mend();

  private:
    void
    leave_out_repeated();

    /** Those with two equal vertices. */
    void
    leave_out_points();

    /** Those with three vertices of a line. */
    void
    leave_out_lines();

    /** The side that the vertices lie along if they are of one line. */
    unsigned int
    long_side(const unsigned int f) const;

    /** Give the place of a line to both halves of the facet at its longest
     * side. */
    void
    cut_neighbor(const unsigned int side_of_line, const unsigned int side);

    void
    turn_facets();

    void
    pair_sides();

    /** The sides of an edge with more than two. */
    void
    pair_around(const std::vector<unsigned int> &sides);

    /** Those of a sheet that has each triangle in both orientations; whether
     * there were any. */
    bool
    leave_out_backs();

    void
    separate_solids();

    void
    leave_out_vertices();

    double
    area(const unsigned int f) const
    {
      const dealii::Point<3> &x = vertices[facets[f][0]];
      return 0.5 * cross_product_3d(vertices[facets[f][1]] - x,
                                    vertices[facets[f][2]] - x)
                     .norm();
    }

    /** The vertex of a side: 0 its start, 1 its end, 2 the other one. */
    unsigned int
    vertex(const unsigned int side, const unsigned int i) const
    {
      return facets[side / 3][(side + i) % 3];
    }

    bool
    are_opposite(const unsigned int side, const unsigned int other) const
    {
      return vertex(side, 0) != vertex(other, 0);
    }

    std::string
    name_of_edge(const unsigned int side) const
    {
      std::ostringstream text;
      text << "the edge from (" << vertices[vertex(side, 0)] << ") to ("
           << vertices[vertex(side, 1)] << ")";
      return text.str();
    }

    ObstacleSurface<3> &surface;
    std::vector<dealii::Point<3>> &vertices;
    std::vector<Facet> &facets;
    const std::string &where;
    SurfaceCheck check;
    std::vector<unsigned int> partner; // as for find_shells()
  };
} // namespace Ricochet

#endif
