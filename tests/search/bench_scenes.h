// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_bench_scenes_h
#define ricochet_tests_search_bench_scenes_h

#include <deal.II/base/point.h>

#include <string>
#include <vector>

#include "make_bodies.h"

namespace Ricochet
{
  /**
   * Scenes with known numbers of candidates, the same on every platform: a
   * step from positions without intersections to positions with many.
   */
  struct BenchScene
  {
    std::string name;
    Bodies<3> bodies; // positions at the start of the step
    std::vector<dealii::Point<3>> end;

    /** The mean length of the edges at the start. */
    double
    mean_length() const;
  };

  /** Two unit spheres of 12 n^2 facets each that approach each other by 2.5
   * cells, from a gap of half a cell. */
  BenchScene
  make_spheres(const unsigned int n);

  /**
   * Unit cubes of 192 facets each in a cubic lattice, turned at random, that
   * move by a fifth of a cell in random directions while the lattice shrinks by
   * 3 %. They are disjoint at the start but for those (3 of 76, 44 of 1000) for
   * which 4000 attempts found no free rotation.
   */
  BenchScene
  make_cubes(const unsigned int n_cubes);

  /** One sheet of n x n squares that is folded into 8 layers and warped; the
   * layers, one cell apart, bulge into each other. */
  BenchScene
  make_sheet(const unsigned int n);
} // namespace Ricochet

#endif
