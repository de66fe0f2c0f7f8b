// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/rigid_group.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Point;
  using dealii::Tensor;
  using dealii::Vector;

  namespace
  {
    /** Directions with less than this part of the largest inertia have none. */
    constexpr double rank_tolerance = 1e-10;

    /** How far prescribed velocities may be from rigid ones, relative to the
     * largest velocity. */
    constexpr double rigidity_tolerance = 1e-9;



    /** The inverse of a symmetric matrix on its range. */
    FullMatrix<double>
    pseudo_inverse(const FullMatrix<double> &matrix)
    {
      FullMatrix<double> result(matrix.m(), matrix.n());
      if (matrix.linfty_norm() > 0.)
        {
          dealii::LAPACKFullMatrix<double> svd(matrix.m(), matrix.n());
          svd = matrix;
          svd.compute_inverse_svd(rank_tolerance);
          Vector<double> unit(matrix.m()), column(matrix.m());
          for (unsigned int j = 0; j < matrix.n(); ++j)
            {
              unit    = 0.;
              unit[j] = 1.;
              svd.vmult(column, unit);
              for (unsigned int i = 0; i < matrix.m(); ++i)
                result(i, j) = column[i];
            }
        }
      return result;
    }



    /** The rigid velocities of a group as linear functions of dim velocities
     * and the spins, in units of a velocity at the distance @p radius. */
    template <int dim>
    class RigidVelocity
    {
    public:
      static constexpr unsigned int n_unknowns = dim == 2 ? 3 : 6;

      RigidVelocity(const std::vector<unsigned int> &nodes,
                    const std::vector<Point<dim>> &positions)
      {
        for (const unsigned int node : nodes)
          centre += Tensor<1, dim>(positions[node]) / double(nodes.size());
        for (const unsigned int node : nodes)
          radius = std::max(radius, centre.distance(positions[node]));
        if (!(radius > 0.))
          radius = 1.;
      }

      /** The derivatives of component @p d of the velocity at @p x. */
      std::array<double, n_unknowns>
      row(const unsigned int d, const Point<dim> &x) const
      {
        std::array<double, n_unknowns> result{};
        result[d]              = 1.;
        const Tensor<1, dim> r = (x - centre) / radius;
        if (dim == 2)
          result[dim] = d == 0 ? -r[1] : r[0];
        else
          {
            result[dim + (d + 1) % 3] = r[(d + 2) % 3];
            result[dim + (d + 2) % 3] = -r[(d + 1) % 3];
          }
        return result;
      }

    private:
      Point<dim> centre;
      double radius = 0.;
    };



    template <int dim>
    class Fit
    {
    public:
      Fit(const std::vector<unsigned int> &nodes,
          const ContactState<dim> &state)
        : nodes(nodes)
        , state(state)
        , rigid(nodes, state.begin)
        , inertia(n, n)
        , held(n, n)
        , momentum(n)
        , held_velocity(n)
        , motion(n)
      {
        for (const unsigned int node : nodes)
          for (unsigned int d = 0; d < dim; ++d)
            add(node, d);
      }

      /** Find the motion; false if prescribed components contradict it. */
      bool
      solve()
      {
        // Prescribed components first, momenta with what freedom is left.
        const FullMatrix<double> held_inverse = pseudo_inverse(held);
        held_inverse.vmult(motion, held_velocity);
        FullMatrix<double> freedom{dealii::IdentityMatrix(n)}, part(n, n);
        held_inverse.mmult(part, held);
        freedom.add(-1., part);

        Vector<double> missing(n), projected(n);
        inertia.vmult(missing, motion);
        missing.sadd(-1., momentum);
        freedom.Tvmult(projected, missing);
        FullMatrix<double> free_inertia(n, n);
        free_inertia.triple_product(inertia, freedom, freedom, true, false);
        pseudo_inverse(free_inertia).vmult_add(motion, projected);

        double largest = 0., error = 0.;
        for (const unsigned int node : nodes)
          for (unsigned int d = 0; d < dim; ++d)
            if (is_held(node, d))
              {
                const double v = prescribed_velocity(node, d);
                error   = std::max(error, std::abs(velocity(node, d) - v));
                largest = std::max(largest, std::abs(v));
              }
            else
              largest = std::max(largest, std::abs(state.velocities[node][d]));
        return error <= rigidity_tolerance * largest;
      }

      bool
      is_held(const unsigned int node, const unsigned int d) const
      {
        return !(state.inverse_mass.of_node(node)[d] > 0.);
      }

      double
      velocity(const unsigned int node, const unsigned int d) const
      {
        const auto row = rigid.row(d, state.begin[node]);
        double sum     = 0.;
        for (unsigned int k = 0; k < n; ++k)
          sum += row[k] * motion[k];
        return sum;
      }

    private:
      static constexpr unsigned int n = RigidVelocity<dim>::n_unknowns;

      double
      prescribed_velocity(const unsigned int node, const unsigned int d) const
      {
        return (state.end[node][d] - state.begin[node][d]) / state.dt;
      }

      void
      add(const unsigned int node, const unsigned int d)
      {
        const auto row           = rigid.row(d, state.begin[node]);
        const bool is_prescribed = is_held(node, d);
        const double weight =
          is_prescribed ? 1. : 1. / state.inverse_mass.of_node(node)[d];
        FullMatrix<double> &matrix = is_prescribed ? held : inertia;
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            matrix(i, j) += weight * row[i] * row[j];

        // Momenta are those of the present positions.
        const auto row_now =
          is_prescribed ? row : rigid.row(d, state.end[node]);
        Vector<double> &sum = is_prescribed ? held_velocity : momentum;
        const double v      = is_prescribed ? prescribed_velocity(node, d)
                                            : state.velocities[node][d];
        for (unsigned int i = 0; i < n; ++i)
          sum[i] += weight * row_now[i] * v;
      }

      const std::vector<unsigned int> &nodes;
      const ContactState<dim> &state;
      const RigidVelocity<dim> rigid;

      // Of the free and of the prescribed components.
      FullMatrix<double> inertia, held;
      Vector<double> momentum, held_velocity, motion;
    };



    /** Angular momentum of one component of a mass point. */
    template <int dim>
    Tensor<1, 3>
    angular_momentum(const Point<dim> &x, const unsigned int d, const double p)
    {
      Tensor<1, 3> arm, momentum;
      for (unsigned int k = 0; k < dim; ++k)
        arm[k] = x[k];
      momentum[d] = p;
      return dealii::cross_product_3d(arm, momentum);
    }
  } // namespace



  template <int dim>
  bool
  move_rigidly(const std::vector<unsigned int> &nodes, ContactState<dim> &state)
  {
    if (state.inverse_mass.is_consistent())
      return false;
    Fit<dim> fit(nodes, state);
    if (!fit.solve())
      return false;

    Tensor<1, 3> change;
    bool has_supports = false;
    for (const unsigned int node : nodes)
      {
        for (unsigned int d = 0; d < dim; ++d)
          {
            if (fit.is_held(node, d))
              {
                has_supports = true;
                continue;
              }
            const double mass = 1. / state.inverse_mass.of_node(node)[d];
            const double v    = fit.velocity(node, d);
            const double x    = state.begin[node][d] + state.dt * v;
            double &v_now     = state.velocities[node][d];
            change -= angular_momentum(state.end[node], d, mass * v_now);
            state.record.restitution_loss +=
              0.5 * mass * (v_now - v) * (v_now + v);
            state.impulses[node][d] += mass * (v - v_now);
            state.position_impulses[node][d] += mass * (x - state.end[node][d]);
            v_now = v;
          }
        for (unsigned int d = 0; d < dim; ++d)
          if (!fit.is_held(node, d))
            state.end[node][d] =
              state.begin[node][d] + state.dt * state.velocities[node][d];
        for (unsigned int d = 0; d < dim; ++d)
          if (!fit.is_held(node, d))
            change += angular_momentum(state.end[node],
                                       d,
                                       state.velocities[node][d] /
                                         state.inverse_mass.of_node(node)[d]);
        state.status[node] = ContactStatus::stick;
        state.touched_nodes.push_back(node);
      }
    // Without supports it is round-off.
    if (has_supports)
      state.record.angular_momentum_change += change;
    return true;
  }



  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<2> &);
  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<3> &);
} // namespace Ricochet
