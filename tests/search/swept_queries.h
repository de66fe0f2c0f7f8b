// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_swept_queries_h
#define ricochet_tests_search_swept_queries_h

#include <array>
#include <random>

#include "swept_pairs.h"

namespace Ricochet
{
  /** Kinds of difficulties. */
  enum class Category
  {
    random,
    grid,       // few small integers: exactly degenerate in all ways
    coplanar,   // the same in a plane, perhaps an inclined one
    parallel,   // parallel or collinear edges, flat triangles
    touching,   // on vertices, edges and inside, up to rounding
    near_miss,  // moved by 1 to 1000 units in the last place
    at_rest,    // one common motion
    needle,     // aspect 1e-8
    fast,       // 1000 lengths in the step
    tangential, // the approach ends with a touch: a double zero
    rotation,   // a rigid turn of both
    sliding,    // a small gap that is kept while they slide
    n_categories
  };

  constexpr std::array<const char *,
                       static_cast<unsigned int>(Category::n_categories)>
    category_names{{"random",
                    "grid",
                    "coplanar",
                    "parallel",
                    "touching",
                    "near miss",
                    "at rest",
                    "needle",
                    "fast",
                    "tangential",
                    "rotation",
                    "sliding"}};



  /**
   * Random and adversarial pairs. In each category half of the pairs are in
   * units between 1e-9 and 1e9, a quarter is up to 1e6 lengths away from the
   * origin, and some are changed by a few units in the last place. The numbers
   * depend on the seed only, not on the standard library.
   */
  template <Kind kind>
  class SweptQueries
  {
  public:
    SweptQueries(const unsigned long seed);

    /** The next pair. */
    void
    next(const Category category, Points<kind> &begin, Points<kind> &end);

  private:
    static constexpr int dim               = dimension(kind);
    static constexpr unsigned int n_points = dim + 1;

    /** The first points of the facet, or of the first edge. */
    static constexpr unsigned int a = base<kind>, b = a + 1, c = a + 2;

    using Vector = dealii::Tensor<1, dim>;

    /** A number in [-1,1), or of a quarter's multiples up to one if all is
     * meant to be exact. */
    double
    number();

    bool
    one_in(const unsigned int n);

    Vector
    vector();

    double
    power_of_ten(const double low, const double high);

    /** A weight in [0,1], often special. */
    double
    weight();

    /** The difference of the features' points with weights @p s and @p u at
     * positions (or velocities) @p x. */
    template <typename VectorType>
    Vector
    gap(const std::array<VectorType, n_points> &x) const;

    /** Add to the vertex or the second edge. */
    template <typename VectorType>
    void
    shift_second(std::array<VectorType, n_points> &x,
                 const Vector &shift) const;

    /** Not a unit vector. */
    Vector
    normal() const;

    void
    make(const Category category);

    void
    make_parallel();

    void
    make_needle();

    void
    make_tangential();

    void
    turn(Points<kind> &begin, Points<kind> &end);

    void
    incline(Points<kind> &begin, Points<kind> &end);

    void
    change_units_and_place(Points<kind> &begin, Points<kind> &end);

    void
    change_last_digits(Points<kind> &points, const unsigned int n);

    std::mt19937_64 generator;

    // The pair at the time t, its motion in the step, and the weights of the
    // points that touch.
    Points<kind> x;
    std::array<Vector, n_points> v;
    double t, s, u;
    bool on_grid;
  };
} // namespace Ricochet

#endif
