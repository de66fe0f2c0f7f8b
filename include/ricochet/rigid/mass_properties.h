// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_rigid_mass_properties_h
#define ricochet_rigid_mass_properties_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** The moments of a solid of unit density, in the plane of one of unit
   * thickness. */
  template <int dim>
  struct VolumeMoments
  {
    /** The integral of 1; negative if the surface faces inward. */
    double volume = 0.;

    /** The mean of x. */
    dealii::Point<dim> centre;

    /** The integral of (x - centre) (x - centre)^T. */
    dealii::Tensor<2, dim> second;

    /**
     * The inertia about the centre, tr(S) 1 - S with the second moment S. In
     * the plane it is the polar one about all axes, so that no axis in the
     * plane matters.
     */
    dealii::Tensor<2, 3>
    inertia() const;

    /** That about another point (the theorem of Steiner). */
    dealii::Tensor<2, 3>
    inertia_about(const dealii::Point<dim> &point) const;

    /** Those of the solid of all matrix x + shift. */
    VolumeMoments
    transformed(const dealii::Tensor<2, dim> &matrix,
                const dealii::Tensor<1, dim> &shift) const;
  };



  /**
   * The moments of what a closed surface of triangles, or of segments in 2D,
   * encloses, which faces outward as in Surface: exact but for round-off. The
   * divergence theorem makes them sums over the cones of all facets about one
   * point. Walls of holes face into the holes.
   */
  template <int dim>
  VolumeMoments<dim>
  moments_of_surface(const std::vector<dealii::Point<dim>> &vertices,
                     const std::vector<std::array<unsigned int, dim>> &facets);

  /** Those of a ball about the origin, in 2D of a disk. */
  template <int dim>
  VolumeMoments<dim>
  moments_of_ball(const double radius);

  /** Those of a cylinder about the origin, with its axis along z. */
  VolumeMoments<3>
  moments_of_cylinder(const double radius, const double length);



  /**
   * Throw a UserError that starts with @p where and names the place unless the
   * surface encloses something: every edge (every vertex in 2D) that a facet
   * passes in one direction must be passed by another one in the other
   * direction.
   */
  template <int dim>
  void
  check_closed(const std::vector<dealii::Point<dim>> &vertices,
               const std::vector<std::array<unsigned int, dim>> &facets,
               const std::string &where);

  /**
   * Throw a UserError that starts with @p where unless some body has this
   * symmetric inertia: its principal moments are positive, and none is larger
   * than the sum of the two others.
   */
  void
  check_inertia(const dealii::Tensor<2, 3> &inertia, const std::string &where);
} // namespace Ricochet

#endif
