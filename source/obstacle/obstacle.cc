// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/exceptions.h>

RICOCHET_DEFINE_REGISTRIES(::Ricochet::Obstacle)

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  double
  Obstacle<dim>::signed_distance(const Point<dim> &) const
  {
    AssertThrow(false, dealii::ExcNotImplemented());
    return 0.;
  }



  template <int dim>
  double
  Obstacle<dim>::core_radius() const
  {
    AssertThrow(false, dealii::ExcNotImplemented());
    return 0.;
  }



  template <int dim>
  Tensor<1, dim>
  Obstacle<dim>::normal(const Point<dim> &) const
  {
    AssertThrow(false, dealii::ExcNotImplemented());
    return {};
  }



  template <int dim>
  Tensor<1, dim>
  Obstacle<dim>::from_core(const Point<dim> &) const
  {
    AssertThrow(false, dealii::ExcNotImplemented());
    return {};
  }



  template class Obstacle<2>;
  template class Obstacle<3>;
} // namespace Ricochet
