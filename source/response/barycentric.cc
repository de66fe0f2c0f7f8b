// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/in_threads.h>
#include <ricochet/geometry/closest_collision.h>
#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/mass_weighted_friction.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/waves.h>
#include <ricochet/response/contact_correction.h>
#include <ricochet/response/master_slave.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <iterator>

namespace Ricochet
{
  namespace
  {
    constexpr unsigned int encounters_per_task = 64;
  } // namespace



  /**
   * The barycentric contact algorithm of del Pozo, Lopez-Gomez and Romero
   * (2018): a vertex of a slave that has entered a master is put on the closest
   * point of the master's surface and exchanges momentum with the nodes there,
   * in shares of the barycentric coordinates of that point, eqs. (14),
   * (22)-(32).
   *
   * The impulse is that of pair_impulse(), none for separating pairs, and the
   * response differs from "dcr" in what it looks at: the closest point of the
   * surface at the end of the step, and only vertices of slaves against facets
   * of masters. Pairs of edges, and masters' vertices in slaves, are not its
   * own. With the guarantee they are left to its stages, which act only where
   * something would otherwise intersect; without it they are ignored, as
   * published.
   *
   * The predictor of eq. (9) is
   *   v~ = v_n + dt a(Phi_n),   phi~ = phi_n + dt v~
   * with v_n at the middle of the steps (the force at Phi_(n-1/2), as it is
   * printed, is unstable). The explicit Newmark integrator is the same method:
   * its predictor takes its velocity half a step on, by dt/2 a(Phi_n) after the
   * corrector's dt/2 a(Phi_n), and then moves by dt times that velocity, which
   * is what contact gets. So nothing in the integrator depends on the response.
   */
  template <int dim>
  class BarycentricResponse : public ContactCorrection<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    set_bodies(const std::vector<std::string> &names) override
    {
      table.parse(table_text, names, "Contact/barycentric/Master-slave");
    }

    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &search,
           const std::vector<double> &skin_heights) override;

    bool
    limits_step() const override
    {
      return relative_step_limit > 0.;
    }

    /** Eq. (12). */
    double
    step_limit(const std::vector<double> &speeds) const override
    {
      return relative_step_limit * table.shortest_time(heights, speeds);
    }

    std::vector<std::pair<std::string, double>>
    numbers() const override
    {
      return {
        {"smallest height of the skin", table.smallest_of_masters(heights)}};
    }

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override;

  private:
    /** Change velocities and positions of a pair that is too close; whether
     * that could be done. */
    bool
    respond(const Collision<dim> &collision,
            const PassSettings &settings,
            ContactState<dim> &state) const;

    std::string table_text = MasterSlaveTable::symmetric;
    MasterSlaveTable table;
    bool moves_positions       = false;
    MovingSide moving_side     = MovingSide::both;
    bool mass_weighted         = false;
    double relative_step_limit = 0.;

    std::vector<double> heights; // by body
    ClosestCollisions<dim> closest;
  };



  template <int dim>
  void
  BarycentricResponse<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    using namespace dealii;
    prm.declare_entry(
      "Master-slave",
      MasterSlaveTable::symmetric,
      Patterns::Anything(),
      "Whose vertices are kept out of whom: 'symmetric', all of all; or a list "
      "of a master, which needs faces, and a slave each, such as 'plate:bar, "
      "plate/4:ball', where '/' and a boundary id take a part of the surface; "
      "the name of a repeated body stands for all of its copies. Obstacles "
      "are masters of all. What is left "
      "out, and pairs of edges, is not looked at without the guarantee; with "
      "it, intersections of these are prevented as well. Units: None.");
    prm.declare_entry(
      "Friction",
      "barycentric",
      Patterns::Selection("barycentric|mass weighted"),
      "How friction acts on the nodes of the master's face: 'barycentric', "
      "like the normal impulse, which keeps the angular momentum; 'mass "
      "weighted', as in del Pozo, Lopez-Gomez and Romero (2018), equations "
      "(37) to (47), which does not. Units: None.");
    prm.declare_entry(
      "Position correction",
      "velocities",
      Patterns::Selection("velocities|mass weighted|slave only"),
      "How a slave's vertex gets back to the surface. 'velocities' lets "
      "impulses act at the start of the step and positions follow: energy and "
      "momenta are exact, and points that stick stay. 'mass weighted' moves "
      "both sides to the 'Clearance', which keeps the centre of mass; 'slave "
      "only' moves the vertex, as in del Pozo, Lopez-Gomez and Romero (2018), "
      "equation (14). Units: None.");
    prm.declare_entry(
      "Step limit",
      "1",
      Patterns::Double(0.),
      "The longest step relative to that in which a slave's vertex passes the "
      "skin of the master: the smallest height of a cell over its contact "
      "face through the sum of the two bodies' largest speeds (del Pozo, "
      "Lopez-Gomez and Romero, 2018, equation (12)); 0 is no limit. Units: "
      "None.");
  }



  template <int dim>
  void
  BarycentricResponse<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    table_text                   = prm.get("Master-slave");
    mass_weighted                = prm.get("Friction") == "mass weighted";
    const std::string correction = prm.get("Position correction");
    moves_positions              = correction != "velocities";
    moving_side =
      correction == "slave only" ? MovingSide::first : MovingSide::both;
    require(moves_positions || !mass_weighted,
            "Contact/barycentric: 'Friction = mass weighted' belongs to the "
            "published 'Position correction', 'mass weighted' or 'slave only'. "
            "Choose one of these, or 'Friction = barycentric'.");
    relative_step_limit = prm.get_double("Step limit");
  }



  template <int dim>
  void
  BarycentricResponse<dim>::reinit(const Surface<dim> &surface,
                                   const SearchSettings &search,
                                   const std::vector<double> &skin_heights)
  {
    table.reinit(surface, search);
    closest.reinit(surface);
    heights = skin_heights;
  }



  template <int dim>
  bool
  BarycentricResponse<dim>::correct(const Surface<dim> &surface,
                                    const std::vector<Encounter> &encounters,
                                    const PassSettings &settings,
                                    ContactState<dim> &state)
  {
    if (encounters.empty())
      return false;
    const auto geometry  = state.geometry(surface);
    const auto is_master = [&](const Encounter &encounter) {
      return table.contains(surface, encounter.first, encounter.second);
    };
    // What comes with its collision has no side to choose.
    std::vector<Encounter> chosen;
    std::copy_if(encounters.begin(),
                 encounters.end(),
                 std::back_inserter(chosen),
                 [&](const Encounter &encounter) {
                   return encounter.kind == PairKind::given ||
                          (encounter.kind == PairKind::vertex_facet &&
                           is_master(encounter));
                 });
    std::vector<typename ClosestCollisions<dim>::Target> targets(chosen.size());
    in_threads(
      chosen.size(),
      [&](const std::size_t i) {
        const Encounter &encounter = chosen[i];
        if (encounter.kind == PairKind::given)
          targets[i] = {encounter, geometry.at_impact(encounter), false, {}};
        else
          targets[i] = closest.find(encounter,
                                    geometry,
                                    state.end_positions,
                                    [&](const unsigned int facet) {
                                      return table.contains(surface,
                                                            encounter.first,
                                                            facet);
                                    });
      },
      encounters_per_task);
    std::stable_sort(targets.begin(),
                     targets.end(),
                     [](const auto &a, const auto &b) {
                       return a.at_impact.handling_order() <
                              b.at_impact.handling_order();
                     });

    return handle_in_waves<dim>(
      targets.size(),
      [&](const unsigned int i, std::vector<unsigned int> &nodes) {
        geometry.add_read_nodes(targets[i].encounter, nodes);
      },
      [&](const unsigned int i, ContactState<dim> &part) {
        const auto &target = targets[i];
        Collision<dim> collision;
        if (!closest.evaluate(target,
                              geometry,
                              part.end_positions,
                              settings.eta,
                              collision) ||
            !respond(collision, settings, part))
          return false;
        note_handled(target.encounter.kind, collision, part);
        return true;
      },
      state);
  }



  template <int dim>
  bool
  BarycentricResponse<dim>::respond(const Collision<dim> &collision,
                                    const PassSettings &settings,
                                    ContactState<dim> &state) const
  {
    if (!moves_positions)
      return deflect_pair(collision, settings, state).status !=
             ContactStatus::open;
    separate_pair(collision, settings, moving_side, state);
    if (mass_weighted)
      push_with_mass_weighted_friction(collision, settings, state);
    else
      push_pair(collision, settings, state);
    return true;
  }



  RICOCHET_REGISTER_CONTACT_CORRECTION(
    BarycentricResponse,
    "barycentric",
    "Barycentric contact (del Pozo, Lopez-Gomez and Romero, 2018): vertices of "
    "slaves exchange impulses with the closest points of masters' faces, in "
    "shares of their barycentric coordinates, with restitution and friction; "
    "explicit.")
} // namespace Ricochet
