// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_moving_pair_h
#define ricochet_source_search_moving_pair_h

#include <ricochet/search/search.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>

namespace Ricochet
{
  /**
   * Two features on their way through a step, and quick proofs that they stay
   * apart. They leave to the swept tests what is close: features must be apart
   * by a part of their extent, about 1e-10, that is far above all rounding
   * errors.
   */
  template <int dim>
  class MovingPair
  {
  public:
    using Points = std::array<dealii::Point<dim>, dim + 1>;

    /** The points are those of the swept tests: those of the facet, then the
     * vertex, or those of the two edges. */
    MovingPair(const PairKind kind, const Points &begin, const Points &end);

    /** Whether the features certainly do not meet in the step and are further
     * apart than @p reach at its end. "No" proves nothing. */
    bool
    is_apart(const double reach) const;

  private:
    using Vector = dealii::Tensor<1, dim>;

    /** Relative to the first point, which stays at the origin. */
    using Vectors = std::array<Vector, dim + 1>;

    Vectors
    at(const double t) const;

    /** Whether a plane across @p normal keeps the features further apart than
     * @p distance from time @p t to time @p u. */
    bool
    separates(const Vector &normal,
              const double t,
              const double u,
              const double distance) const;

    /** The direction from the middle of the first feature to that of the
     * second, halfway through the step. */
    Vector
    line_of_centres() const;

    /** The direction across both features, halfway through the step. */
    Vector
    common_normal() const;

    /** The direction between the closest points at a time. */
    Vector
    closest_direction(const double t) const;

    /**
     * Whether the features pass each other: they are in one plane for short
     * times only, the zeros of the volume between them, and then far apart in
     * that plane.
     */
    bool
    pass_by(const double reach) const;

    const PairKind kind;
    const unsigned int n_first;
    Vectors begin, end;

    /** The largest distance from the first point. */
    double extent;
  };
} // namespace Ricochet

#endif
