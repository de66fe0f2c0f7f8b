// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/unanswered_energy.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Tensor;

  template <int dim>
  std::vector<double>
  unanswered_energy(const ContactState<dim> &state,
                    const PassSettings &settings,
                    std::vector<Tensor<1, dim>> velocities,
                    const std::vector<Tensor<1, dim>> &accelerations,
                    const unsigned int n_bodies)
  {
    std::vector<double> energies(n_bodies, 0.);
    for (const Collision<dim> &collision : state.handled)
      {
        if (settings.restitution.of(collision.bodies) == 1.)
          continue;
        const Tensor<1, dim> n = collision.normal;
        const double change =
          std::min(-(n * collision.weighted_sum(velocities)),
                   -0.5 * state.dt *
                     (n * collision.weighted_sum(accelerations)));
        const double C_nn =
          product(n, state.inverse_mass.effective(collision), n);
        if (!(change > 0. && C_nn > 0.))
          continue;
        const double impulse = change / C_nn;
        for (unsigned int side = 0; side < 2; ++side)
          {
            const auto part = side_of(collision, side);
            energies[collision.bodies[side]] -=
              impulse * (n * part.weighted_sum(velocities) +
                         0.5 * impulse *
                           product(n, state.inverse_mass.effective(part), n));
          }
        state.inverse_mass.apply(collision, impulse * n, velocities);
      }
    return energies;
  }



#define RICOCHET_INSTANTIATE(dim)                 \
  template std::vector<double> unanswered_energy( \
    const ContactState<dim> &,                    \
    const PassSettings &,                         \
    std::vector<Tensor<1, dim>>,                  \
    const std::vector<Tensor<1, dim>> &,          \
    const unsigned int);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
