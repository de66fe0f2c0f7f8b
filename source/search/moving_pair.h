// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_moving_pair_h
#define ricochet_source_search_moving_pair_h

#include <ricochet/search/feature_kinds.h>

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
   *
   * @tparam Features VertexFacet or EdgeEdge.
   */
  template <class Features>
  class MovingPair
  {
  public:
    static constexpr int dim = Features::dim;
    using Points             = typename Features::Points;

    MovingPair(const Points &begin, const Points &end);

    /** Whether the features certainly do not meet in the step and are further
     * apart than @p reach at its end. "No" proves nothing. */
    bool
    is_apart(const double reach) const;

  private:
    using Vector = dealii::Tensor<1, dim>;

    /** Relative to the first point of the base, which stays at the origin. */
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

    /** The direction from the middle of the base to that of the other feature,
     * halfway through the step. */
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

    /** The feature that all is relative to is the facet, or the first edge:
     * where its points begin, and the other one's, and how many there are. */
    static constexpr bool is_edges      = Features::kind == PairKind::edge_edge;
    static constexpr unsigned int base  = is_edges ? 0 : 1,
                                  other = is_edges ? 2 : 0,
                                  n_base  = is_edges ? 2 : dim,
                                  n_other = dim + 1 - n_base;

    Vectors begin, end;

    /** The largest distance from the origin. */
    double extent;
  };
} // namespace Ricochet

#endif
