// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number_list.h>
#include <ricochet/obstacle/shape_surfaces.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using dealii::Point;

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
      this->boundary = box_surface(corners);
    }
  };



  RICOCHET_REGISTER_OBSTACLE(
    BoxObstacle,
    "box",
    "A solid box, turned by its motion; its facets, edges and corners meet "
    "those of bodies; exact.")
} // namespace Ricochet
