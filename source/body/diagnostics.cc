// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/diagnostics.h>

#include <deal.II/base/array_view.h>

#include <array>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** All members of BodySums as one row, to be added up over ranks. */
    constexpr unsigned int n_values = 1 + 3 * 3 + 7;

    void
    pack(const BodySums &sums, double *values)
    {
      *values++ = sums.mass;
      for (const auto *vector :
           {&sums.mass_moment, &sums.momentum, &sums.angular_momentum})
        for (unsigned int d = 0; d < 3; ++d)
          *values++ = (*vector)[d];
      *values++ = sums.kinetic_energy;
      *values++ = sums.internal_energy;
      *values++ = sums.plastic_loss;
      *values++ = sums.viscous_loss;
      *values++ = sums.acceleration_square;
      *values++ = sums.momentum_scale;
      *values++ = sums.angular_momentum_scale;
    }

    void
    unpack(const double *values, BodySums &sums)
    {
      sums.mass = *values++;
      for (auto *vector :
           {&sums.mass_moment, &sums.momentum, &sums.angular_momentum})
        for (unsigned int d = 0; d < 3; ++d)
          (*vector)[d] = *values++;
      sums.kinetic_energy         = *values++;
      sums.internal_energy        = *values++;
      sums.plastic_loss           = *values++;
      sums.viscous_loss           = *values++;
      sums.acceleration_square    = *values++;
      sums.momentum_scale         = *values++;
      sums.angular_momentum_scale = *values++;
    }

    void
    sum_over_ranks(std::vector<BodySums> &bodies, const MPI_Comm communicator)
    {
      std::vector<double> values(bodies.size() * n_values);
      for (unsigned int b = 0; b < bodies.size(); ++b)
        pack(bodies[b], &values[b * n_values]);
      dealii::Utilities::MPI::sum(values, communicator, values);
      for (unsigned int b = 0; b < bodies.size(); ++b)
        unpack(&values[b * n_values], bodies[b]);
    }



    template <int dim>
    Tensor<1, 3>
    embed(const double *values)
    {
      Tensor<1, 3> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = values[d];
      return result;
    }



    /** Call @p add(body, mass, x, v, M x, M v, a . f) for each node of this
     * rank. */
    template <int dim, typename Function>
    void
    for_each_node(const Solids<dim> &solids,
                  const State &state,
                  const ForestVectors &mass_moments,
                  const ForestVectors &momenta,
                  const Function &add)
    {
      for (unsigned int p = 0; p < solids.n_forests(); ++p)
        {
          const auto &bodies = solids.forest(p).get_node_bodies();
          const unsigned int n_owned =
            solids.forest(p).get_cells().n_owned_nodes;
          for (unsigned int n = 0; n < n_owned; ++n)
            {
              const auto at = [&](const auto &vector) {
                return embed<dim>(vector.begin() + n * dim);
              };
              add(bodies[n],
                  solids.mass(p).local_element(n * dim),
                  at(state.positions[p]),
                  at(state.velocities[p]),
                  at(mass_moments[p]),
                  at(momenta[p]),
                  at(state.accelerations[p]) * (at(state.external_forces[p]) -
                                                at(state.internal_forces[p])));
            }
        }
    }
  } // namespace



  BodySums &
  BodySums::operator+=(const BodySums &other)
  {
    std::array<double, n_values> mine, others;
    pack(*this, mine.data());
    pack(other, others.data());
    for (unsigned int i = 0; i < n_values; ++i)
      mine[i] += others[i];
    unpack(mine.data(), *this);
    return *this;
  }



  template <int dim>
  std::vector<BodySums>
  sum_bodies(const Solids<dim> &solids,
             const State &state,
             const bool with_scales)
  {
    ForestVectors mass_moments, momenta;
    solids.momenta(state.positions, mass_moments);
    solids.momenta(state.velocities, momenta);
    std::vector<BodySums> bodies(solids.n_bodies());
    for_each_node(solids,
                  state,
                  mass_moments,
                  momenta,
                  [&](const unsigned int body,
                      const double mass,
                      const Tensor<1, 3> &x,
                      const Tensor<1, 3> &v,
                      const Tensor<1, 3> &mass_moment,
                      const Tensor<1, 3> &momentum,
                      const double acceleration_times_force) {
                    BodySums &sums = bodies[body];
                    sums.mass += mass;
                    sums.mass_moment += mass_moment;
                    sums.momentum += momentum;
                    sums.angular_momentum += moment(x, momentum);
                    sums.kinetic_energy += 0.5 * (v * momentum);
                    sums.acceleration_square += acceleration_times_force;
                  });
    for (unsigned int b = 0; b < bodies.size(); ++b)
      {
        bodies[b].internal_energy = state.energies.strain[b];
        bodies[b].plastic_loss    = state.energies.plastic[b];
        bodies[b].viscous_loss    = state.energies.viscous[b];
      }
    // Of rigid bodies every rank knows all.
    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) == 0;
    const unsigned int first_rigid = solids.n_deformable_bodies();
    for (unsigned int k = 0; k < state.rigid_motions.size() && is_first; ++k)
      {
        const RigidMotion &motion = state.rigid_motions[k];
        BodySums &sums            = bodies[first_rigid + k];
        sums.mass                 = motion.mass.mass;
        sums.mass_moment = motion.mass.mass * Tensor<1, 3>(motion.centre);
        sums.momentum    = motion.momentum();
        sums.angular_momentum =
          moment(Tensor<1, 3>(motion.centre), sums.momentum) + motion.spin();
        sums.kinetic_energy = motion.kinetic_energy();
        // A body at rest has half a step of its acceleration at the end of each
        // step: contact answers at the start of the next one.
        const RigidForce force   = solids.rigid_force(k, state);
        sums.acceleration_square = force.force.norm_square() / motion.mass.mass;
        if (solids.rigid_bodies()[k].is_region())
          sums.acceleration_square +=
            force.moment * (motion.inverse_inertia() * force.moment);
      }
    sum_over_ranks(bodies, solids.get_communicator());
    if (!with_scales)
      return bodies;

    BodySums all;
    for (const BodySums &sums : bodies)
      all += sums;
    std::vector<BodySums> scales(solids.n_bodies());
    for_each_node(solids,
                  state,
                  mass_moments,
                  momenta,
                  [&, centre = all.centre()](const unsigned int body,
                                             const double mass,
                                             const Tensor<1, 3> &x,
                                             const Tensor<1, 3> &v,
                                             const Tensor<1, 3> &,
                                             const Tensor<1, 3> &,
                                             const double) {
                    scales[body].momentum_scale += mass * v.norm();
                    scales[body].angular_momentum_scale +=
                      mass * (x - centre).norm() * v.norm();
                  });
    for (unsigned int k = 0; k < state.rigid_motions.size() && is_first; ++k)
      {
        const RigidMotion &motion              = state.rigid_motions[k];
        scales[first_rigid + k].momentum_scale = motion.momentum().norm();
        scales[first_rigid + k].angular_momentum_scale =
          (Tensor<1, 3>(motion.centre) - all.centre()).norm() *
            motion.momentum().norm() +
          motion.spin().norm();
      }
    sum_over_ranks(scales, solids.get_communicator());
    for (unsigned int b = 0; b < bodies.size(); ++b)
      bodies[b] += scales[b];
    return bodies;
  }



  template std::vector<BodySums>
  sum_bodies(const Solids<2> &, const State &, const bool);
  template std::vector<BodySums>
  sum_bodies(const Solids<3> &, const State &, const bool);
} // namespace Ricochet
