// SPDX-License-Identifier: LGPL-2.1-or-later

// Overlaps of boxes whose corners have whole numbers as coordinates, next to
// what these numbers say.

#include <ricochet/overlap/overlaps.h>

#include <deal.II/physics/transformations.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "make_bodies.h"

namespace
{
  using namespace Ricochet;
  using dealii::Point;
  using dealii::Tensor;

  /** A box whose corners have whole numbers as coordinates. */
  struct WholeBox
  {
    std::array<int, 3> lower, upper;
  };

  /** The shortest translation that takes one box off the other; not positive
   * if they do not overlap. */
  int
  depth(const WholeBox &a, const WholeBox &b)
  {
    int result = std::numeric_limits<int>::max();
    for (unsigned int d = 0; d < 3; ++d)
      result =
        std::min({result, a.upper[d] - b.lower[d], b.upper[d] - a.lower[d]});
    return result;
  }

  /** Overlaps of one scene next to what the boxes say. */
  void
  compare(const Bodies<3> &bodies,
          const std::vector<WholeBox> &boxes,
          const Tensor<2, 3> &rotation,
          const Tensor<1, 3> &shift)
  {
    Bodies<3> moved = bodies;
    for (Point<3> &p : moved.positions)
      p = Point<3>(rotation * p + shift);
    const double round_off = 1e-15 * (20. + shift.norm());
    const auto overlaps =
      find_overlaps(moved.surface, moved.positions, SearchSettings());
    std::vector<BodyPair> expected;
    for (unsigned int a = 0; a < boxes.size(); ++a)
      for (unsigned int b = a + 1; b < boxes.size(); ++b)
        if (depth(boxes[a], boxes[b]) > 0)
          expected.push_back({{a, b}});
    EXPECT_EQ(overlapping_bodies(overlaps), expected);
    for (const auto &overlap : overlaps)
      {
        EXPECT_LE(overlap.depth,
                  depth(boxes[overlap.bodies[0]], boxes[overlap.bodies[1]]) +
                    round_off);
        const Tensor<1, 3> place =
          transpose(rotation) * (overlap.place - shift);
        for (const unsigned int b : overlap.bodies)
          for (unsigned int d = 0; d < 3; ++d)
            {
              EXPECT_GE(place[d], boxes[b].lower[d] - round_off);
              EXPECT_LE(place[d], boxes[b].upper[d] + round_off);
            }
      }
  }

  // Boxes on a lattice, each with its own grid: most of them touch or overlap
  // in the most degenerate ways, face to face, edge to edge, vertex on edge.
  TEST(OverlapsOnLattice, are_those_of_the_corners)
  {
    std::mt19937 random(3);
    const auto number = [&](const int low, const int high) {
      return low + int(random() % (high - low + 1));
    };
    for (unsigned int scene = 0; scene < 60; ++scene)
      {
        Bodies<3> bodies;
        std::vector<WholeBox> boxes(8);
        for (WholeBox &box : boxes)
          {
            Tensor<1, 3> size;
            Point<3> centre;
            std::array<unsigned int, 3> n;
            for (unsigned int d = 0; d < 3; ++d)
              {
                box.lower[d] = number(0, 5);
                box.upper[d] = box.lower[d] + number(1, 4);
                size[d]      = box.upper[d] - box.lower[d];
                centre[d]    = 0.5 * (box.upper[d] + box.lower[d]);
                n[d]         = number(1, 4);
              }
            add_box(bodies, centre, size, n);
          }
        bodies.finish();
        const auto rotation =
          dealii::Physics::Transformations::Rotations::rotation_matrix_3d(
            Tensor<1, 3>({0.6, 0., 0.8}),
            double(number(1, 6)));
        compare(bodies, boxes, dealii::unit_symmetric_tensor<3>(), {});
        compare(bodies, boxes, rotation, {});
        compare(bodies, boxes, rotation, Tensor<1, 3>({1e6, 2e6, -1e5}));
      }
  }
} // namespace
