// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number_list.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  /** A solid box with edges along the axes: twelve triangles, or four segments
   * in 2D. Exact. */
  template <int dim>
  class BoxObstacle : public FacetedObstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      declare_numbers(prm,
                      "Lower corner",
                      dim,
                      "0",
                      "The corner with the smallest coordinates. Units: "
                      "length.",
                      dealii::Patterns::Double());
      declare_numbers(prm,
                      "Upper corner",
                      dim,
                      "1",
                      "The corner with the largest coordinates. Units: length.",
                      dealii::Patterns::Double());
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override
    {
      std::array<Point<dim>, 2> corners;
      corners[0] = Point<dim>(get_numbers<dim>(prm, "Lower corner"));
      corners[1] = Point<dim>(get_numbers<dim>(prm, "Upper corner"));
      for (unsigned int d = 0; d < dim; ++d)
        require(corners[0][d] < corners[1][d],
                owner + ": 'box/Lower corner' = " + prm.get("Lower corner") +
                  " must have smaller coordinates than 'Upper corner' = " +
                  prm.get("Upper corner") + ".");
      this->boundary = surface_of(corners);
    }

  private:
    static ObstacleSurface<dim>
    surface_of(const std::array<Point<dim>, 2> &corners);
  };



  template <int dim>
  ObstacleSurface<dim>
  BoxObstacle<dim>::surface_of(const std::array<Point<dim>, 2> &corners)
  {
    ObstacleSurface<dim> result;
    // Bit d of the number of a vertex is its side in direction d.
    for (unsigned int v = 0; v < (1u << dim); ++v)
      {
        Point<dim> x;
        for (unsigned int d = 0; d < dim; ++d)
          x[d] = corners[(v >> d) & 1u][d];
        result.vertices.push_back(x);
      }
    if constexpr (dim == 2)
      result.facets = {{{0, 1}}, {{1, 3}}, {{3, 2}}, {{2, 0}}};
    else
      for (unsigned int d = 0; d < 3; ++d)
        for (unsigned int side = 0; side < 2; ++side)
          {
            // Around the face, counter-clockwise seen from above.
            const unsigned int base = side << d;
            const unsigned int s    = 1u << (d + 1) % 3;
            const unsigned int t    = 1u << (d + 2) % 3;
            std::array<unsigned int, 4> v{
              {base, base + s, base + s + t, base + t}};
            if (side == 0)
              std::swap(v[1], v[3]);
            result.facets.push_back({{v[0], v[1], v[2]}});
            result.facets.push_back({{v[0], v[2], v[3]}});
          }
    return result;
  }



  RICOCHET_REGISTER_OBSTACLE(
    BoxObstacle,
    "box",
    "A solid box, turned by its motion; its facets, edges and corners meet "
    "those of bodies; exact.")
} // namespace Ricochet
