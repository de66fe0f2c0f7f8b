// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/moment.h>
#include <ricochet/impulse/rigid_group.h>

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



    /** What an impulse on one node alone acts on. */
    template <int dim>
    Collision<dim>
    single_node(const unsigned int node)
    {
      Collision<dim> result;
      result.nodes.push_back(node);
      result.weights.push_back(1.);
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



    /**
     * The mass of a group of nodes: which impulses on them change their
     * velocities as wanted. Coupled nodes follow each other; then this is the
     * inverse of the group's part of the inverse mass, whose components must be
     * independent.
     */
    template <int dim>
    class GroupMass
    {
    public:
      GroupMass(const std::vector<unsigned int> &nodes,
                const InverseMass<dim> &inverse_mass,
                const unsigned int n_surface_nodes)
        : is_coupled(std::any_of(nodes.begin(),
                                 nodes.end(),
                                 [&](const unsigned int node) {
                                   return inverse_mass.set_of(node) != nullptr;
                                 }))
      {
        for (const unsigned int node : nodes)
          inverse.push_back(inverse_mass.of_node(node));
        if (is_coupled)
          for (unsigned int d = 0; d < dim; ++d)
            factorize(d, nodes, inverse_mass, n_surface_nodes);
      }

      /** Whether a component of node number @p i of the group is prescribed. */
      bool
      is_held(const unsigned int i, const unsigned int d) const
      {
        return !(inverse[i][d][d] > 0.);
      }

      /** Turn component @p d of velocities, one node of the group per row,
       * into momenta; rows of prescribed ones into zero. */
      void
      multiply(const unsigned int d, FullMatrix<double> &values) const
      {
        for (unsigned int i = 0; i < values.m(); ++i)
          for (unsigned int k = 0; k < values.n(); ++k)
            values(i, k) *=
              is_held(i, d) ? 0. : (is_coupled ? 1. : 1. / inverse[i][d][d]);
        if (!is_coupled || free[d].empty())
          return;
        Vector<double> column(free[d].size());
        for (unsigned int k = 0; k < values.n(); ++k)
          {
            for (unsigned int r = 0; r < column.size(); ++r)
              column[r] = values(free[d][r], k);
            factors[d].solve(column);
            for (unsigned int r = 0; r < column.size(); ++r)
              values(free[d][r], k) = column[r];
          }
      }

    private:
      void
      factorize(const unsigned int d,
                const std::vector<unsigned int> &nodes,
                const InverseMass<dim> &inverse_mass,
                const unsigned int n_surface_nodes)
      {
        for (unsigned int i = 0; i < nodes.size(); ++i)
          if (!is_held(i, d))
            free[d].push_back(i);
        factors[d].reinit(free[d].size());
        Tensor<1, dim> unit;
        unit[d] = 1.;
        for (unsigned int c = 0; c < free[d].size(); ++c)
          {
            std::vector<Tensor<1, dim>> column(n_surface_nodes);
            inverse_mass.apply(single_node<dim>(nodes[free[d][c]]),
                               unit,
                               column);
            for (unsigned int r = 0; r < free[d].size(); ++r)
              factors[d](r, c) = column[nodes[free[d][r]]][d];
          }
        if (!free[d].empty())
          factors[d].compute_lu_factorization();
      }

      const bool is_coupled;
      std::vector<Tensor<2, dim>> inverse; // of each node with itself

      /** Of coupled nodes, for each component: free ones, and the
       * inverse mass between them. */
      std::array<std::vector<unsigned int>, dim> free;
      std::array<dealii::LAPACKFullMatrix<double>, dim> factors;
    };



    template <int dim>
    class Fit
    {
    public:
      Fit(const std::vector<unsigned int> &nodes,
          const ContactState<dim> &state)
        : mass(nodes, state.inverse_mass, state.start_positions.size())
        , nodes(nodes)
        , state(state)
        , rigid(nodes, state.start_positions)
        , inertia(n, n)
        , held(n, n)
        , momentum(n)
        , held_velocity(n)
        , motion(n)
      {
        for (unsigned int d = 0; d < dim; ++d)
          add(d);
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
        // Where everything is prescribed, only round-off is left.
        if (free_inertia.linfty_norm() > rank_tolerance * inertia.linfty_norm())
          pseudo_inverse(free_inertia).vmult_add(motion, projected);

        double largest = 0., error = 0.;
        for (unsigned int i = 0; i < nodes.size(); ++i)
          for (unsigned int d = 0; d < dim; ++d)
            if (mass.is_held(i, d))
              {
                const double v = prescribed_velocity(nodes[i], d);
                error   = std::max(error, std::abs(velocity(nodes[i], d) - v));
                largest = std::max(largest, std::abs(v));
              }
            else
              largest =
                std::max(largest, std::abs(state.velocities[nodes[i]][d]));
        return error <= rigidity_tolerance * largest;
      }

      double
      velocity(const unsigned int node, const unsigned int d) const
      {
        const auto row = rigid.row(d, state.start_positions[node]);
        double sum     = 0.;
        for (unsigned int k = 0; k < n; ++k)
          sum += row[k] * motion[k];
        return sum;
      }

      const GroupMass<dim> mass;

    private:
      static constexpr unsigned int n = RigidVelocity<dim>::n_unknowns;

      double
      prescribed_velocity(const unsigned int node, const unsigned int d) const
      {
        return (state.end_positions[node][d] - state.start_positions[node][d]) /
               state.dt;
      }

      /** Add component @p d of all nodes. */
      void
      add(const unsigned int d)
      {
        // Momenta are those of the present positions.
        FullMatrix<double> momenta(nodes.size(), n),
          momenta_now(nodes.size(), n);
        for (unsigned int i = 0; i < nodes.size(); ++i)
          {
            const auto row     = rigid.row(d, state.start_positions[nodes[i]]);
            const auto row_now = rigid.row(d, state.end_positions[nodes[i]]);
            std::copy(row.begin(), row.end(), &momenta(i, 0));
            std::copy(row_now.begin(), row_now.end(), &momenta_now(i, 0));
          }
        mass.multiply(d, momenta);
        mass.multiply(d, momenta_now);

        for (unsigned int i = 0; i < nodes.size(); ++i)
          {
            const auto row = rigid.row(d, state.start_positions[nodes[i]]);
            const bool is_prescribed = mass.is_held(i, d);
            const double v = is_prescribed ? prescribed_velocity(nodes[i], d)
                                           : state.velocities[nodes[i]][d];
            for (unsigned int k = 0; k < n; ++k)
              {
                (is_prescribed ? held_velocity : momentum)[k] +=
                  (is_prescribed ? row[k] : momenta_now(i, k)) * v;
                for (unsigned int l = 0; l < n; ++l)
                  (is_prescribed ? held : inertia)(k, l) +=
                    (is_prescribed ? row[k] : momenta(i, k)) * row[l];
              }
          }
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
    angular_momentum(const Tensor<1, dim> &x,
                     const unsigned int d,
                     const double p)
    {
      Tensor<1, dim> momentum;
      momentum[d] = p;
      return moment(x, momentum);
    }



    /** What it takes to let the nodes move as fitted: impulses, and those on
     * the positions. */
    template <int dim>
    void
    find_impulses(const Fit<dim> &fit,
                  const std::vector<unsigned int> &nodes,
                  const ContactState<dim> &state,
                  std::vector<Tensor<1, dim>> &impulses,
                  std::vector<Tensor<1, dim>> &position_impulses)
    {
      FullMatrix<double> changes(nodes.size(), 2);
      for (unsigned int d = 0; d < dim; ++d)
        {
          for (unsigned int i = 0; i < nodes.size(); ++i)
            {
              const unsigned int node = nodes[i];
              const double v          = fit.velocity(node, d);
              changes(i, 0)           = v - state.velocities[node][d];
              changes(i, 1) = state.start_positions[node][d] + state.dt * v -
                              state.end_positions[node][d];
            }
          fit.mass.multiply(d, changes);
          for (unsigned int i = 0; i < nodes.size(); ++i)
            {
              impulses[i][d]          = changes(i, 0);
              position_impulses[i][d] = changes(i, 1);
            }
        }
    }
  } // namespace



  template <int dim>
  bool
  move_rigidly(const std::vector<unsigned int> &nodes, ContactState<dim> &state)
  {
    const bool has_independent_components =
      std::all_of(nodes.begin(), nodes.end(), [&](const unsigned int node) {
        const auto *const set = state.inverse_mass.set_of(node);
        return set == nullptr || set->has_diagonal_blocks();
      });
    if (!has_independent_components)
      return false;
    Fit<dim> fit(nodes, state);
    if (!fit.solve())
      return false;
    std::vector<Tensor<1, dim>> impulses(nodes.size()),
      position_impulses(nodes.size());
    find_impulses(fit, nodes, state, impulses, position_impulses);

    Tensor<1, 3> change;
    Tensor<1, dim> impulse;
    std::vector<unsigned int> obstacle_nodes;
    bool has_supports = false;
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const unsigned int node = nodes[i];
        for (unsigned int d = 0; d < dim; ++d)
          {
            if (fit.mass.is_held(i, d))
              {
                has_supports = true;
                continue;
              }
            const double v = fit.velocity(node, d);
            state.record.restitution_loss -=
              0.5 * impulses[i][d] * (state.velocities[node][d] + v);
            change += angular_momentum<dim>(state.end_positions[node],
                                            d,
                                            impulses[i][d]);
            change += angular_momentum<dim>(position_impulses[i], d, v);
            impulse[d] += impulses[i][d];
          }
        state.impulses[node] += impulses[i];
        state.position_impulses[node] += position_impulses[i];
        state.status[node] = ContactStatus::stick;
        state.touched_nodes.push_back(node);
        if (!state.inverse_mass.is_of_body(node))
          obstacle_nodes.push_back(node);
      }
    // What the group loses an obstacle gets, in equal shares.
    for (const unsigned int node : obstacle_nodes)
      {
        const Tensor<1, dim> share = impulse / (-1. * obstacle_nodes.size());
        state.impulses[node] += share;
        state.record.restitution_loss -= share * state.velocities[node];
        change += moment(state.end_positions[node], share);
      }
    // Without supports it is round-off.
    if (has_supports)
      state.record.angular_momentum_change += change;

    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const auto collision = single_node<dim>(nodes[i]);
        state.inverse_mass.apply(collision, impulses[i], state.velocities);
        state.inverse_mass.apply(collision,
                                 position_impulses[i],
                                 state.end_positions);
      }
    // The same but for round-off, at the nodes themselves.
    for (unsigned int i = 0; i < nodes.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        if (!fit.mass.is_held(i, d))
          {
            const unsigned int node      = nodes[i];
            state.velocities[node][d]    = fit.velocity(node, d);
            state.end_positions[node][d] = state.start_positions[node][d] +
                                           state.dt * state.velocities[node][d];
          }
    return true;
  }



  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<2> &);
  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<3> &);
} // namespace Ricochet
