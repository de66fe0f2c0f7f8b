// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number_list.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  /** Everything on one side of a plane. Exact. */
  template <int dim>
  class HalfSpace : public Obstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      declare_numbers(prm,
                      "Point",
                      dim,
                      "0",
                      "A point of the plane. Units: length.",
                      dealii::Patterns::Double());
      prm.declare_entry("Normal",
                        dim == 2 ? "0, 1" : "0, 0, 1",
                        dealii::Patterns::List(dealii::Patterns::Double(),
                                               dim,
                                               dim),
                        "Vector of any length that points out of the obstacle, "
                        "to where bodies are. Units: none.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override
    {
      point                       = Point<dim>(get_numbers<dim>(prm, "Point"));
      const Tensor<1, dim> vector = get_numbers<dim>(prm, "Normal");
      require(vector.norm() > 0.,
              owner + ": 'half-space/Normal' = " + prm.get("Normal") +
                " has no length. Give a vector that points to where bodies "
                "are.");
      unit_normal = vector / vector.norm();
    }

    typename Obstacle<dim>::Kind
    kind() const override
    {
      return Obstacle<dim>::Kind::vertices;
    }

    double
    signed_distance(const Point<dim> &x) const override
    {
      return unit_normal * (x - point);
    }

    bool
    room_is_convex() const override
    {
      return true;
    }

    Tensor<1, dim>
    normal(const Point<dim> &) const override
    {
      return unit_normal;
    }

    ObstacleSurface<dim>
    surface(const Point<dim> &centre, const double extent) const override;

  private:
    Point<dim> point;
    Tensor<1, dim> unit_normal;
  };



  namespace
  {
    /** Facets along an edge of what is shown of the plane, to show where loads
     * act. */
    constexpr unsigned int n_parts = 24;

    /** From -1 to 1 along the edge. */
    double
    along(const unsigned int i)
    {
      return 2. * i / n_parts - 1.;
    }
  } // namespace



  template <int dim>
  ObstacleSurface<dim>
  HalfSpace<dim>::surface(const Point<dim> &centre, const double extent) const
  {
    const Point<dim> foot =
      centre - (unit_normal * (centre - point)) * unit_normal;
    ObstacleSurface<dim> result;
    if constexpr (dim == 2)
      {
        const Tensor<1, 2> t({unit_normal[1], -unit_normal[0]});
        for (unsigned int i = 0; i <= n_parts; ++i)
          result.vertices.push_back(foot + extent * along(i) * t);
        // Closed, to be filled in pictures.
        const Tensor<1, 2> below = -0.1 * extent * unit_normal;
        result.vertices.push_back(foot + extent * t + below);
        result.vertices.push_back(foot - extent * t + below);
        const unsigned int n = result.vertices.size();
        for (unsigned int v = 0; v < n; ++v)
          result.facets.push_back({{(v + 1) % n, v}});
      }
    else
      {
        // Any two directions that make a right-handed frame with the normal.
        unsigned int smallest = 0;
        for (unsigned int d = 1; d < dim; ++d)
          if (std::abs(unit_normal[d]) < std::abs(unit_normal[smallest]))
            smallest = d;
        Tensor<1, 3> unit;
        unit[smallest]           = 1.;
        Tensor<1, 3> s           = cross_product_3d(unit, unit_normal);
        s                        = extent / s.norm() * s;
        const Tensor<1, 3> t     = cross_product_3d(unit_normal, s);
        constexpr unsigned int n = n_parts + 1;
        for (unsigned int j = 0; j < n; ++j)
          for (unsigned int i = 0; i < n; ++i)
            result.vertices.push_back(foot + along(i) * s + along(j) * t);
        for (unsigned int j = 0; j < n_parts; ++j)
          for (unsigned int i = 0; i < n_parts; ++i)
            {
              const unsigned int v = j * n + i;
              result.facets.push_back({{v, v + 1, v + n + 1}});
              result.facets.push_back({{v, v + n + 1, v + n}});
            }
      }
    return result;
  }



  RICOCHET_REGISTER_OBSTACLE(
    HalfSpace,
    "half-space",
    "Everything behind a plane, such as a floor or a wall; exact.")
} // namespace Ricochet
