// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/body/solids.h>

// Prescribed motion: where it is, and what it does to positions, velocities
// and inertia.

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  Solids<dim>::find_supports(Part &part)
  {
    const unsigned int n_owned = part.forest->get_cells().n_owned_nodes;
    for (const unsigned int b : part.forest->get_bodies())
      for (unsigned int m = 0; m < bodies[b].prescribed_motions.size(); ++m)
        {
          const PrescribedMotion<dim> &motion = bodies[b].prescribed_motions[m];
          for (const unsigned int node :
               part.forest->nodes_on_boundary(b, motion.boundary_ids()))
            for (unsigned int d = 0; d < dim; ++d)
              {
                if (motion.components[d] &&
                    part.forest->get_node_regions()[node] != 0)
                  throw UserError(
                    "Body '" + bodies[b].name + "', prescribed motion '" +
                    motion.name +
                    "': its boundary has nodes of a rigid region ('Rigid "
                    "material ids'), which move with that. Choose a boundary "
                    "away from the region.");
                const unsigned int dof = dim * node + d;
                // Where two motions meet, the first one counts; hanging nodes
                // have no inverse mass either.
                if (node >= n_owned || !motion.components[d] ||
                    part.inverse_mass.local_element(dof) == 0.)
                  continue;
                part.supports.push_back({dof, d, m, b});
                part.inverse_mass.local_element(dof) = 0.;
              }
        }
    any_supports = any_supports || !part.supports.empty();
  }



  template <int dim>
  template <typename Function>
  void
  Solids<dim>::for_each_support(const Function &set) const
  {
    if (!any_supports)
      return;
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        for (const Support &support : parts[p].supports)
          set(p,
              support,
              bodies[support.body].prescribed_motions[support.motion],
              parts[p].forest->get_cells().reference_positions[support.dof /
                                                               dim]);
    });
  }



  template <int dim>
  void
  Solids<dim>::subtract_inertia_of_supports(const double time,
                                            const double dt,
                                            ForestVectors &forces) const
  {
    ForestVectors accelerations(parts.size()), inertia;
    for (unsigned int p = 0; p < parts.size(); ++p)
      accelerations[p].reinit(parts[p].forest->get_partitioner());
    for_each_support([&](const unsigned int p,
                         const Support &support,
                         const PrescribedMotion<dim> &motion,
                         const Point<dim> &x) {
      // The change of the mid-step velocity, see prescribe_positions().
      const auto value = [&](const double t) {
        return motion.function.value(x, t)[support.component];
      };
      accelerations[p].local_element(support.dof) =
        motion.quantity == PrescribedMotion<dim>::Quantity::displacement
          ? (value(time + dt) - 2. * value(time) + value(time - dt)) / (dt * dt)
          : (value(time + 0.5 * dt) - value(time - 0.5 * dt)) / dt;
    });
    momenta(accelerations, inertia);
    for (unsigned int p = 0; p < parts.size(); ++p)
      forces[p].add(-1., inertia[p]);
  }



  template <int dim>
  void
  Solids<dim>::prescribe_positions(const double time,
                                   const double dt,
                                   const ForestVectors &positions_begin,
                                   ForestVectors &positions,
                                   ForestVectors &velocities) const
  {
    for_each_support([&](const unsigned int p,
                         const Support &support,
                         const PrescribedMotion<dim> &motion,
                         const Point<dim> &x) {
      const unsigned int c = support.component;
      const double begin   = positions_begin[p].local_element(support.dof);
      const double end =
        motion.quantity == PrescribedMotion<dim>::Quantity::displacement
          ? x[c] + motion.function.value(x, time + dt)[c]
          : begin + dt * motion.function.value(x, time + 0.5 * dt)[c];
      positions[p].local_element(support.dof)  = end;
      velocities[p].local_element(support.dof) = (end - begin) / dt;
    });
  }



  template <int dim>
  void
  Solids<dim>::prescribe_displacements(const double time,
                                       ForestVectors &positions) const
  {
    for_each_support([&](const unsigned int p,
                         const Support &support,
                         const PrescribedMotion<dim> &motion,
                         const Point<dim> &x) {
      const unsigned int c = support.component;
      if (motion.quantity == PrescribedMotion<dim>::Quantity::displacement)
        positions[p].local_element(support.dof) =
          x[c] + motion.function.value(x, time)[c];
    });
  }



  template <int dim>
  void
  Solids<dim>::prescribe_velocities(const double time,
                                    const double dt,
                                    ForestVectors &velocities) const
  {
    for_each_support([&](const unsigned int p,
                         const Support &support,
                         const PrescribedMotion<dim> &motion,
                         const Point<dim> &x) {
      // muParser has no derivatives; a central difference over one step is of
      // the order of the integrator.
      const unsigned int c = support.component;
      velocities[p].local_element(support.dof) =
        motion.quantity == PrescribedMotion<dim>::Quantity::velocity
          ? motion.function.value(x, time)[c]
          : (motion.function.value(x, time + 0.5 * dt)[c] -
             motion.function.value(x, time - 0.5 * dt)[c]) /
              dt;
    });
  }



#define RICOCHET_INSTANTIATE(dim)                                            \
  template void Solids<dim>::find_supports(Part &);                          \
  template void Solids<dim>::subtract_inertia_of_supports(const double,      \
                                                          const double,      \
                                                          ForestVectors &)   \
    const;                                                                   \
  template void Solids<dim>::prescribe_positions(const double,               \
                                                 const double,               \
                                                 const ForestVectors &,      \
                                                 ForestVectors &,            \
                                                 ForestVectors &) const;     \
  template void Solids<dim>::prescribe_displacements(const double,           \
                                                     ForestVectors &) const; \
  template void Solids<dim>::prescribe_velocities(const double,              \
                                                  const double,              \
                                                  ForestVectors &) const;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
