// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_obstacle_h
#define ricochet_obstacle_obstacle_h

#include <ricochet/base/registry.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** The surface of an obstacle: triangles, or segments in 2D. */
  template <int dim>
  struct ObstacleSurface
  {
    std::vector<dealii::Point<dim>> vertices;

    /** Outward oriented, as in Surface::facets. */
    std::vector<std::array<unsigned int, dim>> facets;
  };



  /**
   * The shape of something that bodies can hit and that no force moves: its
   * mass is infinite. All coordinates are those of its own frame; an
   * ObstacleMotion places it in space.
   *
   * There are two kinds. One is a surface of facets, which contact adds to the
   * surface of the bodies: vertices, facets and edges meet it as they meet
   * bodies. The other is a signed distance, positive where bodies may be, with
   * exact contact points and no mesh; the features that are looked at are
   * either
   * - vertices: where bodies may be is convex (above a floor, inside a hollow
   *   sphere), so that a facet is outside the obstacle if its vertices are, or
   *   the shape is smooth on the scale of the mesh; or
   * - facets: the obstacle is the set of all points within a radius of a core,
   *   which is a point or a line.
   */
  template <int dim>
  class Obstacle
  {
  public:
    /** What can touch it first. */
    enum class Kind
    {
      surface,
      vertices,
      facets
    };

    virtual ~Obstacle() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "obstacle";
    }

    /**
     * Read the entries that the class declared, and check them.
     *
     * @param[in] owner Start of error messages, e.g. "Obstacle 'floor'".
     */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) = 0;

    /** Learn half the size of the model of all bodies, before the first step.
     */
    virtual void
    set_extent(const double /*extent*/)
    {}

    /** Sentences about what is not as usual with the shape, for the user; after
     * parse_parameters(). */
    virtual std::vector<std::string>
    warnings() const
    {
      return {};
    }

    /** What can touch it first; the same at all times. */
    virtual Kind
    kind() const = 0;

    /**
     * Kinds vertices and facets: the distance of a point from the surface,
     * negative inside the obstacle. Must not grow faster than distances do,
     * |phi(x) - phi(y)| <= |x - y|: then no step is too long.
     */
    virtual double
    signed_distance(const dealii::Point<dim> &point) const;

    /** Whether where bodies may be is convex: then what is outside the obstacle
     * at both ends of a straight path is so on all of it. */
    virtual bool
    room_is_convex() const
    {
      return false;
    }

    /**
     * Kinds vertices and facets: the unit gradient of the distance, which
     * points out of the obstacle; any unit vector where there is none.
     */
    virtual dealii::Tensor<1, dim>
    normal(const dealii::Point<dim> &point) const;

    /** Kind facets: the shortest vector from the core to a point, which is
     * linear in the point but for a constant. The distance is its length minus
     * the radius. */
    virtual dealii::Tensor<1, dim>
    from_core(const dealii::Point<dim> &point) const;

    /** Kind facets. */
    virtual double
    core_radius() const;

    /**
     * The surface: of kind surface what bodies meet, else for pictures only, up
     * to about @p extent from @p centre.
     */
    virtual ObstacleSurface<dim>
    surface(const dealii::Point<dim> &centre, const double extent) const = 0;
  };



  /** An obstacle of kind surface: what parse_parameters() fills is all that it
   * is. */
  template <int dim>
  class FacetedObstacle : public Obstacle<dim>
  {
  public:
    typename Obstacle<dim>::Kind
    kind() const final
    {
      return Obstacle<dim>::Kind::surface;
    }

    ObstacleSurface<dim>
    surface(const dealii::Point<dim> &, const double) const final
    {
      return boundary;
    }

  protected:
    ObstacleSurface<dim> boundary;
  };

} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::Obstacle)

/** Make a shape available in parameter files. */
#define RICOCHET_REGISTER_OBSTACLE(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::Obstacle, Class, name, description)

#endif
