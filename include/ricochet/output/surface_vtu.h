// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_surface_vtu_h
#define ricochet_output_surface_vtu_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** Named values at the vertices of a surface. */
  template <int dim>
  struct SurfaceFields
  {
    std::vector<std::pair<std::string, std::vector<dealii::Tensor<1, dim>>>>
      vectors;
    std::vector<std::pair<std::string, std::vector<double>>> scalars;
  };



  /**
   * The text of a VTU file with a surface: facets with points of their own, in
   * double precision, and the fields at these: the vectors, then "body", then
   * the scalars.
   *
   * @param[in] facet_bodies One number per facet.
   * @param[in] positions One per vertex.
   */
  template <int dim>
  std::string
  surface_vtu(const std::vector<std::array<unsigned int, dim>> &facets,
              const std::vector<unsigned int> &facet_bodies,
              const std::vector<dealii::Point<dim>> &positions,
              const SurfaceFields<dim> &fields,
              const double time,
              const unsigned long int step);
} // namespace Ricochet

#endif
