// SPDX-License-Identifier: LGPL-2.1-or-later
//
// deflect_pair() against the energies and momenta of mass points that the tests
// add up themselves.

#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/held_pairs.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Five mass points in random motion under random forces. */
  class RandomPoints
  {
  public:
    explicit RandomPoints(const unsigned int seed)
      : random(seed)
    {
      state.dt = random.uniform(0.01, 1.);
      state.resize(n);
      std::vector<Tensor<1, 3>> inverse_masses;
      for (unsigned int i = 0; i < n; ++i)
        {
          masses.push_back(std::exp(random.uniform(-2., 2.)));
          inverse_masses.emplace_back(
            Tensor<1, 3>({1. / masses[i], 1. / masses[i], 1. / masses[i]}));
          state.start_positions[i] = Point<3>(random.vector<3>(1.));
          state.velocities[i]      = random.vector<3>(1.);
          state.accelerations[i]   = random.vector<3>(1.) / state.dt;
        }
      state.inverse_mass.reinit(inverse_masses);
      move();
    }

    void
    move()
    {
      for (unsigned int i = 0; i < n; ++i)
        state.end_positions[i] =
          state.start_positions[i] + state.dt * state.velocities[i];
    }

    /** A vertex over the point @p weights of a triangle of other points, in the
     * direction of @p normal. */
    Collision<3>
    pair(const unsigned int vertex, const Tensor<1, 3> &normal)
    {
      Collision<3> result;
      result.nodes   = {vertex, 2, 3, 4};
      const double a = random.uniform(0., 0.5), b = random.uniform(0., 0.5);
      result.weights = {1., -a, -b, a + b - 1.};
      result.length  = 1.;
      result.normal  = normal / normal.norm();
      evaluate(result);
      return result;
    }

    /** Gaps in the present state. */
    void
    evaluate(Collision<3> &pair) const
    {
      pair.gap       = pair.normal * pair.weighted_sum(state.end_positions);
      pair.start_gap = pair.normal * pair.weighted_sum(state.start_positions);
    }

    /** n . dv of the middle of the step before. */
    double
    velocity_before(const Collision<3> &pair) const
    {
      return pair.normal * (pair.weighted_sum(state.velocities) -
                            state.dt * pair.weighted_sum(state.accelerations));
    }

    double
    velocity(const Collision<3> &pair) const
    {
      return pair.normal * pair.weighted_sum(state.velocities);
    }

    /** Of the velocities at the start of the step. */
    double
    kinetic_energy() const
    {
      double sum = 0.;
      for (unsigned int i = 0; i < n; ++i)
        sum += 0.5 * masses[i] *
               (state.velocities[i] - 0.5 * state.dt * state.accelerations[i])
                 .norm_square();
      return sum;
    }

    Tensor<1, 3>
    momentum() const
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < n; ++i)
        sum += masses[i] * state.velocities[i];
      return sum;
    }

    Tensor<1, 3>
    angular_momentum() const
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < n; ++i)
        sum +=
          masses[i] * cross_product_3d(Tensor<1, 3>(state.start_positions[i]),
                                       state.velocities[i]);
      return sum;
    }

    static constexpr unsigned int n = 5;
    ContactState<3> state;
    std::vector<double> masses;
    Random random;
  };



  PassSettings
  settings(const double restitution, const double friction = 0.)
  {
    PassSettings result;
    result.restitution = restitution;
    result.friction    = friction;
    return result;
  }
} // namespace



TEST(Deflection, KeepsMomentaAndStatesItsEnergy)
{
  unsigned int n_pushed = 0;
  for (unsigned int seed = 0; seed < 500; ++seed)
    {
      RandomPoints points(seed);
      auto pair      = points.pair(0, points.random.vector<3>(1.));
      pair.least_gap = points.random.uniform(-0.5, 0.5);
      const auto p   = points.momentum();
      const auto l   = points.angular_momentum();
      const double k = points.kinetic_energy();
      const auto e   = points.random.uniform(0., 1.);
      const auto result =
        deflect_pair(pair, settings(e, seed % 2), points.state);
      n_pushed += result.status != ContactStatus::open ? 1 : 0;
      EXPECT_LE((points.momentum() - p).norm(), 1e-12);
      EXPECT_NEAR(k - points.kinetic_energy(),
                  result.restitution_loss + result.friction_loss,
                  1e-12 * k);
      const auto &record = points.state.record;
      EXPECT_LE(
        (points.angular_momentum() - l - record.angular_momentum_change).norm(),
        1e-12 * (1. + l.norm()));
      // Positions follow from velocities.
      const auto end = points.state.end_positions;
      points.move();
      for (unsigned int i = 0; i < points.n; ++i)
        EXPECT_LE((end[i] - points.state.end_positions[i]).norm(), 1e-14);
    }
  EXPECT_GT(n_pushed, 100u);
}



TEST(Deflection, HasTheRestitutionOfApproaches)
{
  unsigned int n_closing = 0;
  for (unsigned int seed = 0; seed < 500; ++seed)
    {
      RandomPoints points(seed);
      auto pair = points.pair(0, points.random.vector<3>(1.));
      if (pair.gap > pair.start_gap)
        {
          pair.normal *= -1.;
          points.evaluate(pair);
        }
      // It would pass the gap in this step, and was apart in the last one.
      pair.least_gap      = points.random.uniform(pair.gap, pair.start_gap);
      const double before = points.velocity_before(pair);
      if (before > 0.)
        continue;
      ++n_closing;
      PassSettings pass =
        settings(seed % 3 == 0 ? 1. : points.random.uniform(0., 1.));
      pass.slack            = 0.;
      const double e        = pass.restitution.largest();
      const Tensor<1, 3> dv = pair.weighted_sum(points.state.velocities);
      const auto result     = deflect_pair(pair, pass, points.state);
      EXPECT_NE(result.status, ContactStatus::open);
      EXPECT_NEAR(points.velocity(pair), -e * before, 1e-12);
      // j (u_- + u_+) / 2, and j along the normal changes dv by j/m.
      double inverse_mass = 0.;
      for (unsigned int i = 0; i < 4; ++i)
        inverse_mass +=
          pair.weights[i] * pair.weights[i] / points.masses[pair.nodes[i]];
      const double j = (-e * before - pair.normal * dv) / inverse_mass;
      EXPECT_NEAR(result.restitution_loss, -0.5 * j * (1. - e) * before, 1e-12);
    }
  EXPECT_GT(n_closing, 100u);
}



TEST(Deflection, EndsAnApproachWithoutRestitutionAtTheLeastGap)
{
  for (unsigned int seed = 0; seed < 500; ++seed)
    {
      RandomPoints points(seed);
      auto pair = points.pair(0, points.random.vector<3>(1.));
      if (pair.gap > pair.start_gap)
        {
          pair.normal *= -1.;
          points.evaluate(pair);
        }
      pair.least_gap       = points.random.uniform(pair.gap, pair.start_gap);
      const double before  = points.velocity_before(pair);
      const double held_up = pair.start_gap - pair.gap;
      const auto result    = deflect_pair(pair, settings(0.), points.state);
      const double gap =
        pair.normal * pair.weighted_sum(points.state.end_positions);
      EXPECT_GE(gap, pair.least_gap - 1e-13);
      // Those at rest stay if they are within eight times the slack.
      EXPECT_LE(gap,
                pair.least_gap + 8. * PassSettings().slack * held_up + 1e-13);
      // The gap before was admissible, so nothing can be gained.
      if (pair.start_gap - points.state.dt * before >= gap)
        {
          EXPECT_GE(result.restitution_loss, -1e-13);
        }
    }
}



/** Pairs that share nodes, handled again and again, in any order. */
TEST(Deflection, KeepsTheEnergyOfManyElasticPairs)
{
  for (unsigned int seed = 0; seed < 200; ++seed)
    {
      RandomPoints points(seed);
      std::vector<Collision<3>> pairs;
      for (unsigned int k = 0; k < 4; ++k)
        pairs.push_back(points.pair(k % 2, points.random.vector<3>(1.)));
      const double energy = points.kinetic_energy();
      double lost         = 0.;
      for (unsigned int sweep = 0; sweep < 5; ++sweep)
        {
          points.random.shuffle(pairs);
          for (auto &pair : pairs)
            {
              points.evaluate(pair);
              pair.least_gap =
                std::min(pair.start_gap,
                         pair.start_gap -
                           points.state.dt * points.velocity_before(pair)) -
                1e-6;
              if (pair.gap < pair.least_gap)
                lost += deflect_pair(pair, settings(1.), points.state)
                          .restitution_loss;
            }
        }
      EXPECT_NEAR(lost, 0., 1e-11 * energy);
      EXPECT_NEAR(points.kinetic_energy(), energy, 1e-11 * energy);
    }
}



/** Pairs that share nodes and were handled one after the other push only where
 * they hold each other, as if all had acted at once. */
TEST(Deflection, HeldPairsAgreeOnTheirImpulses)
{
  unsigned int n_eased = 0;
  for (const double friction : {0., 0.3})
    for (unsigned int seed = 0; seed < 100; ++seed)
      {
        RandomPoints points(seed);
        const Tensor<1, 3> momentum = points.momentum();
        const double energy         = points.kinetic_energy();
        PassSettings pass           = settings(0., friction);
        for (unsigned int k = 0; k < 4; ++k)
          {
            auto pair = points.pair(k % 2, points.random.vector<3>(1.));
            points.move();
            points.evaluate(pair);
            pair.least_gap = pair.start_gap - 1e-3;
            if (pair.gap < pair.least_gap)
              deflect_pair(pair, pass, points.state);
          }
        std::vector<double> before;
        for (const auto &held : points.state.held_pairs)
          before.push_back(held.impulse);
        for (unsigned int k = 0; k < 100; ++k)
          ease_pairs(pass, points.state);
        for (unsigned int k = 0; k < before.size(); ++k)
          {
            const auto &held = points.state.held_pairs[k];
            const double u   = points.velocity(held.collision);
            n_eased += held.impulse < 0.9 * before[k] ? 1 : 0;
            EXPECT_GE(held.impulse, 0.);
            EXPECT_GE(u, held.velocity - 1e-4);
            EXPECT_NEAR(held.impulse * (u - held.velocity), 0., 1e-4);
            EXPECT_LE(held.friction.norm(), friction * held.impulse + 1e-12);
            EXPECT_NEAR(held.friction * held.collision.normal, 0., 1e-12);
          }
        EXPECT_LE((points.momentum() - momentum).norm(), 1e-12);
        EXPECT_NEAR(energy - points.kinetic_energy(),
                    points.state.record.restitution_loss +
                      points.state.record.friction_loss,
                    1e-11 * energy);
      }
  EXPECT_GT(n_eased, 50u);
}



/** A vertex far behind the plane of a facet is opened by its motion at most. */
TEST(Deflection, ThrowsNothing)
{
  for (const double e : {0., 0.5, 1.})
    for (unsigned int seed = 0; seed < 50; ++seed)
      {
        RandomPoints points(seed);
        auto pair           = points.pair(0, points.random.vector<3>(1.));
        pair.least_gap      = std::max(pair.start_gap, pair.gap) + 1e3;
        const double speed  = pair.weighted_sum(points.state.velocities).norm();
        const double before = std::abs(points.velocity_before(pair));
        deflect_pair(pair, settings(e), points.state);
        // With the slack; or it rebounds.
        EXPECT_LE(points.velocity(pair),
                  std::max(1.03 * speed, e * before) + 1e-12);
      }
}



/** A gap that can only be kept by giving energy, and an impact that pays. */
TEST(Deflection, TakesBackWhatItHadToGive)
{
  unsigned int n_paid = 0;
  for (unsigned int seed = 0; seed < 200; ++seed)
    {
      RandomPoints points(seed);
      const double energy = points.kinetic_energy();
      auto pair           = points.pair(0, points.random.vector<3>(1.));
      pair.least_gap =
        std::max(pair.start_gap, pair.gap) + points.random.uniform(0., 0.01);
      const double given =
        -deflect_pair(pair, settings(1.), points.state).restitution_loss;
      double debt = 0.;
      for (const double d : points.state.debts)
        {
          EXPECT_GE(d, 0.);
          debt += d;
        }
      EXPECT_NEAR(debt, std::max(0., given), 1e-12 * energy);
      if (!(given > 0.))
        continue;

      // Next step: the same nodes meet.
      points.state.start_positions = points.state.end_positions;
      const Tensor<1, 3> n = -1. * pair.weighted_sum(points.state.velocities);
      pair.normal          = n / n.norm();
      for (auto &a : points.state.accelerations)
        a = 0.;
      points.move();
      points.evaluate(pair);
      pair.least_gap = pair.start_gap;
      const double loss =
        deflect_pair(pair, settings(1.), points.state).restitution_loss;
      double left = 0.;
      for (const double d : points.state.debts)
        left += d;
      EXPECT_NEAR(left, debt - loss, 1e-12 * energy);
      EXPECT_GE(loss, -1e-13);
      n_paid += left < 1e-12 * energy ? 1 : 0;
    }
  EXPECT_GT(n_paid, 20u);
}



/** What sticks does not move along the surface. */
TEST(Deflection, LetsStickingPointsStay)
{
  unsigned int n_sticking = 0;
  for (unsigned int seed = 0; seed < 200; ++seed)
    {
      RandomPoints points(seed);
      auto pair      = points.pair(0, points.random.vector<3>(1.));
      pair.least_gap = std::max(pair.start_gap, pair.gap) + 0.1;
      // All were at rest before the forces of this step.
      for (unsigned int i = 0; i < points.n; ++i)
        points.state.predicted_velocities[i] =
          points.state.dt * points.state.accelerations[i];
      if (deflect_pair(pair, settings(0., 10.), points.state).status !=
          ContactStatus::stick)
        continue;
      ++n_sticking;
      const Tensor<1, 3> way = pair.weighted_sum(points.state.end_positions) -
                               pair.weighted_sum(points.state.start_positions);
      EXPECT_LE((way - (way * pair.normal) * pair.normal).norm(), 1e-13);
    }
  EXPECT_GT(n_sticking, 20u);
}



/** What slides when the forces turn it round goes back where it came from, and
 * sticking takes no energy from it. */
TEST(Deflection, LetsPointsThatTurnRoundReturn)
{
  for (unsigned int seed = 0; seed < 200; ++seed)
    {
      RandomPoints points(seed);
      auto pair = points.pair(0, Tensor<1, 3>({0., 0., 1.}));
      // At rest in the normal direction, with some speed along x that the force
      // of this step turns round.
      const double speed = points.random.uniform(0.1, 1.);
      const double turn  = points.random.uniform(0.2, 3.);
      for (unsigned int i = 0; i < points.n; ++i)
        {
          points.state.velocities[i]    = 0.;
          points.state.accelerations[i] = 0.;
        }
      points.state.accelerations[0][0] = -turn * speed / points.state.dt;
      points.state.accelerations[0][2] = -1. / points.state.dt;
      points.state.velocities[0] = Tensor<1, 3>({(1. - turn) * speed, 0., -1.});
      points.state.predicted_velocities = points.state.velocities;
      points.move();
      points.evaluate(pair);
      pair.least_gap      = pair.start_gap;
      const double energy = points.kinetic_energy();
      PassSettings pass   = settings(0., 100.);
      pass.slack          = 0.;
      const auto result   = deflect_pair(pair, pass, points.state);
      const double v      = pair.weighted_sum(points.state.velocities)[0];
      EXPECT_NEAR(v,
                  turn > 2.   ? -speed
                  : turn > 1. ? (1. - turn) * speed
                              : 0.,
                  1e-12);
      EXPECT_GE(result.friction_loss, -1e-12);
      EXPECT_LE(points.kinetic_energy(), energy + 1e-12);
    }
}
