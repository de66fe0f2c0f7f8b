// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_rotation_h
#define ricochet_base_rotation_h

#include <deal.II/base/tensor.h>

namespace Ricochet
{
  /** Numbers that a rotation or an angular velocity consists of. */
  template <int dim>
  constexpr int n_rotations = dim == 2 ? 1 : 3;

  /** A rotation vector or angular velocity; about the z axis in 2D. */
  template <int dim>
  using RotationVector = dealii::Tensor<1, n_rotations<dim>>;

  /**
   * The proper orthogonal matrix of a rotation vector (axis times angle in
   * radians, right-handed): with K x = vector x x and the angle a = |vector|,
   * R = 1 + sin(a)/a K + (1-cos(a))/a^2 K^2 (Rodrigues' formula). Exactly the
   * identity for a zero vector.
   */
  template <int dim>
  dealii::Tensor<2, dim>
  rotation_matrix(const RotationVector<dim> &vector);

  /** The velocity vector x @p arm of a rigid rotation. */
  template <int dim>
  dealii::Tensor<1, dim>
  rotational_velocity(const RotationVector<dim> &vector,
                      const dealii::Tensor<1, dim> &arm);
} // namespace Ricochet

#endif
