// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number_list.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/patterns.h>

#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  /**
   * The points up to a radius from a core, or in the hollow case those beyond:
   * a point makes it a sphere (a disk in 2D), an infinite line a cylinder.
   * Exact, for bodies as they are meshed.
   */
  template <int dim>
  class RoundObstacle : public Obstacle<dim>
  {
  public:
    explicit RoundObstacle(const bool is_hollow)
      : sign(is_hollow ? -1. : 1.)
    {}

    typename Obstacle<dim>::Kind
    kind() const override
    {
      return sign < 0. ? Obstacle<dim>::Kind::vertices
                       : Obstacle<dim>::Kind::facets;
    }

    double
    signed_distance(const Point<dim> &point) const override
    {
      return sign * (from_core(point).norm() - radius);
    }

    bool
    room_is_convex() const override
    {
      return sign < 0.;
    }

    double
    core_radius() const override
    {
      return radius;
    }

    Tensor<1, dim>
    from_core(const Point<dim> &point) const override
    {
      const Tensor<1, dim> r = point - centre;
      return r - (axis * r) * axis;
    }

    Tensor<1, dim>
    normal(const Point<dim> &point) const override
    {
      const Tensor<1, dim> r = from_core(point);
      const double length    = r.norm();
      return length > 0. ? sign / length * r : sign * side();
    }

    ObstacleSurface<dim>
    surface(const Point<dim> &place, const double extent) const override;

  protected:
    void
    parse_common(dealii::ParameterHandler &prm,
                 const std::string &owner,
                 const std::string &type)
    {
      centre = Point<dim>(get_numbers<dim>(prm, "Centre"));
      radius = prm.get_double("Radius");
      require(radius > 0.,
              owner + ": '" + type + "/Radius' = " + prm.get("Radius") +
                " must be positive.");
    }

    static void
    declare_common(dealii::ParameterHandler &prm, const std::string &centre)
    {
      declare_numbers(prm,
                      "Centre",
                      dim,
                      "0",
                      centre,
                      dealii::Patterns::Double());
      prm.declare_entry("Radius",
                        "1",
                        dealii::Patterns::Double(),
                        "Positive. Units: length.");
    }

    Point<dim> centre;
    double radius = 1.;

    /** A unit vector, or zero for a sphere. */
    Tensor<1, dim> axis;

  private:
    /** Any unit vector across the axis. */
    Tensor<1, dim>
    side() const
    {
      unsigned int smallest = 0;
      for (unsigned int d = 1; d < dim; ++d)
        if (std::abs(axis[d]) < std::abs(axis[smallest]))
          smallest = d;
      Tensor<1, dim> unit;
      unit[smallest] = 1.;
      unit -= (axis * unit) * axis;
      return unit / unit.norm();
    }

    const double sign;
  };



  template <int dim>
  ObstacleSurface<dim>
  RoundObstacle<dim>::surface(const Point<dim> &place,
                              const double extent) const
  {
    constexpr unsigned int n_around = 48, n_along = dim == 2 ? 0 : 24;
    const double pi        = dealii::numbers::PI;
    const bool is_cylinder = axis.norm_square() > 0.;
    const Tensor<1, dim> s = side();
    Tensor<1, dim> t, pole = axis;
    if constexpr (dim == 2)
      t = Tensor<1, 2>({-s[1], s[0]});
    else
      {
        if (!is_cylinder)
          pole[2] = 1.; // across the side, which is along x
        t = cross_product_3d(pole, s);
      }

    ObstacleSurface<dim> result;
    const double middle = is_cylinder ? axis * (place - centre) : 0.;
    for (unsigned int j = 0; j <= n_along; ++j)
      {
        const double u = dim == 2 ? 0. : 2. * j / n_along - 1.;
        const double height =
          is_cylinder ? middle + u * extent : radius * std::sin(0.5 * pi * u);
        const double r = is_cylinder ? radius : radius * std::cos(0.5 * pi * u);
        for (unsigned int i = 0; i < n_around; ++i)
          {
            const double angle = 2. * pi * i / n_around;
            result.vertices.push_back(centre + height * pole +
                                      r * std::cos(angle) * s +
                                      r * std::sin(angle) * t);
          }
      }
    const auto vertex = [](const unsigned int i, const unsigned int j) {
      return j * n_around + i % n_around;
    };
    for (unsigned int i = 0; i < n_around; ++i)
      if constexpr (dim == 2)
        result.facets.push_back({{vertex(i, 0), vertex(i + 1, 0)}});
      else
        for (unsigned int j = 0; j < n_along; ++j)
          {
            result.facets.push_back(
              {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)}});
            result.facets.push_back(
              {{vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)}});
          }
    if (sign < 0.)
      for (auto &facet : result.facets)
        std::swap(facet[0], facet[1]);
    return result;
  }



  /** A ball, or everything around one. */
  template <int dim, bool is_hollow>
  class SphereShape : public RoundObstacle<dim>
  {
  public:
    SphereShape()
      : RoundObstacle<dim>(is_hollow)
    {}

    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      RoundObstacle<dim>::declare_common(prm, "Its centre. Units: length.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override
    {
      this->parse_common(prm, owner, is_hollow ? "hollow sphere" : "sphere");
    }
  };



  /** An infinite cylinder, or everything around one. */
  template <int dim, bool is_hollow>
  class CylinderShape : public RoundObstacle<dim>
  {
  public:
    CylinderShape()
      : RoundObstacle<dim>(is_hollow)
    {}

    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      RoundObstacle<dim>::declare_common(prm,
                                         "A point of the axis. Units: length.");
      if (dim == 3)
        prm.declare_entry("Axis",
                          "0, 0, 1",
                          dealii::Patterns::List(dealii::Patterns::Double(),
                                                 dim,
                                                 dim),
                          "Vector of any length along the axis. Units: none.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override
    {
      const std::string type = is_hollow ? "hollow cylinder" : "cylinder";
      this->parse_common(prm, owner, type);
      if (dim == 2)
        return;
      this->axis = get_numbers<dim>(prm, "Axis");
      require(this->axis.norm() > 0.,
              owner + ": '" + type + "/Axis' = " + prm.get("Axis") +
                " has no length.");
      this->axis /= this->axis.norm();
    }
  };



  template <int dim>
  class Sphere : public SphereShape<dim, false>
  {};

  template <int dim>
  class HollowSphere : public SphereShape<dim, true>
  {};

  template <int dim>
  class Cylinder : public CylinderShape<dim, false>
  {};

  template <int dim>
  class HollowCylinder : public CylinderShape<dim, true>
  {};

  RICOCHET_REGISTER_OBSTACLE(Sphere,
                             "sphere",
                             "A solid ball, a disk in 2D; exact.")
  RICOCHET_REGISTER_OBSTACLE(HollowSphere,
                             "hollow sphere",
                             "Everything outside a sphere, with bodies inside; "
                             "exact.")
  RICOCHET_REGISTER_OBSTACLE(Cylinder,
                             "cylinder",
                             "A solid cylinder without ends, a disk in 2D; "
                             "exact.")
  RICOCHET_REGISTER_OBSTACLE(HollowCylinder,
                             "hollow cylinder",
                             "Everything outside a cylinder without ends, with "
                             "bodies inside; exact.")
} // namespace Ricochet
