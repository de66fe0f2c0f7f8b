// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/response/rigid_penalty.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <Sacado.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "facet_projection.h"
#include "moving_points.h"
#include "rigid_islands.h"

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    constexpr unsigned int most_iterations = 100, most_halvings = 30;

    /** What is left of the equations, as a velocity, when it does not get
     * smaller any more; relative to the velocities. */
    constexpr double round_off = 1e-15, nearly = 1e-10;

    /** Mean velocities: of the centre, and angular, of the slave and the
     * master. */
    constexpr unsigned int n_body = 6, n_pair = 12;

    using Number = Sacado::Fad::SFad<double, n_pair>;
    using Points = MovingPoints<Number>;
    using Space  = Points::Space;



    /** -(U(g_1) - U(g_0)) / (g_1 - g_0) for k = 1. */
    Number
    force_of_gaps(const double g_0, const Number &g_1)
    {
      if (g_0 < 0. && g_1 < 0.)
        return -0.5 * (g_0 + g_1);
      if (g_0 >= 0. && g_1 >= 0.)
        return 0.;
      if (g_0 < 0.)
        return 0.5 * g_0 * g_0 / (g_1 - g_0);
      return -0.5 * g_1 * g_1 / (g_1 - g_0);
    }



    /** What a pair does to its bodies. */
    struct PairImpulses
    {
      /** Impulse and angular impulse on the slave and on the master. */
      std::array<Number, n_pair> impulses;

      Number end_gap, force;
      Space normal, place;

      PairImpulses(const RigidPenaltyPair &pair,
                   const std::vector<RigidStep> &steps)
      {
        const Points slave(steps[pair.slave], 0),
          master(steps[pair.master], n_body);
        using Projection     = FacetProjection<3, Number>;
        const bool is_facet  = pair.shape == RigidPenaltyPair::Shape::facet;
        const unsigned int n = is_facet ? 4 : 2;
        typename Projection::Field arms, places, moves;
        for (unsigned int a = 0; a < n; ++a)
          {
            const Points &points = a == 0 ? slave : master;
            arms[a] =
              points.arm(a == 0 ? pair.slave_point : pair.master_points[a - 1]);
            places[a] = points.place(arms[a]);
            moves[a]  = points.move(arms[a]);
          }
        place = places[0];
        std::array<Number, 4> shares;
        if (is_facet)
          {
            const Projection projection(places);
            normal = projection.normal;
            shares = projection.shares;
          }
        else
          {
            for (unsigned int d = 0; d < 3; ++d)
              normal[d] = places[0][d] - places[1][d];
            const Number length =
              (pair.shape == RigidPenaltyPair::Shape::sphere ? 1. : -1.) *
              sqrt(dot(normal, normal));
            for (Number &component : normal)
              component /= length;
            shares[0] = 1.;
            shares[1] = -1.;
          }
        end_gap = pair.gap;
        for (unsigned int a = 0; a < n; ++a)
          end_gap += shares[a] * dot(normal, moves[a]);
        force = pair.stiffness * force_of_gaps(pair.gap, end_gap);

        for (Number &impulse : impulses)
          impulse = 0.;
        const double dt = steps[pair.slave].length();
        for (unsigned int a = 0; a < n; ++a)
          {
            Space impulse = normal;
            for (Number &component : impulse)
              component *= dt * force * shares[a];
            const Space angular      = Points::cross_product(arms[a], impulse);
            const unsigned int first = a == 0 ? 0 : n_body;
            for (unsigned int d = 0; d < 3; ++d)
              {
                impulses[first + d] += impulse[d];
                impulses[first + 3 + d] += angular[d];
              }
          }
      }
    };



    /** Pairs that depend on each other, and the equations of their bodies for
     * their mean velocities, of which each has six. */
    class Island
    {
    public:
      Island(std::vector<RigidPenaltyPair> &all,
             const std::vector<unsigned int> &numbers,
             std::vector<RigidStep> &steps)
        : all(all)
        , numbers(numbers)
        , steps(steps)
      {
        for (const unsigned int number : numbers)
          for (const unsigned int body :
               {all[number].slave, all[number].master})
            if (!is_held(steps[body].start()) &&
                place_of_body.emplace(body, bodies.size()).second)
              bodies.push_back(body);
        residual.reinit(n_body * bodies.size());
        impulses.reinit(residual);
      }

      void
      solve()
      {
        evaluate();
        double scale = 0.;
        for (const unsigned int body : bodies)
          scale += std::sqrt(2. * steps[body].start().kinetic_energy() +
                             2. * steps[body].end().kinetic_energy());
        double last = size();
        for (unsigned int n = 0; n < most_iterations; ++n)
          {
            if (last <= round_off * scale)
              break;
            newton_step(last);
            const double left  = size();
            const bool is_done = left <= nearly * scale && left >= 0.25 * last;
            last               = left;
            if (is_done)
              break;
          }
        if (!(last <= nearly * scale))
          fail();
        finish();
      }

    private:
      /** Impulses of means minus those of pairs. */
      void
      evaluate()
      {
        matrix.reinit(residual.size());
        impulses = 0.;
        for (const unsigned int number : numbers)
          add(all[number]);
        for (unsigned int i = 0; i < bodies.size(); ++i)
          {
            const RigidStep &step         = steps[bodies[i]];
            const Tensor<1, 3> impulse    = step.impulse(),
                               angular    = step.angular_impulse();
            const Tensor<2, 3> resistance = step.rotational_resistance();
            for (unsigned int d = 0; d < n_body; ++d)
              {
                const unsigned int row = n_body * i + d;
                residual[row] =
                  (d < 3 ? impulse[d] : angular[d - 3]) - impulses[row];
                if (d < 3)
                  matrix(row, row) += 2. * step.start().mass.mass;
                else
                  for (unsigned int e = 0; e < 3; ++e)
                    matrix(row, n_body * i + 3 + e) += resistance[d - 3][e];
                if (d < 3 ? step.start().holds_velocity[d]
                          : step.start().holds_rotation)
                  {
                    for (unsigned int k = 0; k < residual.size(); ++k)
                      matrix(row, k) = k == row ? 1. : 0.;
                    residual[row] = 0.;
                  }
              }
          }
      }

      void
      add(const RigidPenaltyPair &pair)
      {
        const PairImpulses part(pair, steps);
        const std::array<unsigned int, 2> parts = {{pair.slave, pair.master}};
        for (unsigned int a = 0; a < n_pair; ++a)
          {
            const auto row_body = place_of_body.find(parts[a / n_body]);
            if (row_body == place_of_body.end())
              continue;
            const unsigned int row = n_body * row_body->second + a % n_body;
            impulses[row] += part.impulses[a].val();
            for (unsigned int b = 0; b < n_pair; ++b)
              {
                const auto column_body = place_of_body.find(parts[b / n_body]);
                if (column_body != place_of_body.end())
                  matrix(row, n_body * column_body->second + b % n_body) -=
                    part.impulses[a].dx(b);
              }
          }
      }

      /** The residual, as the square root of an energy. */
      double
      size() const
      {
        double sum = 0.;
        for (unsigned int i = 0; i < bodies.size(); ++i)
          {
            const RigidMotion &start = steps[bodies[i]].start();
            Tensor<1, 3> angular;
            for (unsigned int d = 0; d < 3; ++d)
              {
                const double impulse = residual[n_body * i + d];
                sum += impulse * impulse / start.mass.mass;
                angular[d] = residual[n_body * i + 3 + d];
              }
            sum += angular * (start.inverse_inertia() * angular);
          }
        return std::sqrt(sum);
      }

      /** Along Newton's direction as far as it makes the residual smaller. */
      void
      newton_step(const double old_size)
      {
        dealii::Vector<double> change = residual;
        matrix.compute_lu_factorization();
        matrix.solve(change);
        const std::vector<RigidStep> old = steps_of_bodies();
        double part                      = 1.;
        for (unsigned int n = 0; n < most_halvings; ++n, part *= 0.5)
          {
            for (unsigned int i = 0; i < bodies.size(); ++i)
              {
                Tensor<1, 3> velocity = old[i].mean_velocity(),
                             spin     = old[i].mean_angular_velocity();
                for (unsigned int d = 0; d < 3; ++d)
                  {
                    velocity[d] -= part * change[n_body * i + d];
                    spin[d] -= part * change[n_body * i + 3 + d];
                  }
                steps[bodies[i]].set_means(velocity, spin);
              }
            evaluate();
            // At round-off it gets no smaller.
            if (size() < old_size || n + 1 == most_halvings)
              return;
          }
      }

      std::vector<RigidStep>
      steps_of_bodies() const
      {
        std::vector<RigidStep> result;
        for (const unsigned int body : bodies)
          result.push_back(steps[body]);
        return result;
      }

      /** Give the bodies the impulses of the pairs, whose sums are zero. */
      void
      finish()
      {
        for (const unsigned int number : numbers)
          {
            RigidPenaltyPair &pair = all[number];
            const PairImpulses part(pair, steps);
            pair.end_gap = part.end_gap.val();
            pair.force   = part.force.val();
            for (unsigned int d = 0; d < 3; ++d)
              {
                pair.normal[d] = part.normal[d].val();
                pair.place[d]  = part.place[d].val();
              }
          }
        for (unsigned int i = 0; i < bodies.size(); ++i)
          {
            Tensor<1, 3> impulse, angular;
            for (unsigned int d = 0; d < 3; ++d)
              {
                impulse[d] = impulses[n_body * i + d];
                angular[d] = impulses[n_body * i + 3 + d];
              }
            steps[bodies[i]].solve(impulse, angular);
          }
      }

      [[noreturn]] void
      fail() const
      {
        std::ostringstream message;
        message << "Contact: the equations of a step with a penalty between "
                   "rigid bodies were not solved, near ("
                << steps[bodies[0]].start().centre << ") in a step of length "
                << steps[bodies[0]].length()
                << ". Choose a smaller 'Time step' or a smaller penalty.";
        throw RunError(message.str());
      }

      std::vector<RigidPenaltyPair> &all;
      const std::vector<unsigned int> &numbers;
      std::vector<RigidStep> &steps;
      std::vector<unsigned int> bodies;
      std::map<unsigned int, unsigned int> place_of_body;
      dealii::Vector<double> residual, impulses;
      dealii::LAPACKFullMatrix<double> matrix;
    };
  } // namespace



  double
  RigidPenaltyPair::true_gap(const RigidMotion &slave_motion,
                             const RigidMotion &master_motion) const
  {
    const Tensor<1, 3> away = slave_motion.place_of(slave_point) -
                              master_motion.place_of(master_points[0]);
    switch (shape)
      {
        case Shape::sphere:
          return away.norm() - distance;
        case Shape::hollow_sphere:
          return distance - away.norm();
        default:
          {
            const Tensor<1, 3> across =
              cross_product_3d(master_points[1] - master_points[0],
                               master_points[2] - master_points[0]);
            return (master_motion.rotation() * across) * away / across.norm() -
                   distance;
          }
      }
  }



  void
  solve_rigid_penalty(std::vector<RigidPenaltyPair> &pairs,
                      std::vector<RigidStep> &steps)
  {
    for (RigidPenaltyPair &pair : pairs)
      {
        pair.end_gap = pair.gap;
        pair.force   = 0.;
      }
    for (const auto &numbers : rigid_islands(pairs, steps))
      Island(pairs, numbers, steps).solve();
  }
} // namespace Ricochet
