// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_collision_h
#define ricochet_geometry_collision_h

#include <deal.II/base/tensor.h>

#include <array>
#include <boost/container/small_vector.hpp>
#include <vector>

namespace Ricochet
{
  /**
   * One contact point: a weighted sum of nodes with a direction.
   *
   * This is the one place where the sign is defined. The weights are positive
   * on the first side (the vertex, or the first edge) and negative on the
   * second; the normal points from the second side to the first. Hence
   *
   *   separation vector   h  = sum_i w_i x_i,
   *   gap                 g  = n . h      (g >= 0 is admissible),
   *   relative velocity   dv = sum_i w_i v_i   (n . dv < 0 is closing),
   *   effective mass      1/m = w^T M^-1 w.
   *
   * @note Contact responses from outside may include this header.
   */
  template <int dim>
  struct Collision
  {
    boost::container::small_vector<unsigned int, 4> nodes;
    boost::container::small_vector<double, 4> weights; // sum is zero

    /** The vertices of the surface that the contact point is between, and their
     * weights, which add up to 1 and -1 on the sides that have vertices.
     * Unlike @p nodes these are not for mechanics: they tell what touches, also
     * on bodies whose vertices are no nodes. Weights of what is not there are
     * zero. */
    std::array<unsigned int, dim + 1> vertices{};
    std::array<double, dim + 1> vertex_weights{};

    /** The bodies of the first and the second side. */
    std::array<unsigned int, 2> bodies{{0, 0}};

    /** Unit normal, from the second side to the first. */
    dealii::Tensor<1, dim> normal;

    /** n . h in the configuration that the collision was evaluated in. */
    double gap = 0.;

    /** n . h at the start of the step. */
    double start_gap = 0.;

    /** The gap at the end of the step that the pair is to keep: the detection
     * distance, or of pairs that were closer at the start of the step that they
     * do not pass into each other, or not further than they are. */
    double least_gap = 0.;

    /** The local edge length that clearances are relative to. */
    double length = 0.;

    /** Sum of weights times @p field, e.g. h for positions. */
    template <typename VectorType>
    dealii::Tensor<1, dim>
    weighted_sum(const std::vector<VectorType> &field) const
    {
      dealii::Tensor<1, dim> sum;
      for (unsigned int i = 0; i < nodes.size(); ++i)
        for (unsigned int d = 0; d < dim; ++d)
          sum[d] += weights[i] * field[nodes[i]][d];
      return sum;
    }
  };



  /**
   * What an Encounter of kind @p given means: a contact point that is known
   * when it is found, all but its gaps, which depend on the positions of the
   * moment.
   */
  template <int dim>
  struct GivenCollision
  {
    Collision<dim> collision;

    /** The nodes that its place depends on; some may repeat. What is rigid in
     * them keeps the contact point. */
    std::vector<unsigned int> nodes;
  };



  /** Pairs that are closer than this, relative to the local edge length, touch:
   * far below any detection distance, far above round-off. */
  constexpr double touching_distance = 1e-13;
} // namespace Ricochet

#endif
