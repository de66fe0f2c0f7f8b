// SPDX-License-Identifier: LGPL-2.1-or-later

#include "energy_momentum.h"

#include <ricochet/base/error.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    const std::string automatic = "automatic";

    /** How deep slaves may be in the first step, and how far pairs are looked
     * for. Units: local edge length. */
    constexpr double first_depth = 0.1;

    /** Penalties of zero, in units of mass per area and square of the step, and
     * of mass per area and step. */
    constexpr double normal_factor = 100., tangential_factor = 10.;

    /** How many iterates of a step may have planes of obstacles of their own.
     */
    constexpr unsigned int max_planes = 10;

    /** The least growth of an overlap in a step that multipliers answer,
     * relative to the largest overlap. */
    constexpr double least_growth = 1e-3;
  } // namespace



  template <int dim>
  void
  EnergyMomentumContact<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    using namespace dealii;
    prm.declare_entry(
      "Master-slave",
      automatic,
      Patterns::Anything(),
      "Whose vertices are kept out of whom: 'automatic', of each two bodies "
      "the one with the shorter edges is the slave, the first one if they are "
      "alike; 'symmetric', all of all, which doubles the forces; or a list of "
      "a master, which needs faces, and a slave each, such as 'plate:bar, "
      "plate/4:ball', where '/' and a boundary id take a part of the surface; "
      "the name of a repeated body stands for all of its copies. What is left "
      "out is not looked at. Units: None.");
    prm.declare_entry(
      "Normal penalty",
      "0",
      Patterns::Double(0.),
      "Pressure per overlap. With 0 it follows in each contact from the masses "
      "of its nodes and the step: bodies without stiffness would overlap by 2 "
      "% of what they would without contact; in an initial equilibrium, from "
      "the stable step of an explicit integrator, which makes it about a "
      "hundred times as stiff as a cell. Units: pressure/length.");
    prm.declare_entry(
      "Tangential penalty",
      "0",
      Patterns::Double(0.),
      "Shear stress per speed at which contacts slide before friction holds "
      "them: sticking is slow sliding (Love and Laursen, 2003, equation (80)). "
      "With 0 it follows in each contact from the masses of its nodes and the "
      "step. Units: pressure/velocity.");
    prm.declare_entry(
      "Largest overlap",
      "0",
      Patterns::Double(0.),
      "Multipliers are added to the penalties where bodies come to overlap by "
      "more: of what is left to this overlap a step may use one half, beyond "
      "it a thousandth of it; an initial equilibrium all of it. Contacts that "
      "have had a pressure since then are left out. 0 is no bound: penalties "
      "only. Units: length.");
    prm.declare_entry(
      "Velocity update",
      "true",
      Patterns::Bool(),
      "Whether each contact gets back, as velocity at the end of a step, what "
      "energy its forces took beside friction; without it contact loses "
      "energy. Units: None.");
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    table_text         = prm.get("Master-slave");
    is_automatic       = table_text == automatic;
    normal_penalty     = prm.get_double("Normal penalty");
    tangential_penalty = prm.get_double("Tangential penalty");
    largest_overlap    = prm.get_double("Largest overlap");
    updates_velocities = prm.get_bool("Velocity update");
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::set_bodies(const std::vector<std::string> &names)
  {
    table.parse(is_automatic ? MasterSlaveTable::symmetric : table_text,
                names,
                "Contact/energy-momentum/Master-slave");
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::check(const PassSettings &settings) const
  {
    require(settings.restitution.smallest() == 1.,
            "Contact: the response 'energy-momentum' keeps the energy of "
            "impacts. Leave 'Restitution' at 1 and 'Restitution of pairs' out; "
            "to lose some, set 'Contact/energy-momentum/Velocity update = "
            "false'.");
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::reinit(const Surface<dim> &surface,
                                     const SearchSettings &search,
                                     const std::vector<double> &)
  {
    table.reinit(surface, search);
    facet_lengths.assign(surface.n_bodies, 0.);
    std::vector<unsigned int> n_facets(surface.n_bodies, 0);
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        const unsigned int body = surface.facet_body[f];
        if (body >= facet_lengths.size())
          {
            facet_lengths.resize(body + 1, 0.);
            n_facets.resize(body + 1, 0);
          }
        facet_lengths[body] += surface.facet_length[f];
        ++n_facets[body];
      }
    for (unsigned int body = 0; body < facet_lengths.size(); ++body)
      facet_lengths[body] /= std::max(n_facets[body], 1u);
    facets.reinit(
      surface,
      [this, &surface](const unsigned int vertex, const unsigned int facet) {
        return is_master(surface, vertex, facet);
      },
      first_depth);
    multipliers.clear();
    preloads.clear();

    is_obstacle.clear();
    node_areas.assign(surface.n_nodes, 0.);
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      for (const auto &[node, weight] : nodes_of(v, surface))
        node_areas[node] += weight * surface.vertex_area[v];
    inside_obstacles.clear();
    is_first_step = true;
  }



  template <int dim>
  bool
  EnergyMomentumContact<dim>::is_master(const Surface<dim> &surface,
                                        const unsigned int vertex,
                                        const unsigned int facet) const
  {
    constexpr double alike   = 1. - 1e-6;
    const unsigned int slave = surface.vertex_body[vertex];
    const unsigned int body  = surface.facet_body[facet];
    if (is_obstacle[body])
      return surface.vertex_area[vertex] > 0.;
    if (!(surface.vertex_area[vertex] > 0.) || is_obstacle[slave] ||
        !table.contains(surface, vertex, facet))
      return false;
    if (!is_automatic || slave == body)
      return true;
    return slave < body ? facet_lengths[body] >= alike * facet_lengths[slave]
                        : facet_lengths[slave] < alike * facet_lengths[body];
  }



  template <int dim>
  double
  EnergyMomentumContact<dim>::reach() const
  {
    return first_depth;
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::begin_step(const Surface<dim> &surface,
                                         const ContactState<dim> &state)
  {
    is_static = false;
    facets.begin_step();
    planes.clear();
    multipliers.clear();
    find_obstacles(surface, state);
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::begin_equilibrium(const Surface<dim> &surface,
                                                const ContactState<dim> &state)
  {
    is_static = true;
    facets.begin_step(true);
    planes.clear();
    find_obstacles(surface, state);
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::find_obstacles(const Surface<dim> &surface,
                                             const ContactState<dim> &state)
  {
    if (!is_obstacle.empty())
      return;
    is_obstacle.assign(facet_lengths.size(), false);
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      if (!state.inverse_mass.is_of_body(nodes_of(v, surface)[0].first))
        is_obstacle[surface.vertex_body[v]] = true;
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::add_tractions(const PassSettings &settings,
                                            const ContactState<dim> &state,
                                            const bool with_derivatives,
                                            SlaveContact<dim> &contact) const
  {
    TractionLaw<dim> &law = contact.law;
    const double dt       = state.dt;
    law.dt                = dt;
    law.was_inside        = contact.meeting.was_inside;
    law.is_static         = is_static;
    if (!is_static)
      law.friction = settings.friction_of(contact.bodies, dt);

    const double inverse_mass = contact.inverse_mass(state.inverse_mass);
    if (inverse_mass > 0.) // else nobody can move
      {
        const double mass      = 1. / (inverse_mass * law.area);
        law.normal_penalty     = normal_penalty > 0.
                                   ? normal_penalty
                                   : normal_factor * mass / (dt * dt);
        law.tangential_penalty = tangential_penalty > 0.
                                   ? tangential_penalty
                                   : tangential_factor * mass / dt;
      }
    const SlaveAndMaster pair{{contact.meeting.slave, contact.meeting.master}};
    const auto preloaded = preloads.find(pair);
    if (preloaded != preloads.end() && !is_static)
      {
        law.preload        = preloaded->second.pressure;
        law.normal_penalty = preloaded->second.penalty;
      }
    const auto raised = multipliers.find(pair);
    if (raised != multipliers.end())
      {
        law.normal_multiplier     = raised->second.normal;
        law.tangential_multiplier = raised->second.tangential;
      }
    contact.traction = contact_traction(law,
                                        contact.end,
                                        contact.meeting.end_gap,
                                        with_derivatives);
  }



  template <int dim>
  std::vector<SlaveContact<dim>>
  EnergyMomentumContact<dim>::contacts_of(const Surface<dim> &surface,
                                          const std::vector<Encounter> &pairs,
                                          const PassSettings &settings,
                                          const ContactState<dim> &state,
                                          const bool with_derivatives) const
  {
    std::vector<Point<dim>> start_buffer, end_buffer;
    const auto &start =
      surface.vertex_positions(state.start_positions, start_buffer);
    const auto &end = surface.vertex_positions(state.end_positions, end_buffer);
    std::vector<SlaveContact<dim>> contacts;
    for (const SlaveMeeting &meeting : facets.find(pairs, start, end))
      contacts.emplace_back(meeting, surface, start, end);
    add_contacts_with_planes(pairs, state, contacts);
    for (SlaveContact<dim> &contact : contacts)
      add_tractions(settings, state, with_derivatives, contact);
    return contacts;
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::add_contacts_with_planes(
    const std::vector<Encounter> &pairs,
    const ContactState<dim> &state,
    std::vector<SlaveContact<dim>> &contacts) const
  {
    for (const Encounter &encounter : pairs)
      {
        if (encounter.kind != PairKind::given)
          continue;
        const Collision<dim> &found =
          state.given_collisions[encounter.collision].collision;
        const unsigned int on_obstacle = found.nodes.back();
        const SlaveAndMaster pair{{encounter.first, found.bodies[1]}};
        UsedPlane &used = planes[pair];
        if (used.n_uses < max_planes)
          {
            used.plane = {found,
                          state.start_positions[on_obstacle],
                          state.end_positions[on_obstacle]};
            ++used.n_uses;
          }
        Collision<dim> &collision = used.plane.collision;
        collision.nodes.back()    = on_obstacle;
        double area               = 0.;
        for (unsigned int i = 0; i + 1 < collision.nodes.size(); ++i)
          area += collision.weights[i] * node_areas[collision.nodes[i]];
        SlaveContact<dim> contact(encounter.first,
                                  used.plane,
                                  area,
                                  false,
                                  state);
        contact.meeting.was_inside = is_first_step
                                       ? contact.meeting.start_gap >= 0.
                                       : inside_obstacles.count(pair) > 0;
        const bool is_held =
          contact.meeting.was_inside || contact.meeting.end_gap >= 0. ||
          multipliers.count(pair) > 0 || preloads.count(pair) > 0;
        if (area > 0. && is_held)
          contacts.push_back(contact);
      }
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::evaluate(
    const Surface<dim> &surface,
    const std::vector<Encounter> &pairs,
    const PassSettings &settings,
    const ContactState<dim> &state,
    const bool with_stiffness,
    std::vector<ContactElement<dim>> &elements) const
  {
    for (const SlaveContact<dim> &contact :
         contacts_of(surface, pairs, settings, state, with_stiffness))
      if (contact.acts())
        elements.push_back(contact.element(with_stiffness));
  }



  template <int dim>
  bool
  EnergyMomentumContact<dim>::augment(const Surface<dim> &surface,
                                      const std::vector<Encounter> &pairs,
                                      const PassSettings &settings,
                                      const ContactState<dim> &state)
  {
    if (largest_overlap == 0.)
      return false;
    const auto contacts = contacts_of(surface, pairs, settings, state, false);
    const auto is_too_deep = [&](const SlaveContact<dim> &contact) {
      if (is_static)
        return contact.meeting.end_gap > largest_overlap;
      const double before =
        contact.meeting.was_inside ? contact.meeting.start_gap : 0.;
      const double growth = std::max(0.5 * (largest_overlap - before),
                                     least_growth * largest_overlap);
      return contact.acts() && contact.law.preload == 0. &&
             contact.meeting.end_gap > before + growth;
    };
    if (std::none_of(contacts.begin(), contacts.end(), is_too_deep))
      return false;
    for (const SlaveContact<dim> &contact : contacts)
      {
        if (contact.law.preload > 0.)
          continue;
        const auto &traction = contact.traction;
        Multipliers &raised =
          multipliers[{{contact.meeting.slave, contact.meeting.master}}];
        raised.normal     = traction.normal;
        raised.tangential = traction.tangential_power < 0.
                              ? Tensor<1, dim>()
                              : traction.tangential_vector;
      }
    return true;
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::accept_step(const Surface<dim> &surface,
                                          const std::vector<Encounter> &pairs,
                                          const PassSettings &settings,
                                          ContactState<dim> &state)
  {
    const auto contacts = contacts_of(surface, pairs, settings, state, false);
    std::vector<const SlaveContact<dim> *> acting;
    std::vector<ContactUpdate<dim>> updates;
    for (const SlaveContact<dim> &contact : contacts)
      {
        state.record.min_gap =
          std::fmin(state.record.min_gap, -contact.meeting.end_gap);
        if (contact.law.preload > 0.)
          contact.write_down(0., state);
        else if (contact.acts())
          {
            acting.push_back(&contact);
            updates.push_back(contact.update());
          }
      }
    remember(contacts);

    if (updates_velocities)
      update_velocities(updates, state);
    for (unsigned int l = 0; l < acting.size(); ++l)
      {
        const ContactUpdate<dim> &update = updates[l];
        acting[l]->write_down(update.duration, state);
        if (!updates_velocities)
          lost_energy -= update.work;
        else if (update.defect != 0.)
          {
            ++n_defects;
            defect += update.defect;
          }
      }
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::accept_equilibrium(
    const Surface<dim> &surface,
    const std::vector<Encounter> &pairs,
    const PassSettings &settings,
    const ContactState<dim> &state)
  {
    remember(contacts_of(surface, pairs, settings, state, false));
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::remember(
    const std::vector<SlaveContact<dim>> &contacts)
  {
    std::vector<SlaveMeeting> lasting;
    inside_obstacles.clear();
    preloads.clear();
    is_first_step = false;
    for (const SlaveContact<dim> &contact : contacts)
      {
        const SlaveMeeting &meeting = contact.meeting;
        const SlaveAndMaster pair{{meeting.slave, meeting.master}};
        const double pressure =
          is_static ? contact.traction.normal : contact.traction.preload;
        if (pressure > 0.)
          preloads[pair] = {pressure, contact.law.normal_penalty};
        deepest = std::max(deepest, meeting.end_gap);
        if (!(meeting.end_gap >= 0. || pressure > 0.))
          continue;
        if (contact.has_plane())
          inside_obstacles.insert(pair);
        else
          lasting.push_back(meeting);
      }
    facets.accept(lasting);
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  EnergyMomentumContact<dim>::numbers() const
  {
    const std::vector<std::pair<std::string, double>> all{
      {"deepest overlap", deepest},
      {"contacts without a velocity update", n_defects},
      {"energy gained by these", defect},
      {"energy a velocity update would give back", lost_energy}};
    std::vector<std::pair<std::string, double>> result;
    std::copy_if(all.begin(),
                 all.end(),
                 std::back_inserter(result),
                 [](const auto &entry) { return entry.second != 0.; });
    return result;
  }



  template <int dim>
  std::vector<double>
  EnergyMomentumContact<dim>::memory() const
  {
    if (is_first_step)
      return {};
    std::vector<double> result{static_cast<double>(inside_obstacles.size()),
                               static_cast<double>(preloads.size())};
    for (const auto &pair : inside_obstacles)
      result.insert(result.end(), pair.begin(), pair.end());
    for (const auto &[pair, preload] : preloads)
      for (const double number :
           {1. * pair[0], 1. * pair[1], preload.pressure, preload.penalty})
        result.push_back(number);
    const auto of_facets = facets.memory();
    result.insert(result.end(), of_facets.begin(), of_facets.end());
    return result;
  }



  template <int dim>
  void
  EnergyMomentumContact<dim>::set_memory(const std::vector<double> &memory)
  {
    inside_obstacles.clear();
    preloads.clear();
    is_first_step = memory.empty();
    if (memory.empty())
      return facets.set_memory(memory);
    const auto pair_at = [](const auto &number) {
      return SlaveAndMaster{
        {static_cast<unsigned int>(std::lround(number[0])),
         static_cast<unsigned int>(std::lround(number[1]))}};
    };
    auto number      = memory.begin() + 2;
    const auto third = number + 2 * std::lround(memory[0]);
    const auto last  = third + 4 * std::lround(memory[1]);
    for (; number != third; number += 2)
      inside_obstacles.insert(pair_at(number));
    for (; number != last; number += 4)
      preloads[pair_at(number)] = {number[2], number[3]};
    facets.set_memory({last, memory.end()});
  }



  RICOCHET_REGISTER_CONTACT_FORCES(
    EnergyMomentumContact,
    "energy-momentum",
    "Energy-momentum contact (Love and Laursen, 2003): penalty forces or "
    "augmented Lagrangian with friction, and a velocity update that gives back "
    "what energy they take; implicit, both momenta and energy exact.")
} // namespace Ricochet
