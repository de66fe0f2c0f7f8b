// SPDX-License-Identifier: LGPL-2.1-or-later

// The swept tests against exact arithmetic, for random and adversarial pairs.
//
// RICOCHET_QUERIES in the environment sets the number of pairs, 120000 without
// it (ten million take about ten minutes), and RICOCHET_SEED their seed. Ranks
// share the pairs. A table of what happened is printed:
//
//   touch     pairs that touch, exactly
//   yes       pairs that the swept test takes for touching
//   mis, late touching pairs that it misses, or whose time is late, and by how
//             much; must be zero
//   false     pairs that are apart but taken for touching, all within round-off
//             or the tolerance at the border of facets but those in column far
//   settled,  largest distance at the time of the answer, relative to the size
//   distance  of pair and motion: without the pairs in column up, and of all
//   >1e-11,   pairs that touch more than that after the time of the answer
//   (they early     are closer than round-off until then), and the longest time
//   ns        mean and longest time of a test
//   steps     most steps of a test
//   up        pairs that are taken for touching as they need too many steps

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

#include "../../source/search/moving_polygon.h"
#include "exact_oracle.h"
#include "swept_queries.h"

using namespace Ricochet;

namespace
{
  unsigned long
  setting(const char *name, const unsigned long otherwise)
  {
    const char *text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoul(text);
  }



  /** What happened to the pairs of a category. */
  struct Row
  {
    unsigned long n = 0, n_touch = 0, n_yes = 0, n_missed = 0, n_late = 0;

    /** Answered "yes" although apart, and those of them that are farther apart
     * at the time of the answer than the border of facets. */
    unsigned long n_false = 0, n_far = 0;

    /** Ended by the limit of steps. */
    unsigned long n_gave_up = 0;

    /** Touch more than 1e-11 after the time of the answer. */
    unsigned long n_early = 0;

    /** Largest distances at the time of the answer, relative to the size of the
     * pair and its motion: of pairs that came to their end, and of all. */
    double settled_distance = 0., distance = 0.;

    /** Largest times of a touch after the answer, and before it. */
    double early = 0., late = 0.;

    double nanoseconds = 0., slowest = 0.;
    unsigned int most_steps = 0;
  };



  /** Size of the pair and its motion. */
  template <Kind kind>
  double
  size(const Points<kind> &begin, const Points<kind> &end)
  {
    double result = 0.;
    for (const auto *points : {&begin, &end})
      for (const auto &a : *points)
        for (const auto &b : *points)
          result = std::max(result, a.distance(b));
    return result;
  }



  template <Kind kind>
  unsigned int
  n_steps(const Points<kind> &begin, const Points<kind> &end)
  {
    double time;
    const auto steps = [&time](auto polygon) {
      polygon.reaches_origin(time);
      return polygon.n_steps;
    };
    if constexpr (kind == Kind::vertex_edge)
      return steps(polygon_of_vertex_edge(begin, end));
    else if constexpr (kind == Kind::vertex_triangle)
      return steps(polygon_of_vertex_triangle(begin, end));
    else
      return steps(polygon_of_edge_edge(begin, end));
  }



  template <Kind kind>
  void
  check(const Points<kind> &begin, const Points<kind> &end, Row &row)
  {
    double time          = -7.;
    bool yes             = false;
    const auto stopwatch = [&]() {
      using Clock      = std::chrono::steady_clock;
      const auto start = Clock::now();
      yes              = meet<kind>(begin, end, time);
      return std::chrono::duration<double, std::nano>(Clock::now() - start)
        .count();
    };
    double ns = stopwatch();
    // Others may have interrupted it.
    for (unsigned int i = 0; i < 3 && ns > row.slowest; ++i)
      ns = std::min(ns, stopwatch());
    const unsigned int steps = n_steps<kind>(begin, end);
    const bool gave_up       = steps == MovingPolygon<2, 2>::max_steps;
    row.nanoseconds += ns;
    row.slowest    = std::max(row.slowest, ns);
    row.most_steps = std::max(row.most_steps, steps);
    row.n_gave_up += gave_up;
    row.n_yes += yes;
    ++row.n;

    std::optional<Exact::Time> exact;
    if (!Exact::are_obviously_apart<kind>(begin, end))
      exact = Exact::first_touch<kind>(begin, end);
    row.n_touch += bool(exact);
    if (!yes)
      {
        row.n_missed += bool(exact);
        EXPECT_EQ(time, -7.);
        return;
      }

    EXPECT_GE(time, 0.);
    EXPECT_LE(time, 1.);
    const double relative =
      distance<kind>(between<kind>(begin, end, time)) / size<kind>(begin, end);
    row.distance = std::max(row.distance, relative);
    if (!gave_up)
      row.settled_distance = std::max(row.settled_distance, relative);
    if (!exact)
      {
        ++row.n_false;
        row.n_far += relative > SweptTest::border_tolerance;
        return;
      }
    const double wait = exact->approximate() - time;
    if (exact->compare(time) < 0)
      {
        ++row.n_late;
        row.late = std::max(row.late, -wait);
      }
    row.n_early += wait > 1e-11;
    row.early = std::max(row.early, wait);
  }



  void
  print(const char *name, const Row &row)
  {
    std::printf(
      "%-11s %8lu %8lu %8lu %3lu %3lu %8.1e %7lu %5lu %8.1e %8.1e "
      "%7lu %8.1e %6.0f %8.0f %4u %5lu\n",
      name,
      row.n,
      row.n_touch,
      row.n_yes,
      row.n_missed,
      row.n_late,
      row.late,
      row.n_false,
      row.n_far,
      row.settled_distance,
      row.distance,
      row.n_early,
      row.early,
      row.nanoseconds / row.n,
      row.slowest,
      row.most_steps,
      row.n_gave_up);
  }



  /** For a look at a pair that went wrong. */
  template <Kind kind>
  std::string
  digits(const Points<kind> &begin, const Points<kind> &end)
  {
    std::ostringstream result;
    result << std::hexfloat;
    for (const auto *points : {&begin, &end})
      for (const auto &x : *points)
        result << x << ", ";
    return result.str();
  }



  template <Kind kind>
  void
  test(const char *name)
  {
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    const unsigned long n = setting("RICOCHET_QUERIES", 120000) / (3 * n_ranks);
    SweptQueries<kind> queries(
      n_ranks * setting("RICOCHET_SEED", 1) +
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
    constexpr unsigned int n_categories =
      static_cast<unsigned int>(Category::n_categories);
    std::array<Row, n_categories> rows;
    for (unsigned long i = 0; i < n; ++i)
      {
        const unsigned int category = i % n_categories;
        Points<kind> begin, end;
        queries.next(static_cast<Category>(category), begin, end);
        Row &row            = rows[category];
        const auto n_before = row.n_missed + row.n_late;
        check<kind>(begin, end, row);
        EXPECT_EQ(row.n_missed + row.n_late, n_before)
          << category_names[category] << ": " << digits<kind>(begin, end);
      }

    std::printf(
      "%-13s  pairs    touch      yes mis late     by   false   far "
      " settled distance  >1e-11    early     ns  slowest steps up\n",
      name);
    for (unsigned int c = 0; c < n_categories; ++c)
      {
        print(category_names[c], rows[c]);
        // Positions on a needle have errors of epsilon by its aspect.
        const bool is_needle = static_cast<Category>(c) == Category::needle;
        EXPECT_LE(rows[c].settled_distance,
                  is_needle ? 1e8 * std::numeric_limits<double>::epsilon()
                            : SweptTest::border_tolerance)
          << category_names[c];
        // No theory bounds these: twenty million pairs came to 1.9e-4.
        EXPECT_LE(rows[c].distance, 1e-3) << category_names[c];
      }
    const Row &random = rows[static_cast<unsigned int>(Category::random)];
    EXPECT_GT(random.n_touch, random.n / 50);
    EXPECT_EQ(random.n_false, 0u);
    EXPECT_LE(random.n_early, random.n_touch / 1000);
  }
} // namespace



TEST(SweptOracle, KnowsZerosOfPolynomials)
{
  using Exact::Polynomial;
  // (3 t - 1) (2 t - 1)^2
  const auto rational = Exact::zeros(Polynomial{-1, 7, -16, 12});
  ASSERT_EQ(rational.size(), 2u);
  EXPECT_EQ(rational[0].compare(1. / 3.), 1); // the double is below
  EXPECT_EQ(rational[0].compare(std::nextafter(1. / 3., 1.)), -1);
  EXPECT_EQ(rational[1].compare(0.5), 0);
  // t (t - 1), and (2 t^2 - 1)^2 with a double zero that is irrational.
  const auto ends = Exact::zeros(Polynomial{0, -1, 1});
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].compare(0.), 0);
  EXPECT_EQ(ends[1].compare(1.), 0);
  auto twice = Exact::zeros(Polynomial{1, 0, -4, 0, 4});
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_NEAR(twice[0].approximate(), std::sqrt(0.5), 2e-16);
  EXPECT_EQ(Exact::sign(Polynomial{-1, 0, 2}, twice[0]), 0);
  EXPECT_EQ(Exact::sign(Polynomial{-1, 1, 2}, twice[0]), 1);
  // A convergent of the zero, closer than 1e-15.
  EXPECT_EQ(Exact::sign(Polynomial{-15994428, 22619537}, twice[0]), 1);
  EXPECT_TRUE(Exact::zeros(Polynomial{1, -1, 1}).empty());
}



TEST(SweptOracle, AgreesOnVerticesAndEdges)
{
  test<Kind::vertex_edge>("vertex-edge");
}

TEST(SweptOracle, AgreesOnVerticesAndTriangles)
{
  test<Kind::vertex_triangle>("vertex-triangle");
}

TEST(SweptOracle, AgreesOnEdges)
{
  test<Kind::edge_edge>("edge-edge");
}
