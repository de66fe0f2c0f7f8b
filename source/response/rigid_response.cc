// SPDX-License-Identifier: LGPL-2.1-or-later

#include "rigid_response.h"

#include <ricochet/base/body_pairs.h>
#include <ricochet/base/embedding.h>
#include <ricochet/base/error.h>
#include <ricochet/base/moment.h>
#include <ricochet/base/number.h>
#include <ricochet/impulse/pair_response.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <tuple>


namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    const std::string multipliers = "Lagrange multipliers", penalty = "penalty";

    /** How deep slaves may be in the first step, and how far pairs are looked
     * for. Units: local edge length. */
    constexpr double first_depth = 0.1;
  } // namespace



  template <int dim>
  void
  RigidResponse<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    using namespace dealii;
    prm.declare_entry(
      "Method",
      multipliers,
      Patterns::Selection(multipliers + "|" + penalty),
      "'" + multipliers +
        "': impacts without any overlap that would matter, which are elastic; "
        "'" +
        penalty +
        "': springs, which store energy while bodies overlap. Both keep energy "
        "and momenta exactly in steps of any length. Units: None.");
    prm.declare_entry("Stiffness",
                      "0",
                      Patterns::Double(0.),
                      "Force per overlap of each contact point, for the "
                      "penalty. Units: force/length.");
    prm.declare_entry(
      "Master-slave",
      MasterSlaveTable::symmetric,
      Patterns::Anything(),
      "Whose vertices are kept out of whom: '" + MasterSlaveTable::symmetric +
        "', of each two bodies those of both; or a list of a master and a "
        "slave each, such as 'box:rod', where '/' and a boundary id take a "
        "part of the surface; the name of a repeated body stands for all of "
        "its copies. Units: None.");
    prm.declare_entry(
      "Spheres",
      "",
      Patterns::Anything(),
      "Bodies that touch each other as spheres about their centres of mass, "
      "exactly and at one point, with their radii; negative for a hollow "
      "sphere that others are in, such as 'ball 1, shell -9'. Their facets "
      "touch other bodies and obstacles only. Units: length.");
  }



  template <int dim>
  void
  RigidResponse<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    has_springs  = prm.get("Method") == penalty;
    stiffness    = prm.get_double("Stiffness");
    table_text   = prm.get("Master-slave");
    spheres_text = prm.get("Spheres");
    require(!has_springs || stiffness > 0.,
            "Contact/rigid: the method 'penalty' needs a 'Stiffness' larger "
            "than 0.");
  }



  template <int dim>
  void
  RigidResponse<dim>::set_bodies(const std::vector<std::string> &names)
  {
    table.parse(table_text, names, "Contact/rigid/Master-slave");
    radii.clear();
    if (spheres_text.empty())
      return;
    for (const std::string &item : split_list_of_bodies(spheres_text))
      {
        const std::string entry = "Contact/rigid/Spheres";
        const std::size_t space = item.find_last_of(' ');
        const auto radius =
          number_of(space == std::string::npos ? "" : item.substr(space + 1));
        require(radius.has_value() && *radius != 0.,
                entry + ": '" + item +
                  "' is not the name of a body and its radius, such as "
                  "'ball 0.5'.");
        for (const unsigned int body :
             bodies_called(item.substr(0,
                                       item.find_last_not_of(' ', space) + 1),
                           names,
                           entry))
          radii[body] = *radius;
      }
  }



  template <int dim>
  void
  RigidResponse<dim>::check(const PassSettings &settings) const
  {
    require(settings.restitution.smallest() == 1. &&
              settings.friction.largest() == 0.,
            "Contact: the response 'rigid' keeps the energy and knows no "
            "friction. Leave 'Restitution' at 1 and 'Friction coefficient' at "
            "0, and their pairs out; or choose an explicit 'Integrator' with "
            "another response.");
  }



  template <int dim>
  void
  RigidResponse<dim>::reinit(const Surface<dim> &surface,
                             const SearchSettings &settings,
                             const std::vector<double> &)
  {
    table.reinit(surface, settings);
    search   = settings;
    n_bodies = surface.n_bodies;
    facets.reinit(
      surface,
      [this, &surface](const unsigned int vertex, const unsigned int facet) {
        const unsigned int slave  = surface.vertex_body[vertex],
                           master = surface.facet_body[facet];
        return slave != master && table.contains(surface, vertex, facet) &&
               !(radii.count(slave) > 0 && radii.count(master) > 0);
      },
      first_depth);
    gaps.clear();
    is_first_step = true;
  }



  template <int dim>
  double
  RigidResponse<dim>::reach() const
  {
    return first_depth;
  }



  template <int dim>
  void
  RigidResponse<dim>::evaluate(const Surface<dim> &,
                               const std::vector<Encounter> &,
                               const PassSettings &,
                               const ContactState<dim> &,
                               const bool,
                               std::vector<ContactElement<dim>> &) const
  {
    AssertThrow(false, dealii::ExcInternalError());
  }



  template <int dim>
  void
  RigidResponse<dim>::accept_step(const Surface<dim> &,
                                  const std::vector<Encounter> &,
                                  const PassSettings &,
                                  ContactState<dim> &)
  {
    AssertThrow(false, dealii::ExcInternalError());
  }



  template <int dim>
  double
  RigidResponse<dim>::solve_rigid_steps(const Surface<dim> &surface,
                                        const std::vector<Encounter> &pairs,
                                        ContactRigidBodies<dim> &bodies,
                                        ContactState<dim> &state,
                                        std::vector<RigidStep> &steps)
  {
    RigidScene<dim> scene(surface, pairs, bodies, state, steps);
    facets.begin_step();
    const std::vector<RigidMeeting<dim>> meetings = find_meetings(scene);
    double stored                                 = 0.;
    std::vector<Impulse> impulses;
    if (has_springs)
      std::tie(impulses, stored) = solve_with_springs(meetings, scene);
    else
      impulses = solve_with_multipliers(meetings, scene);
    scene.go_to_ends();
    for (unsigned int j = 0; j < meetings.size(); ++j)
      if (impulses[j].size > 0.)
        write_down(meetings[j], impulses[j], scene);
    remember(scene);
    return stored;
  }



  template <int dim>
  std::vector<RigidMeeting<dim>>
  RigidResponse<dim>::find_meetings(RigidScene<dim> &scene) const
  {
    std::vector<RigidMeeting<dim>> meetings;
    for (const SlaveMeeting &meeting :
         facets.find(scene.pairs, scene.start, scene.end))
      meetings.push_back(scene.meeting_with_facet(meeting));
    scene.add_meetings_with_planes(meetings);
    for (auto first = radii.begin(); first != radii.end(); ++first)
      for (auto second = std::next(first); second != radii.end(); ++second)
        {
          const bool second_is_slave = first->second < 0.;
          const auto &[slave, r]     = second_is_slave ? *second : *first;
          const auto &[master, R]    = second_is_slave ? *first : *second;
          if (r < 0. || !search.may_touch(slave, master, n_bodies))
            continue; // two hollow ones
          const auto meeting = scene.meeting_of_spheres(slave, r, master, R);
          if (meeting.collision.gap < 0. || gaps.count(meeting.pair) > 0)
            meetings.push_back(meeting);
        }
    return meetings;
  }



  template <int dim>
  std::vector<typename RigidResponse<dim>::Impulse>
  RigidResponse<dim>::solve_with_multipliers(
    const std::vector<RigidMeeting<dim>> &meetings,
    RigidScene<dim> &scene) const
  {
    std::vector<Impulse> result(meetings.size());
    std::vector<RigidContact> contacts;
    std::vector<unsigned int> numbers;
    for (unsigned int j = 0; j < meetings.size(); ++j)
      if (meetings[j].collision.gap < 0.)
        {
          const RigidMeeting<dim> &meeting = meetings[j];
          contacts.emplace_back(scene.steps,
                                meeting.slave,
                                meeting.master,
                                in_space(meeting.collision.normal),
                                meeting.slave_point,
                                meeting.master_point);
          numbers.push_back(j);
        }
    const auto impulses = solve_rigid_impacts(contacts, scene.steps);
    for (unsigned int i = 0; i < numbers.size(); ++i)
      result[numbers[i]] = {impulses[i], contacts[i].normal, contacts[i].place};
    return result;
  }



  template <int dim>
  std::pair<std::vector<typename RigidResponse<dim>::Impulse>, double>
  RigidResponse<dim>::solve_with_springs(
    const std::vector<RigidMeeting<dim>> &meetings,
    RigidScene<dim> &scene)
  {
    double stored     = 0.;
    const auto energy = [this](const double gap) {
      return 0.5 * stiffness * gap * gap;
    };
    for (const auto &[pair, gap] : gaps)
      stored -= energy(gap);
    std::vector<RigidPenaltyPair> springs;
    for (const RigidMeeting<dim> &meeting : meetings)
      {
        springs.push_back(meeting.spring);
        RigidPenaltyPair &spring = springs.back();
        spring.slave             = meeting.slave;
        spring.master            = meeting.master;
        spring.stiffness         = stiffness;
        const auto known         = gaps.find(meeting.pair);
        if (known != gaps.end())
          spring.gap = known->second;
        else if (spring.gap < 0. && is_first_step)
          stored -= energy(spring.gap);
        else
          // Behind the surface by what the dynamic gap is not exact.
          spring.gap = std::max(spring.gap, 0.);
      }
    solve_rigid_penalty(springs, scene.steps);
    gaps.clear();
    std::vector<Impulse> impulses;
    for (unsigned int j = 0; j < springs.size(); ++j)
      {
        impulses.push_back({scene.state.dt * springs[j].force,
                            springs[j].normal,
                            springs[j].place});
        if (springs[j].end_gap < 0.)
          {
            gaps[meetings[j].pair] = springs[j].end_gap;
            stored += energy(springs[j].end_gap);
            deepest = std::max(deepest, -springs[j].end_gap);
          }
      }
    return {impulses, stored};
  }



  template <int dim>
  void
  RigidResponse<dim>::write_down(const RigidMeeting<dim> &meeting,
                                 const Impulse &impulse,
                                 RigidScene<dim> &scene) const
  {
    ContactState<dim> &state  = scene.state;
    Collision<dim> collision  = meeting.collision;
    collision.normal          = out_of_space<dim>(impulse.normal);
    const Tensor<1, dim> push = impulse.size * collision.normal;
    const Point<dim> place(out_of_space<dim>(impulse.place));
    note_impulse(collision,
                 push,
                 {{place, place}},
                 0.5,
                 ContactStatus::slip,
                 state);
    // Obstacles take it at their nodes.
    const bool is_at_obstacle =
      std::max(meeting.slave, meeting.master) >= scene.n_bodies;
    Tensor<1, 3> &unknown = state.record.angular_momentum_change;
    if (is_at_obstacle)
      unknown +=
        (meeting.slave < scene.n_bodies ? 1. : -1.) * moment(place, push);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node   = collision.nodes[i];
        const Tensor<1, dim> part = collision.weights[i] * push;
        state.impulses[node] += part;
        // Forces act in the middle.
        state.position_impulses[node] += 0.5 * state.dt * part;
        state.normal_impulses[node] +=
          std::abs(collision.weights[i]) * impulse.size;
        state.status[node] = ContactStatus::slip;
        if (is_at_obstacle && !state.inverse_mass.is_of_body(node))
          unknown += 0.5 * (moment(state.start_positions[node], part) +
                            moment(state.end_positions[node], part));
      }
    note_handled(PairKind::vertex_facet, meeting.collision, state);
    if (meeting.is_of_spheres)
      {
        // The gap is not that of the centres.
        state.handled.pop_back();
        state.record.min_gap =
          std::fmin(state.record.min_gap,
                    meeting.spring.true_gap(scene.steps[meeting.slave].end(),
                                            scene.steps[meeting.master].end()));
      }
  }



  template <int dim>
  void
  RigidResponse<dim>::remember(RigidScene<dim> &scene)
  {
    std::vector<SlaveMeeting> lasting;
    for (const SlaveMeeting &meeting :
         facets.find(scene.pairs, scene.start, scene.end))
      if (meeting.end_gap >= 0. ||
          gaps.count({{meeting.slave, meeting.master}}) > 0)
        {
          lasting.push_back(meeting);
          deepest = std::max(deepest, meeting.end_gap);
        }
    facets.accept(lasting);
    is_first_step = false;
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  RigidResponse<dim>::numbers() const
  {
    if (deepest == 0.)
      return {};
    return {{"deepest overlap", deepest}};
  }



  template <int dim>
  std::vector<double>
  RigidResponse<dim>::memory() const
  {
    if (is_first_step)
      return {};
    std::vector<double> result{static_cast<double>(gaps.size())};
    for (const auto &[pair, gap] : gaps)
      for (const double number : {1. * pair[0], 1. * pair[1], gap})
        result.push_back(number);
    const auto of_facets = facets.memory();
    result.insert(result.end(), of_facets.begin(), of_facets.end());
    return result;
  }



  template <int dim>
  void
  RigidResponse<dim>::set_memory(const std::vector<double> &memory)
  {
    gaps.clear();
    is_first_step = memory.empty();
    if (memory.empty())
      return facets.set_memory(memory);
    auto number     = memory.begin() + 1;
    const auto last = number + 3 * std::lround(memory[0]);
    for (; number != last; number += 3)
      gaps[{{static_cast<unsigned int>(std::lround(number[0])),
             static_cast<unsigned int>(std::lround(number[1]))}}] = number[2];
    facets.set_memory({last, memory.end()});
  }



  RICOCHET_REGISTER_CONTACT_FORCES(
    RigidResponse,
    "rigid",
    "Contact of rigid bodies alone (Puso and Zywicz, 1998): multipliers or a "
    "penalty without friction; implicit, both momenta and energy exact.")
} // namespace Ricochet
