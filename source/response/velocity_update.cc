// SPDX-License-Identifier: LGPL-2.1-or-later

#include "velocity_update.h"

#include <ricochet/impulse/node_groups.h>
#include <ricochet/projection/energy_restoration.h>

#include <cmath>
#include <map>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Tensor;

  namespace
  {
    /** A smaller defect, relative to the terms of which it is what is left, is
     * none. */
    constexpr double round_off = 1e-9;



    /** What one node does as a contact point. */
    template <int dim>
    Collision<dim>
    only(const unsigned int node)
    {
      Collision<dim> result;
      result.nodes   = {node};
      result.weights = {1.};
      return result;
    }



    /** 1/2 F . M^-1 G. */
    template <int dim>
    double
    half_product(const ContactUpdate<dim> &F,
                 const ContactUpdate<dim> &G,
                 const InverseMass<dim> &inverse_mass)
    {
      double sum = 0.;
      for (unsigned int i = 0; i < F.nodes.size(); ++i)
        for (unsigned int j = 0; j < G.nodes.size(); ++j)
          if (F.nodes[i] == G.nodes[j] ||
              inverse_mass.set_of(F.nodes[i]) != nullptr)
            sum += product(F.forces[i],
                           inverse_mass.between(only<dim>(F.nodes[i]),
                                                only<dim>(G.nodes[j])),
                           G.forces[j]);
      return 0.5 * sum;
    }



    /** Contacts that move nodes of each other, by their numbers. */
    template <int dim>
    std::vector<std::vector<unsigned int>>
    groups_of(const std::vector<ContactUpdate<dim>> &contacts,
              const ContactState<dim> &state)
    {
      NodeGroups groups(state.end_positions.size());
      for (const auto &set : state.inverse_mass.coupled_sets())
        groups.join(set->get_nodes());
      for (const ContactUpdate<dim> &contact : contacts)
        groups.join(contact.nodes);
      std::map<unsigned int, std::vector<unsigned int>> members;
      for (unsigned int l = 0; l < contacts.size(); ++l)
        members[groups.group_of(contacts[l].nodes.front())].push_back(l);
      std::vector<std::vector<unsigned int>> result;
      for (const auto &group : members)
        result.push_back(group.second);
      return result;
    }
  } // namespace



  template <int dim>
  void
  update_velocities(std::vector<ContactUpdate<dim>> &contacts,
                    ContactState<dim> &state)
  {
    for (const auto &group : groups_of(contacts, state))
      {
        const unsigned int n = group.size();
        FullMatrix<double> A(n, n);
        std::vector<double> b(n, 0.), c(n);
        for (unsigned int l = 0; l < n; ++l)
          {
            const ContactUpdate<dim> &contact = contacts[group[l]];
            c[l]                              = contact.work;
            for (unsigned int i = 0; i < contact.nodes.size(); ++i)
              b[l] += contact.forces[i] * state.velocities[contact.nodes[i]];
            for (unsigned int k = 0; k <= l; ++k)
              A(l, k) = A(k, l) =
                half_product(contact, contacts[group[k]], state.inverse_mass);
          }
        const auto durations = energy_roots(A, b, c);
        for (unsigned int l = 0; l < n; ++l)
          {
            ContactUpdate<dim> &contact = contacts[group[l]];
            contact.duration            = durations[l];
            contact.defect              = energy_defect(A, b, c, durations, l);
            if (std::abs(contact.defect) <=
                round_off * (std::abs(b[l] * durations[l]) + std::abs(c[l])))
              contact.defect = 0.;
          }
      }

    for (const ContactUpdate<dim> &contact : contacts)
      for (unsigned int i = 0; i < contact.nodes.size(); ++i)
        {
          const Tensor<1, dim> impulse = contact.duration * contact.forces[i];
          state.inverse_mass.apply(only<dim>(contact.nodes[i]),
                                   impulse,
                                   state.velocities);
          state.impulses[contact.nodes[i]] += impulse;
        }
  }



  template void
  update_velocities(std::vector<ContactUpdate<2>> &, ContactState<2> &);
  template void
  update_velocities(std::vector<ContactUpdate<3>> &, ContactState<3> &);
} // namespace Ricochet
