// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/vector_function.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  /**
   * The points where a function of the user is negative. Only vertices of
   * bodies are kept out, and normals are differences of the function, so it
   * must be smooth on the scale of the mesh.
   */
  template <int dim>
  class DistanceFunction : public Obstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry(
        "Signed distance",
        dim == 2 ? "y" : "z",
        dealii::Patterns::Anything(),
        std::string("Distance from the surface of the obstacle as a function "
                    "of ") +
          (dim == 2 ? "x and y" : "x, y and z") +
          ", negative inside. It must be a distance, with a gradient of length "
          "one, at least near the surface. Only vertices of bodies are kept "
          "out. Units: length.");
      prm.declare_entry("Step of differences",
                        "0",
                        dealii::Patterns::Double(0.),
                        "For the gradient; far below the radii of the surface, "
                        "far above the round-off of coordinates. 0 is 1e-6 of "
                        "the size of all bodies. Units: length.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &text) override
    {
      owner = text;
      distance =
        VectorFunction<dim, 1>(prm.get("Signed distance"),
                               owner + ", entry 'function/Signed distance'");
      step = prm.get_double("Step of differences");
    }

    void
    set_extent(const double extent) override
    {
      if (step == 0.)
        step = relative_step * 2. * extent;
    }

    typename Obstacle<dim>::Kind
    kind() const override
    {
      return Obstacle<dim>::Kind::vertices;
    }

    double
    signed_distance(const Point<dim> &point) const override
    {
      return distance.value(point, 0.)[0];
    }

    Tensor<1, dim>
    normal(const Point<dim> &point) const override;

    ObstacleSurface<dim>
    surface(const Point<dim> &, const double) const override
    {
      return {};
    }

  private:
    /** Of differences, relative to the size of the bodies. */
    static constexpr double relative_step = 1e-6;

    std::string owner;
    VectorFunction<dim, 1> distance;
    double step = 0.;
  };



  template <int dim>
  Tensor<1, dim>
  DistanceFunction<dim>::normal(const Point<dim> &point) const
  {
    const double h = step > 0. ? step : relative_step;
    Tensor<1, dim> gradient;
    for (unsigned int d = 0; d < dim; ++d)
      {
        Point<dim> low = point, high = point;
        low[d] -= h;
        high[d] += h;
        gradient[d] =
          (distance.value(high, 0.)[0] - distance.value(low, 0.)[0]) /
          (high[d] - low[d]);
      }
    // At kinks it is shorter, so that only too long ones tell.
    const double length = gradient.norm();
    require(length > 0. && length < 1.01,
            owner +
              ": 'function/Signed distance' is no distance: its gradient "
              "has the length " +
              std::to_string(length) +
              ", not 1, where a body touches. Divide the function by the "
              "length of its gradient.");
    return gradient / length;
  }



  RICOCHET_REGISTER_OBSTACLE(
    DistanceFunction,
    "function",
    "Everything where a signed distance that you write is negative; keeps "
    "vertices out.")
} // namespace Ricochet
