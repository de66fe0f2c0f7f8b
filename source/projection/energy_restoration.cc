// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/node_groups.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/projection/energy_restoration.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace Ricochet
{
  using dealii::Tensor;

  double
  energy_root(const double A, const double b, const double c)
  {
    if (!(A > 0.))
      return 0.;
    if (c == 0.)
      return std::max(0., -b / A);
    const double discriminant = b * b - 4. * A * c;
    if (discriminant < 0.)
      return std::max(0., -b / (2. * A));
    // Without cancellation.
    const double q =
      -0.5 * (b + std::copysign(std::sqrt(discriminant), b == 0. ? 1. : b));
    const double roots[2] = {q / A, c / q};
    if (c < 0.)
      return std::max(roots[0], roots[1]);
    return std::abs(roots[0]) < std::abs(roots[1]) ? roots[0] : roots[1];
  }



  template <int dim>
  void
  restore_energy(const std::vector<GapConstraint<dim>> &contacts,
                 const std::vector<double> &work,
                 ContactState<dim> &state)
  {
    NodeGroups groups(state.end_positions.size());
    std::vector<Tensor<1, dim>> changes(state.end_positions.size()); // M^-1 F
    for (const GapConstraint<dim> &c : contacts)
      {
        groups.join(c.collision.nodes);
        state.inverse_mass.apply(c.collision,
                                 c.multiplier * c.collision.normal,
                                 changes);
      }

    struct Quadratic
    {
      double A = 0., b = 0., c = 0.;
    };
    std::map<unsigned int, Quadratic> of_group;
    for (unsigned int k = 0; k < contacts.size(); ++k)
      {
        const Collision<dim> &collision = contacts[k].collision;
        const Tensor<1, dim> force = contacts[k].multiplier * collision.normal;
        Quadratic &group = of_group[groups.group_of(collision.nodes.front())];
        group.A += 0.5 * (force * collision.weighted_sum(changes));
        group.b += force * collision.weighted_sum(state.velocities);
        group.c += work[k];
      }
    for (const GapConstraint<dim> &contact : contacts)
      {
        const Quadratic &group =
          of_group[groups.group_of(contact.collision.nodes.front())];
        push_along(contact.collision,
                   energy_root(group.A, group.b, group.c) * contact.multiplier,
                   ImpulseTime::end,
                   state);
      }
  }



  template void
  restore_energy(const std::vector<GapConstraint<2>> &,
                 const std::vector<double> &,
                 ContactState<2> &);
  template void
  restore_energy(const std::vector<GapConstraint<3>> &,
                 const std::vector<double> &,
                 ContactState<3> &);
} // namespace Ricochet
