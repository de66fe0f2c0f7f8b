// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/waves.h>
#include <ricochet/response/contact_correction.h>

#include <algorithm>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    constexpr unsigned int encounters_per_task = 64;
  } // namespace



  using dealii::Tensor;

  /**
   * Decomposition Contact Response (Cirak and West, 2005): pair by pair in the
   * order of impact, exchange momentum by impulses.
   *
   * Three ways to place the nodes:
   * - velocities: impulses act at the start of the step, and positions follow
   *   from the new velocities, see deflect_pair(),
   * - projection: along the normal, weighted by the inverse masses, to the
   *   clearance; keeps the centre of mass. Published is the projection of the
   *   vertex or edge that penetrates alone,
   * - roll back: with the new velocity since the time of impact; keeps the
   *   angular momentum as well; then projection if still too close.
   */
  template <int dim>
  class DecompositionContactResponse : public ContactCorrection<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override;

    std::string
    warning(const PassSettings &settings,
            const double courant_number) const override;

  private:
    using AtImpact = typename CollisionGeometry<dim>::AtImpact;

    /** Handle some of the encounters; whether that changed anything. */
    bool
    handle(const CollisionGeometry<dim> &geometry,
           const std::vector<Encounter> &encounters,
           const std::vector<unsigned int> &numbers,
           const PassSettings &settings,
           ContactState<dim> &state) const;

    /** Change velocities and positions of a pair that is too close; whether
     * that could be done. */
    bool
    respond(const CollisionGeometry<dim> &geometry,
            const Encounter &encounter,
            const AtImpact &at_impact,
            const PassSettings &settings,
            Collision<dim> &collision,
            ContactState<dim> &state) const;

    /** Push the pair apart and let it travel with its new velocity for the
     * time since the impact; then move it apart if it is still too close. */
    void
    roll_back(const CollisionGeometry<dim> &geometry,
              const Encounter &encounter,
              const AtImpact &at_impact,
              const PassSettings &settings,
              Collision<dim> &collision,
              ContactState<dim> &state) const;

    enum class Placement
    {
      velocities,
      projection,
      roll_back
    };

    Placement placement = Placement::velocities;
  };



  template <int dim>
  void
  DecompositionContactResponse<dim>::declare_parameters(
    dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      "Position correction",
      "velocities",
      dealii::Patterns::Selection("velocities|projection|roll back"),
      "How nodes that would overlap are placed. 'velocities' lets impulses act "
      "at the start of the step and positions follow: energy and both momenta "
      "are exact, and points that stick stay. 'projection' moves them apart "
      "along the normal to the 'Clearance', like Cirak and West (2005), but "
      "weighted by their inverse masses. 'roll back' lets them "
      "travel with their new velocity since the time of impact: angular "
      "momentum is exact, but with a restitution above 0.5 it needs Courant "
      "numbers of 0.05 and below. Units: None.");
  }



  template <int dim>
  void
  DecompositionContactResponse<dim>::parse_parameters(
    dealii::ParameterHandler &prm)
  {
    const std::string name = prm.get("Position correction");
    placement              = name == "velocities"   ? Placement::velocities
                             : name == "projection" ? Placement::projection
                                                    : Placement::roll_back;
  }



  template <int dim>
  bool
  DecompositionContactResponse<dim>::correct(
    const Surface<dim> &surface,
    const std::vector<Encounter> &encounters,
    const PassSettings &settings,
    ContactState<dim> &state)
  {
    if (encounters.empty())
      return false;
    const auto geometry             = state.geometry(surface);
    const std::vector<char> follows = geometry.followers(encounters);
    std::vector<unsigned int> leading, following;
    for (unsigned int i = 0; i < encounters.size(); ++i)
      (follows[i] ? following : leading).push_back(i);
    // What follows is evaluated on the paths that it was found on, too.
    const std::vector<dealii::Point<dim>> found_ends =
      following.empty() ? std::vector<dealii::Point<dim>>()
                        : state.end_positions;
    const bool changed = handle(geometry, encounters, leading, settings, state);
    if (following.empty())
      return changed;
    const CollisionGeometry<dim> as_found(surface,
                                          state.start_positions,
                                          found_ends);
    if (changed)
      as_found.keep_open(encounters,
                         state.end_positions,
                         settings.eta,
                         following);
    return handle(as_found, encounters, following, settings, state) || changed;
  }



  template <int dim>
  bool
  DecompositionContactResponse<dim>::handle(
    const CollisionGeometry<dim> &geometry,
    const std::vector<Encounter> &encounters,
    const std::vector<unsigned int> &numbers,
    const PassSettings &settings,
    ContactState<dim> &state) const
  {
    std::vector<AtImpact> at_impact(numbers.size());
    in_threads(
      numbers.size(),
      [&](const std::size_t k) {
        at_impact[k] = geometry.at_impact(encounters[numbers[k]]);
      },
      encounters_per_task);
    std::vector<unsigned int> order(numbers.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](const unsigned int i, const unsigned int j) {
                       return at_impact[i].handling_order() <
                              at_impact[j].handling_order();
                     });

    return handle_in_waves<dim>(
      order.size(),
      [&](const unsigned int k, std::vector<unsigned int> &nodes) {
        geometry.add_read_nodes(encounters[numbers[order[k]]], nodes);
      },
      [&](const unsigned int k, ContactState<dim> &part) {
        const unsigned int i       = order[k];
        const Encounter &encounter = encounters[numbers[i]];
        Collision<dim> collision;
        if (!geometry.evaluate(encounter,
                               at_impact[i],
                               part.end_positions,
                               settings.eta,
                               collision) ||
            !respond(geometry,
                     encounter,
                     at_impact[i],
                     settings,
                     collision,
                     part))
          return false;
        note_handled(encounter.kind, collision, part);
        return true;
      },
      state);
  }



  template <int dim>
  bool
  DecompositionContactResponse<dim>::respond(
    const CollisionGeometry<dim> &geometry,
    const Encounter &encounter,
    const AtImpact &at_impact,
    const PassSettings &settings,
    Collision<dim> &collision,
    ContactState<dim> &state) const
  {
    switch (placement)
      {
        case Placement::velocities:
          return deflect_pair(collision, settings, state).status !=
                 ContactStatus::open;
        case Placement::projection:
          separate_pair(collision, settings, MovingSide::both, state);
          push_pair(collision, settings, state);
          break;
        case Placement::roll_back:
          roll_back(geometry, encounter, at_impact, settings, collision, state);
      }
    return true;
  }



  template <int dim>
  void
  DecompositionContactResponse<dim>::roll_back(
    const CollisionGeometry<dim> &geometry,
    const Encounter &encounter,
    const AtImpact &at_impact,
    const PassSettings &settings,
    Collision<dim> &collision,
    ContactState<dim> &state) const
  {
    Collision<dim> impact;
    const bool has_impact = geometry.evaluate_at_impact(encounter,
                                                        at_impact,
                                                        state.end_positions,
                                                        impact);
    if (has_impact)
      {
        const PairImpulse<dim> pair = push_pair(impact, settings, state);
        const double time           = (1. - encounter.time) * state.dt;
        if (pair.status != ContactStatus::open && time > 0.)
          shift_pair(impact, time * pair.impulse, state);
      }
    if (geometry.evaluate(encounter,
                          at_impact,
                          state.end_positions,
                          settings.eta,
                          collision))
      separate_pair(collision, settings, MovingSide::both, state);
    else if (has_impact)
      collision = impact;
  }



  template <int dim>
  std::string
  DecompositionContactResponse<dim>::warning(const PassSettings &settings,
                                             const double courant_number) const
  {
    if (placement == Placement::roll_back &&
        settings.restitution.largest() > 0.5 && courant_number > 0.5)
      return "Contact/dcr: 'roll back' with a restitution of " +
             std::to_string(settings.restitution.largest()) +
             " gains energy at a Courant number of " +
             std::to_string(courant_number) +
             ". Use 'projection', or a Courant number of at most 0.05.";
    return "";
  }



  RICOCHET_REGISTER_CONTACT_CORRECTION(
    DecompositionContactResponse,
    "dcr",
    "Decomposition Contact Response (Cirak and West, 2005): impulses from a "
    "decomposition of the momenta of each colliding pair, with restitution "
    "and friction; explicit.")
} // namespace Ricochet
