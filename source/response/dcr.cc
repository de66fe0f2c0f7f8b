// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/contact_response.h>
#include <ricochet/response/pair_response.h>

#include <algorithm>
#include <numeric>

namespace Ricochet
{
  using dealii::Tensor;

  /**
   * Decomposition Contact Response (Cirak & West): pair by pair in the order
   * of impact, move the pair apart and exchange momentum by impulses.
   *
   * Two ways to place the nodes:
   * - projection: along the normal, weighted by the inverse masses, to the
   *   clearance; keeps the centre of mass,
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

    bool
    needs_accelerations() const override
    {
      return energy_correction;
    }

    std::string
    warning(const PassSettings &settings,
            const double courant_number) const override;

  private:
    /** Move the pair apart along the normal; returns the work against the
     * potential. */
    double
    project(const Collision<dim> &collision,
            const PassSettings &settings,
            ContactState<dim> &state) const;

    /** Push the pair apart and let it travel with its new velocity for the
     * time since the impact. */
    void
    push_and_roll_back(const Collision<dim> &collision,
                       const PassSettings &settings,
                       const double time_since_impact,
                       ContactState<dim> &state) const;

    bool roll_back         = false;
    bool energy_correction = false;
  };



  template <int dim>
  void
  DecompositionContactResponse<dim>::declare_parameters(
    dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      "Position correction",
      "projection",
      dealii::Patterns::Selection("projection|roll back"),
      "How overlapping nodes are placed. 'projection' moves them apart along "
      "the normal, weighted by their inverse masses. 'roll back' lets them "
      "travel with their new velocity since the time of impact: angular "
      "momentum is exact, but with a restitution above 0.5 it needs Courant "
      "numbers of 0.05 and below. Units: None.");
    prm.declare_entry(
      "Energy correction",
      "false",
      dealii::Patterns::Bool(),
      "Whether the impulse also returns the work that the position correction "
      "did on the bodies (paper 1, equation (15)). Elastic impacts (restitution "
      "1) then gain hardly any energy at large steps; small steps do better "
      "without. Only with 'projection'. Units: None.");
  }



  template <int dim>
  void
  DecompositionContactResponse<dim>::parse_parameters(
    dealii::ParameterHandler &prm)
  {
    roll_back         = prm.get("Position correction") == "roll back";
    energy_correction = prm.get_bool("Energy correction");
    require(!(roll_back && energy_correction),
            "Contact/dcr: 'Energy correction = true' belongs to 'Position "
            "correction = projection'; with 'roll back' leave it false.");
  }



  template <int dim>
  bool
  DecompositionContactResponse<dim>::correct(
    const Surface<dim> &surface,
    const std::vector<Encounter> &encounters,
    const PassSettings &settings,
    ContactState<dim> &state)
  {
    const CollisionGeometry<dim> geometry(surface,
                                          state.begin,
                                          state.end,
                                          &state.obstacle_contacts);
    std::vector<typename CollisionGeometry<dim>::AtImpact> at_impact;
    at_impact.reserve(encounters.size());
    for (const Encounter &encounter : encounters)
      at_impact.push_back(geometry.at_impact(encounter));

    // Pairs that no normal fits follow others through a surface; when these are
    // back, there is mostly nothing left to do.
    std::vector<unsigned int> order(encounters.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_partition(order.begin(), order.end(), [&](unsigned int i) {
      return at_impact[i].is_plausible;
    });

    bool changed = false;
    Collision<dim> collision;
    for (const unsigned int i : order)
      {
        if (!geometry.evaluate(encounters[i],
                               at_impact[i],
                               state.end,
                               settings.eta,
                               collision))
          continue;

        if (roll_back)
          {
            Collision<dim> impact;
            const bool has_impact = geometry.evaluate_at_impact(encounters[i],
                                                                at_impact[i],
                                                                state.end,
                                                                impact);
            if (has_impact)
              push_and_roll_back(impact,
                                 settings,
                                 (1. - encounters[i].time) * state.dt,
                                 state);
            if (geometry.evaluate(encounters[i],
                                  at_impact[i],
                                  state.end,
                                  settings.eta,
                                  collision))
              project(collision, settings, state);
            else if (has_impact)
              collision = impact;
          }
        else
          {
            const double work = project(collision, settings, state);
            push_pair(collision, settings, -work, state);
          }

        changed = true;
        note_handled(encounters[i].kind, collision, state);
      }
    return changed;
  }



  template <int dim>
  double
  DecompositionContactResponse<dim>::project(const Collision<dim> &collision,
                                             const PassSettings &settings,
                                             ContactState<dim> &state) const
  {
    const Tensor<1, dim> shift =
      separate_pair(collision, settings, MovingSide::both, state);

    // The displacement is M^-1 w shift, so its product with the gradient of the
    // potential needs only the accelerations -M^-1 gradient.
    return energy_correction
             ? -(shift * collision.weighted_sum(state.accelerations))
             : 0.;
  }



  template <int dim>
  void
  DecompositionContactResponse<dim>::push_and_roll_back(
    const Collision<dim> &collision,
    const PassSettings &settings,
    const double time_since_impact,
    ContactState<dim> &state) const
  {
    const PairImpulse<dim> pair = push_pair(collision, settings, 0., state);
    if (pair.status != ContactStatus::open && time_since_impact > 0.)
      shift_pair(collision, time_since_impact * pair.impulse, state);
  }



  template <int dim>
  std::string
  DecompositionContactResponse<dim>::warning(const PassSettings &settings,
                                             const double courant_number) const
  {
    if (roll_back && settings.restitution.largest() > 0.5 &&
        courant_number > 0.5)
      return "Contact/dcr: 'roll back' with a restitution of " +
             std::to_string(settings.restitution.largest()) +
             " gains energy at a Courant number of " +
             std::to_string(courant_number) +
             ". Use 'projection', or a Courant number of at most 0.05.";
    return "";
  }



  RICOCHET_REGISTER_CONTACT_RESPONSE(
    DecompositionContactResponse,
    "dcr",
    "Decomposition Contact Response (Cirak & West): impulses from a "
    "decomposition of the momenta of each colliding pair, with restitution "
    "and Coulomb friction; explicit.")
} // namespace Ricochet
