// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/projection/quadratic_program.h>
#include <ricochet/response/rigid_impacts.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "rigid_islands.h"

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::FullMatrix;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    constexpr unsigned int most_iterations = 100;

    /** Directions with less than this part of the largest mobility have none.
     */
    constexpr double rank_tolerance = 1e-13;

    /** Changes of impulses that end the iteration, and that do so if they do
     * not get smaller any more; relative to the largest impulse. */
    constexpr double round_off = 1e-15, nearly = 1e-11;



    /** Contacts that depend on each other. */
    class Island
    {
    public:
      Island(const std::vector<RigidContact> &all,
             const std::vector<unsigned int> &numbers,
             std::vector<RigidStep> &steps)
        : all(all)
        , numbers(numbers)
        , steps(steps)
        , P(numbers.size(), 0.)
        , c(numbers.size())
        , W(numbers.size(), numbers.size())
      {
        for (const unsigned int number : numbers)
          {
            bodies.push_back(all[number].slave);
            bodies.push_back(all[number].master);
          }
        std::sort(bodies.begin(), bodies.end());
        bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
      }

      /** Find the impulses. */
      void
      solve()
      {
        double last = 0.;
        for (unsigned int n = 0; n < most_iterations; ++n)
          {
            linearize();
            const std::vector<double> old = P;
            solve_linearized();
            double change = 0., largest = 0.;
            for (unsigned int j = 0; j < P.size(); ++j)
              {
                change  = std::max(change, std::abs(P[j] - old[j]));
                largest = std::max(largest, P[j]);
              }
            apply();
            if (change <= round_off * largest ||
                (change <= nearly * largest && change >= last))
              return;
            last = change;
          }
        fail("the impulses between rigid bodies were not found");
      }

      const std::vector<double> &
      impulses() const
      {
        return P;
      }

    private:
      const RigidContact &
      contact(const unsigned int j) const
      {
        return all[numbers[j]];
      }

      /** With the present impulses. */
      void
      apply()
      {
        for (const unsigned int body : bodies)
          {
            Tensor<1, 3> impulse, angular_impulse;
            for (unsigned int j = 0; j < P.size(); ++j)
              for (const bool is_slave : {true, false})
                if ((is_slave ? contact(j).slave : contact(j).master) == body)
                  {
                    const Tensor<1, 3> part =
                      (is_slave ? P[j] : -P[j]) * contact(j).normal;
                    impulse += part;
                    angular_impulse +=
                      cross_product_3d(is_slave ? contact(j).slave_arm
                                                : contact(j).master_arm,
                                       part);
                  }
            steps[body].solve(impulse, angular_impulse);
          }
      }

      /** The opening velocities, and their derivatives by the impulses. */
      void
      linearize()
      {
        W = 0.;
        for (unsigned int j = 0; j < P.size(); ++j)
          {
            c[j] = contact(j).opening(steps);
            for (unsigned int k = 0; k < P.size(); ++k)
              for (const bool j_is_slave : {true, false})
                for (const bool k_is_slave : {true, false})
                  W(j, k) += mobility(j, j_is_slave, k, k_is_slave);
          }
      }

      /** How a body of contact @p j moves by its part in contact @p k. */
      double
      mobility(const unsigned int j,
               const bool j_is_slave,
               const unsigned int k,
               const bool k_is_slave) const
      {
        const RigidContact &to = contact(j), &by = contact(k);
        const unsigned int body = j_is_slave ? to.slave : to.master;
        if (body != (k_is_slave ? by.slave : by.master))
          return 0.;
        const RigidStep &step = steps[body];
        double sum            = 0.;
        for (unsigned int d = 0; d < 3; ++d)
          sum += step.mobility(d) * to.normal[d] * by.normal[d];
        sum += cross_product_3d(j_is_slave ? to.slave_arm : to.master_arm,
                                to.normal) *
               (step.rotational_mobility() *
                cross_product_3d(k_is_slave ? by.slave_arm : by.master_arm,
                                 by.normal));
        return j_is_slave == k_is_slave ? sum : -sum;
      }

      /** P >= 0, c + W (P' - P) >= 0, P' . (...) = 0. */
      void
      solve_linearized()
      {
        const unsigned int n = P.size();
        FullMatrix<double> S(n, n);
        std::vector<double> b(n), program = P;
        for (unsigned int j = 0; j < n; ++j)
          {
            b[j] = -c[j];
            for (unsigned int k = 0; k < n; ++k)
              {
                S(j, k) = 0.5 * (W(j, k) + W(k, j));
                b[j] += S(j, k) * P[k];
              }
          }
        double fastest = 0.;
        for (const unsigned int body : bodies)
          fastest = std::max(fastest,
                             steps[body].start().velocity.norm() +
                               steps[body].end().velocity.norm());
        if (!solve_quadratic_program(S, b, program, 1e-12 * fastest)
               .is_solved())
          fail("rigid bodies are squeezed");
        P = newton(program);
      }

      /** The same with all of W, for those in touch in @p program and none of
       * them pulling; the program itself as long as others close then. */
      std::vector<double>
      newton(const std::vector<double> &program) const
      {
        std::vector<unsigned int> active;
        for (unsigned int j = 0; j < program.size(); ++j)
          if (program[j] > 0.)
            active.push_back(j);
        std::vector<double> result(P.size(), 0.);
        while (!active.empty())
          {
            const auto values = solve_active(active);
            const auto lowest = std::min_element(values.begin(), values.end());
            if (*lowest >= 0.)
              {
                for (unsigned int i = 0; i < active.size(); ++i)
                  result[active[i]] = values[i];
                break;
              }
            active.erase(active.begin() + (lowest - values.begin()));
          }
        for (unsigned int j = 0; j < P.size(); ++j)
          {
            double opening = c[j], size = std::abs(c[j]);
            for (unsigned int k = 0; k < P.size(); ++k)
              {
                opening += W(j, k) * (result[k] - P[k]);
                size += std::abs(W(j, k) * P[k]);
              }
            if (opening < -1e-12 * size)
              return program;
          }
        return result;
      }

      /** Impulses of these contacts that stop them, without those of others. */
      std::vector<double>
      solve_active(const std::vector<unsigned int> &active) const
      {
        const unsigned int n = active.size();
        dealii::LAPACKFullMatrix<double> matrix(n, n);
        dealii::Vector<double> target(n), solution(n);
        for (unsigned int i = 0; i < n; ++i)
          {
            target[i] = -c[active[i]];
            for (unsigned int k = 0; k < P.size(); ++k)
              target[i] += W(active[i], k) * P[k];
            for (unsigned int k = 0; k < n; ++k)
              matrix(i, k) = W(active[i], active[k]);
          }
        matrix.compute_inverse_svd(rank_tolerance);
        matrix.vmult(solution, target);
        return std::vector<double>(solution.begin(), solution.end());
      }

      [[noreturn]] void
      fail(const std::string &what) const
      {
        std::ostringstream message;
        message << "Contact: " << what << ", near ("
                << steps[bodies[0]].start().centre << ") in a step of length "
                << steps[bodies[0]].length()
                << ". Leave them room, or choose a smaller 'Time step'.";
        throw RunError(message.str());
      }

      const std::vector<RigidContact> &all;
      const std::vector<unsigned int> &numbers;
      std::vector<RigidStep> &steps;
      std::vector<unsigned int> bodies;
      std::vector<double> P, c;
      FullMatrix<double> W;
    };
  } // namespace



  RigidContact::RigidContact(const std::vector<RigidStep> &steps,
                             const unsigned int slave,
                             const unsigned int master,
                             const Tensor<1, 3> &normal,
                             const Point<3> &slave_point,
                             const Point<3> &master_point)
    : slave(slave)
    , master(master)
    , normal(normal)
  {
    const auto middle = [&](const unsigned int body) {
      return 0.5 * Tensor<1, 3>(steps[body].start().centre +
                                Tensor<1, 3>(steps[body].end().centre));
    };
    const auto in_middle = [&](const unsigned int body, const Point<3> &point) {
      return middle(body) + (point - steps[body].end().centre);
    };
    place =
      0.5 * (in_middle(slave, slave_point) + in_middle(master, master_point));
    slave_arm  = place - middle(slave);
    master_arm = place - middle(master);
  }



  double
  RigidContact::opening(const std::vector<RigidStep> &steps) const
  {
    return normal * (steps[slave].mean_velocity_at(slave_arm) -
                     steps[master].mean_velocity_at(master_arm));
  }



  std::vector<double>
  solve_rigid_impacts(const std::vector<RigidContact> &contacts,
                      std::vector<RigidStep> &steps)
  {
    std::vector<double> impulses(contacts.size(), 0.);
    for (const auto &numbers : rigid_islands(contacts, steps))
      {
        Island island(contacts, numbers, steps);
        island.solve();
        for (unsigned int j = 0; j < numbers.size(); ++j)
          impulses[numbers[j]] = island.impulses()[j];
      }
    return impulses;
  }
} // namespace Ricochet
