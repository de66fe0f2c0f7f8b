// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Edges that meet although their own normal does not fit their facets: impulses
// at the start of the step must not give energy, whichever way they go on.

#include <ricochet/geometry/collision_geometry.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/impulse/deflection.h>
#include <ricochet/search/search.h>

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "../random.h"
#include "../search/make_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Two wedges of two facets each, as mass points in random motion: the first
   * along x, the second along y and z = 0, which the first one passes in the
   * middle of the step at any speed along it. */
  class Wedges
  {
  public:
    explicit Wedges(Random &random)
    {
      for (unsigned int body = 0; body < 2; ++body)
        {
          std::vector<Point<3>> points;
          for (const double end : {-1., 1.})
            {
              points.emplace_back(random.vector<3>(0.2));
              points.back()[body] += end;
            }
          for (unsigned int i = 0; i < 2; ++i)
            points.emplace_back(random.vector<3>(1.));
          bodies.add(points, {{{0, 1, 2}}, {{1, 0, 3}}});
        }
      bodies.finish();
      const unsigned int n = bodies.positions.size();
      state.resize(n);
      state.dt = 0.1;
      std::vector<Tensor<1, 3>> inverse_masses;
      const Tensor<1, 3> sliding = random.vector<3>(5.);
      for (unsigned int i = 0; i < n; ++i)
        {
          masses.push_back(std::exp(random.uniform(-1., 1.)));
          inverse_masses.emplace_back(
            Tensor<1, 3>({1. / masses[i], 1. / masses[i], 1. / masses[i]}));
          state.velocities[i] = random.vector<3>(0.5);
          if (i < n / 2)
            state.velocities[i] += sliding;
          // Where they are in the middle.
          state.start_positions[i] =
            bodies.positions[i] - 0.5 * state.dt * state.velocities[i];
          state.end_positions[i] =
            bodies.positions[i] + 0.5 * state.dt * state.velocities[i];
        }
      state.predicted_velocities = state.velocities;
      state.inverse_mass.reinit(inverse_masses);
    }

    double
    kinetic_energy() const
    {
      double sum = 0.;
      for (unsigned int i = 0; i < masses.size(); ++i)
        sum += 0.5 * masses[i] * state.velocities[i].norm_square();
      return sum;
    }

    std::vector<Encounter>
    meetings()
    {
      SearchSettings settings;
      Search<3> search;
      search.reinit(bodies.surface, settings, MPI_COMM_SELF);
      std::vector<Encounter> found;
      search.detect(state.start_positions, state.end_positions, found);
      return found;
    }

    Bodies<3> bodies;
    std::vector<double> masses;
    ContactState<3> state;
  };



  TEST(EdgesWithoutNormal, GiveNoEnergy)
  {
    Random random(1);
    unsigned int n_plausible = 0, n_others = 0;
    for (unsigned int n = 0; n < 3000; ++n)
      {
        Wedges wedges(random);
        ContactState<3> &state = wedges.state;
        const auto begin = state.start_positions, end = state.end_positions;
        const auto velocities = state.velocities;
        for (const Encounter &encounter : wedges.meetings())
          {
            if (encounter.kind != PairKind::edge_edge || !encounter.crossing)
              continue;
            state.clear_response();
            state.end_positions = end;
            state.velocities    = velocities;
            const CollisionGeometry<3> geometry(wedges.bodies.surface,
                                                begin,
                                                end);
            const auto is_flat = [&](const unsigned int edge) {
              return EdgeNormals(wedges.bodies.surface, end, edge).is_flat;
            };
            const auto at_impact = geometry.at_impact(encounter);
            PassSettings settings;
            settings.restitution = random.uniform(0., 1.) < 0.5 ? 0. : 1.;
            Collision<3> collision;
            if (is_flat(encounter.first) || is_flat(encounter.second) ||
                !at_impact.has_raw_normal ||
                !geometry.evaluate(encounter,
                                   at_impact,
                                   state.end_positions,
                                   settings.eta,
                                   collision))
              continue;
            ++(at_impact.is_plausible ? n_plausible : n_others);
            const double before = wedges.kinetic_energy();
            EXPECT_NE(deflect_pair(collision, settings, state).status,
                      ContactStatus::open);
            EXPECT_LE(wedges.kinetic_energy(), before * (1. + 1e-12))
              << "wedges " << n << (at_impact.is_plausible ? ", plausible" : "")
              << ", gap at the start " << collision.start_gap;
          }
      }
    EXPECT_GT(n_plausible, 100u);
    EXPECT_GT(n_others, 100u);
  }
} // namespace
