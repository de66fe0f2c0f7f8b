// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid regions: their nodes, masses and forces.

#include <ricochet/base/collective.h>
#include <ricochet/base/embedding.h>
#include <ricochet/base/error.h>
#include <ricochet/body/solids.h>

#include <algorithm>
#include <utility>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  Solids<dim>::take_regions()
  {
    first_regions.clear();
    any_region = false;
    for (unsigned int b = 0; b < bodies.size(); ++b)
      {
        first_regions.push_back(rigid.size());
        for (RigidBody<dim> &region : bodies[b].rigid_regions)
          {
            region.host = b;
            rigid.push_back(std::move(region));
            any_region = true;
          }
        require(bodies[b].rigid_regions.empty() ||
                  mass_kind == MassKind::lumped,
                "Body '" + bodies[b].name +
                  "' has 'Rigid material ids', which are for a lumped mass. "
                  "Set 'Matrix' in 'Mass' to lumped, or leave them out.");
        bodies[b].rigid_regions.clear();
      }
  }



  template <int dim>
  unsigned int
  Solids<dim>::rigid_region(const unsigned int b,
                            const unsigned int region) const
  {
    return first_regions[b] + region - 1;
  }



  template <int dim>
  unsigned int
  Solids<dim>::body_of_cell(
    const unsigned int p,
    const typename Triangulation<dim>::cell_iterator &cell) const
  {
    const unsigned int b      = parts[p].forest->body_of_cell(cell);
    const unsigned int region = Forest<dim>::region_of_cell(cell);
    return region == 0 ? b : bodies.size() + rigid_region(b, region);
  }



  template <int dim>
  void
  Solids<dim>::tie_nodes(Part &part)
  {
    if (!any_region)
      return;
    const CellTable<dim> &cells = part.forest->get_cells();
    const auto &node_bodies     = part.forest->get_node_bodies();
    const auto &node_regions    = part.forest->get_node_regions();
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      if (node_regions[n] != 0)
        {
          const unsigned int k = rigid_region(node_bodies[n], node_regions[n]);
          part.tied_nodes.push_back(
            {n, k, Point<dim>(cells.reference_positions[n] - rigid[k].centre)});
        }

    // Of each body the mass, and its moments of first and second order; in the
    // order of the nodes, which ranks own one after the other.
    constexpr unsigned int n_moments = 1 + dim + dim * dim;
    std::vector<double> moments(n_moments * rigid.size(), 0.);
    one_rank_after_another(communicator, moments, [&]() {
      for (const TiedNode &tied : part.tied_nodes)
        if (tied.node < cells.n_owned_nodes)
          {
            const double mass = part.mass.local_element(dim * tied.node);
            double *sum       = &moments[n_moments * tied.rigid_body];
            *sum++ += mass;
            for (unsigned int d = 0; d < dim; ++d)
              *sum++ += mass * tied.X[d];
            for (unsigned int d = 0; d < dim; ++d)
              for (unsigned int e = 0; e < dim; ++e)
                *sum++ += mass * tied.X[d] * tied.X[e];
            for (unsigned int d = 0; d < dim; ++d)
              part.mass.local_element(dim * tied.node + d) = 0.;
          }
    });
    std::vector<Tensor<1, dim>> shifts(rigid.size());
    for (unsigned int k = 0; k < rigid.size(); ++k)
      {
        const double *sum = &moments[n_moments * k];
        if (!(sum[0] > 0.))
          continue;
        Tensor<1, dim> first;
        Tensor<2, dim> second;
        for (unsigned int d = 0; d < dim; ++d)
          {
            first[d] = sum[1 + d];
            for (unsigned int e = 0; e < dim; ++e)
              second[d][e] = sum[1 + dim + dim * d + e];
          }
        const Point<dim> centre = rigid[k].centre;
        rigid[k].add_masses(sum[0], first, second);
        shifts[k] = rigid[k].centre - centre;
      }
    for (TiedNode &tied : part.tied_nodes)
      tied.X -= shifts[tied.rigid_body];
  }



  template <int dim>
  const typename Solids<dim>::TiedNode *
  Solids<dim>::find_tied_node(const unsigned int p,
                              const types::global_dof_index dof) const
  {
    const Part &part = parts[p];
    if (part.tied_nodes.empty())
      return nullptr;
    const unsigned int node =
      part.forest->get_partitioner()->global_to_local(dof) / dim;
    const auto found =
      std::lower_bound(part.tied_nodes.begin(),
                       part.tied_nodes.end(),
                       node,
                       [](const TiedNode &tied, const unsigned int n) {
                         return tied.node < n;
                       });
    return found != part.tied_nodes.end() && found->node == node ? &*found
                                                                 : nullptr;
  }



  template <int dim>
  void
  Solids<dim>::move_tied_nodes(State &state) const
  {
    if (!any_region)
      return;
    std::vector<Tensor<2, 3>> rotations;
    std::vector<Tensor<1, 3>> angular_velocities;
    for (const RigidMotion &motion : state.rigid_motions)
      {
        rotations.push_back(motion.rotation());
        angular_velocities.push_back(motion.angular_velocity());
      }
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        const unsigned int n_owned = parts[p].forest->get_cells().n_owned_nodes;
        for (const TiedNode &tied : parts[p].tied_nodes)
          {
            if (tied.node >= n_owned)
              continue;
            const RigidMotion &motion = state.rigid_motions[tied.rigid_body];
            const Tensor<1, 3> arm =
              rotations[tied.rigid_body] * in_space(Tensor<1, dim>(tied.X));
            const Tensor<1, 3> x = Tensor<1, 3>(motion.centre) + arm;
            const Tensor<1, 3> v =
              motion.velocity +
              cross_product_3d(angular_velocities[tied.rigid_body], arm);
            for (unsigned int d = 0; d < dim; ++d)
              {
                const unsigned int i                 = dim * tied.node + d;
                state.positions[p].local_element(i)  = x[d];
                state.velocities[p].local_element(i) = v[d];
              }
          }
        state.positions[p].update_ghost_values();
      }
  }



  template <int dim>
  void
  Solids<dim>::sum_forces_on_regions(State &state) const
  {
    if (!any_region)
      return;
    constexpr unsigned int n_components = 6;
    std::vector<double> sums(n_components * rigid.size(), 0.);
    // All nodes of a region are in one forest, in the order of the ranks.
    one_rank_after_another(communicator, sums, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        for (const TiedNode &tied : parts[p].tied_nodes)
          {
            if (tied.node >= parts[p].forest->get_cells().n_owned_nodes)
              continue;
            Tensor<1, dim> x, force;
            for (unsigned int d = 0; d < dim; ++d)
              {
                const unsigned int i = dim * tied.node + d;
                x[d]                 = state.positions[p].local_element(i);
                force[d] = -state.internal_forces[p].local_element(i);
              }
            const Tensor<1, 3> arm =
              in_space(x) -
              Tensor<1, 3>(state.rigid_motions[tied.rigid_body].centre);
            const Tensor<1, 3> moment = cross_product_3d(arm, in_space(force));
            double *sum               = &sums[n_components * tied.rigid_body];
            for (unsigned int d = 0; d < dim; ++d)
              sum[d] += force[d];
            for (unsigned int d = 0; d < 3; ++d)
              sum[3 + d] += moment[d];
          }
    });
    state.forces_on_regions.assign(rigid.size(), RigidForce());
    for (unsigned int k = 0; k < rigid.size(); ++k)
      for (unsigned int d = 0; d < 3; ++d)
        {
          RigidForce &force = state.forces_on_regions[k];
          force.force[d]    = sums[n_components * k + d];
          force.moment[d]   = sums[n_components * k + 3 + d];
        }
  }



#define RICOCHET_INSTANTIATE(dim)                                            \
  template void Solids<dim>::take_regions();                                 \
  template void Solids<dim>::tie_nodes(Part &);                              \
  template unsigned int Solids<dim>::rigid_region(const unsigned int,        \
                                                  const unsigned int) const; \
  template unsigned int Solids<dim>::body_of_cell(                           \
    const unsigned int,                                                      \
    const Triangulation<dim>::cell_iterator &) const;                        \
  template const Solids<dim>::TiedNode *Solids<dim>::find_tied_node(         \
    const unsigned int,                                                      \
    const types::global_dof_index) const;                                    \
  template void Solids<dim>::move_tied_nodes(State &) const;                 \
  template void Solids<dim>::sum_forces_on_regions(State &) const;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
