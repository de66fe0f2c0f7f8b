// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/response/admissible_projection.h>
#include <ricochet/response/contact_response.h>
#include <ricochet/response/energy_restoration.h>
#include <ricochet/response/pair_response.h>
#include <ricochet/search/branches.h>
#include <ricochet/surface/vertex_facets.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Kinetic distances that differ by less, relative, are the same. */
    constexpr double same_distance = 1e-9;



    /** The square of the distance to where the linearized gap is zero, in the
     * norm of the mass: g^2 / (w . M^-1 w) along the normal. */
    template <int dim>
    double
    kinetic_distance_square(const Collision<dim> &collision,
                            const InverseMass<dim> &inverse_mass)
    {
      const Tensor<1, dim> C = inverse_mass.effective(collision);
      double flexibility     = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        flexibility += collision.normal[d] * C[d] * collision.normal[d];
      return flexibility > 0. ? collision.gap * collision.gap / flexibility
                              : std::numeric_limits<double>::infinity();
    }
  } // namespace



  /**
   * Nonsmooth contact (Kane, Repetto, Ortiz, Marsden), explicit in the internal
   * and implicit in the contact forces (beta = 0): the end of the step is the
   * closest point, in the norm of the mass, to the predictor among the
   * admissible configurations, and what moves it there are the contact forces,
   *
   *   x = P_C(x~),   a_con = 2/dt^2 (x - x~),   v <- v + dt a_con,
   *
   * eqs. (3.16) to (3.21), (3.27). Without friction; two points that meet
   * separate with the restitution |1 - 2 theta|, where theta dt is the time
   * they needed to meet.
   *
   * The set C is a union of pieces with smooth sides. Of facets that cross at
   * the end of the step, each of the ways_out() leads to another piece; the one
   * with the smallest kinetic distance g^2 / (w . M^-1 w) is taken, and the
   * first of several with the same; ways that were closed at the start of the
   * step come last, since they lead out where the body did not come in. What
   * crosses nowhere at the end and yet was passed through on the way (aligned
   * bodies, bodies at corners or inside others), the swept test finds: it gives
   * the branch of the features that met.
   *
   * Pass by pass, what is found on the paths to the projected positions is
   * added to the branches of the step, and the predictor is projected anew.
   */
  template <int dim>
  class NonsmoothResponse : public ContactCorrection<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    check(const PassSettings &settings) const override;

    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &search,
           const std::vector<double> &skin_heights) override;

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override;

    bool
    needs_accelerations() const override
    {
      return energy_restoration;
    }

    bool
    updates_velocities() const override
    {
      return energy_restoration;
    }

    /** Let the contacts push until the work of their forces is given back. */
    void
    update_velocities(const Surface<dim> &surface,
                      ContactState<dim> &state) override;

    std::vector<std::pair<std::string, double>>
    numbers() const override;

  private:
    using FacetPair = std::array<unsigned int, 2>;

    /** Add the branches of an encounter; whether any is new. */
    bool
    add(const Surface<dim> &surface,
        const Encounter &encounter,
        const CollisionGeometry<dim> &geometry,
        const PassSettings &settings,
        const ContactState<dim> &state);

    /** Add those that end the crossings of the facets at an encounter, with
     * @p is_new set if any is new; whether there are crossings. */
    bool
    end_crossings(const Surface<dim> &surface,
                  const Encounter &encounter,
                  const PassSettings &settings,
                  const ContactState<dim> &state,
                  bool &is_new);

    /** The one with the smallest kinetic distance. */
    const BranchSet<dim> &
    best_way(const Surface<dim> &surface,
             const std::vector<BranchSet<dim>> &ways,
             const ContactState<dim> &state) const;

    bool
    add_branch(const Surface<dim> &surface,
               const Branch<dim> &branch,
               const PassSettings &settings,
               const ContactState<dim> &state);

    /** Let the nodes be where the predictor has them. */
    void
    take_back(ContactState<dim> &state) const;

    /** Move and push the nodes by the multipliers of the projection. */
    void
    apply(ContactState<dim> &state) const;

    bool keep_angular_momentum = false;
    bool energy_restoration    = false;

    VertexFacets vertex_facets;
    AdmissibleProjection<dim> projection;
    std::set<FacetPair> crossings; // of this pass
    double clearance = 0.;         // in the first pass of the step

    // For the summary.
    unsigned long int n_projections = 0, n_iterations = 0;
    unsigned int most_iterations = 0, n_failed = 0;
  };



  template <int dim>
  void
  NonsmoothResponse<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      "Exact angular momentum",
      "false",
      dealii::Patterns::Bool(),
      "Whether contact forces have the directions of the gaps in the middle of "
      "the step, instead of those at its end: then they keep the angular "
      "momentum to round-off instead of to first order in the step, but the "
      "projection is no longer the closest point. Units: None.");
    prm.declare_entry(
      "Energy restoration",
      "false",
      dealii::Patterns::Bool(),
      "Whether contacts that close push on until they have given back the "
      "energy that their forces took, as in energy-momentum methods (paper 4, "
      "equation (74)): impacts are then elastic. Units: None.");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    keep_angular_momentum = prm.get_bool("Exact angular momentum");
    energy_restoration    = prm.get_bool("Energy restoration");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::check(const PassSettings &settings) const
  {
    require(settings.friction.largest() == 0.,
            "Contact: the response 'nonsmooth' has no friction, and 'Friction "
            "coefficient' or 'Friction of pairs' is not zero. Set them to 0 or "
            "leave them out, or use 'Response = dcr' or 'barycentric'.");
    require(settings.restitution.smallest() == 1.,
            "Contact: the restitution of the response 'nonsmooth' follows from "
            "its projection. Leave 'Restitution' at 1 and 'Restitution of "
            "pairs' out, or use 'Response = dcr' or 'barycentric'.");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::reinit(const Surface<dim> &surface,
                                 const SearchSettings &,
                                 const std::vector<double> &)
  {
    vertex_facets.reinit(surface);
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::correct(const Surface<dim> &surface,
                                  const std::vector<Encounter> &encounters,
                                  const PassSettings &settings,
                                  ContactState<dim> &state)
  {
    if (!state.has_acted())
      {
        projection.clear();
        clearance = settings.delta;
      }
    const CollisionGeometry<dim> geometry(surface,
                                          state.begin,
                                          state.end,
                                          &state.obstacle_contacts);
    crossings.clear();
    bool any = false;
    for (const Encounter &encounter : encounters)
      any |= add(surface, encounter, geometry, settings, state);
    if (!any)
      return false;

    std::vector<Point<dim>> positions;
    const auto result =
      projection.project(surface,
                         state.inverse_mass,
                         state.predicted_end,
                         keep_angular_momentum ? &state.begin : nullptr,
                         positions);
    ++n_projections;
    n_iterations += result.n_iterations;
    most_iterations = std::max(most_iterations, result.n_iterations);
    n_failed += result.is_solved ? 0 : 1;

    take_back(state);
    apply(state);
    return true;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::add(const Surface<dim> &surface,
                              const Encounter &encounter,
                              const CollisionGeometry<dim> &geometry,
                              const PassSettings &settings,
                              const ContactState<dim> &state)
  {
    bool is_new = false;
    if (encounter.kind != PairKind::obstacle &&
        end_crossings(surface, encounter, settings, state, is_new))
      return is_new;

    Collision<dim> collision;
    const bool is_close = geometry.evaluate(encounter,
                                            geometry.at_impact(encounter),
                                            state.end,
                                            settings.eta,
                                            collision);
    if (encounter.kind != PairKind::obstacle)
      {
        const auto branch     = branch_of(surface, encounter, state.begin);
        const bool is_blocked = geometry.is_blocked(encounter, state.end);
        // Where both ends of a curved path are admissible and the straight one
        // is not, more clearance is needed.
        if (is_blocked && projection.has(branch))
          return projection.raise(branch, settings.delta);
        return (is_close || is_blocked) &&
               add_branch(surface, branch, settings, state);
      }
    if (is_close)
      projection.add(encounter, collision, clearance * collision.length);
    return is_close;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::end_crossings(const Surface<dim> &surface,
                                        const Encounter &encounter,
                                        const PassSettings &settings,
                                        const ContactState<dim> &state,
                                        bool &is_new)
  {
    bool any                   = false;
    const auto end_crossing_of = [&](const unsigned int a,
                                     const unsigned int b) {
      const auto ways = ways_out(surface, state.end, a, b);
      if (ways.empty())
        return;
      any = true;
      if (!crossings.insert(FacetPair{{std::min(a, b), std::max(a, b)}}).second)
        return;
      for (const Branch<dim> &branch : best_way(surface, ways, state))
        is_new |= add_branch(surface, branch, settings, state);
    };
    if (encounter.kind == PairKind::vertex_facet)
      for (const unsigned int f : vertex_facets[encounter.first])
        end_crossing_of(f, encounter.second);
    else
      for (const unsigned int f : surface.edge_facets[encounter.first])
        for (const unsigned int g : surface.edge_facets[encounter.second])
          if (f != Surface<dim>::none && g != Surface<dim>::none)
            end_crossing_of(f, g);
    return any;
  }



  template <int dim>
  const BranchSet<dim> &
  NonsmoothResponse<dim>::best_way(const Surface<dim> &surface,
                                   const std::vector<BranchSet<dim>> &ways,
                                   const ContactState<dim> &state) const
  {
    const BranchSet<dim> *best = nullptr;
    bool best_was_open         = false;
    double shortest            = 0.;
    for (const BranchSet<dim> &way : ways)
      {
        bool was_open   = true;
        double distance = 0.;
        for (const Branch<dim> &branch : way)
          {
            Collision<dim> collision;
            was_open =
              was_open &&
              evaluate_branch(surface, branch, state.begin, collision) &&
              collision.gap >= -touching_distance * collision.length;
            if (!evaluate_branch(surface, branch, state.end, collision))
              continue;
            distance =
              std::max(distance,
                       kinetic_distance_square(collision, state.inverse_mass));
          }
        const bool is_shorter =
          distance < (1. - same_distance) * shortest ||
          (distance <= (1. + same_distance) * shortest && way < *best);
        if (best == nullptr || (was_open && !best_was_open) ||
            (was_open == best_was_open && is_shorter))
          {
            best          = &way;
            best_was_open = was_open;
            shortest      = distance;
          }
      }
    return *best;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::add_branch(const Surface<dim> &surface,
                                     const Branch<dim> &branch,
                                     const PassSettings &settings,
                                     const ContactState<dim> &state)
  {
    // What starts closer than the clearance stays there: to open the gap on
    // would be work that contact does.
    Collision<dim> start;
    if (!evaluate_branch(surface, branch, state.begin, start))
      return false;
    const double target =
      std::clamp(start.gap,
                 std::min(2. * settings.eta, clearance) * start.length,
                 clearance * start.length);
    return projection.add(branch, target);
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::take_back(ContactState<dim> &state) const
  {
    state.end        = state.predicted_end;
    state.velocities = state.predicted_velocities;
    for (const unsigned int node : state.touched_nodes)
      {
        state.impulses[node]          = 0.;
        state.position_impulses[node] = 0.;
        state.normal_impulses[node]   = 0.;
        state.status[node]            = ContactStatus::open;
      }
    state.handled.clear();
    const unsigned int n_passes = state.record.n_passes;
    state.record                = ContactRecord();
    state.record.n_passes       = n_passes;
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::apply(ContactState<dim> &state) const
  {
    const auto &constraints = projection.get_constraints();
    for (const GapConstraint<dim> &c : constraints)
      shift_pair(c.collision, c.multiplier * c.collision.normal, state);
    for (unsigned int k = 0; k < constraints.size(); ++k)
      {
        const Collision<dim> &collision = constraints[k].collision;
        note_handled(projection.get_kinds()[k], collision, state);
        push_along(collision, 2. / state.dt * constraints[k].multiplier, state);
      }
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::update_velocities(const Surface<dim> &surface,
                                            ContactState<dim> &state)
  {
    // The work is that of the impulses on the mean velocity of the step: with
    // it the energy that explicit Newmark keeps, K + U - dt^2/8 a.Ma, changes,
    // where the displacement of the step would miss dt^2/4 F.(a_n+1 - a_n).
    std::vector<double> work;
    for (const GapConstraint<dim> &c : projection.get_constraints())
      {
        const Tensor<1, dim> v_begin =
          c.collision.weighted_sum(state.predicted_velocities) -
          0.5 * state.dt * c.collision.weighted_sum(state.accelerations);
        work.push_back(
          c.multiplier / state.dt *
          (c.collision.normal *
           (v_begin + c.collision.weighted_sum(state.velocities))));
      }
    restore_energy(projection.at(surface, state.end), work, state);
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  NonsmoothResponse<dim>::numbers() const
  {
    return {{"projections", n_projections},
            {"of these not solved", n_failed},
            {"iterations per projection",
             n_projections > 0 ? double(n_iterations) / n_projections : 0.},
            {"most iterations", most_iterations}};
  }



  RICOCHET_REGISTER_CONTACT_RESPONSE(
    NonsmoothResponse,
    "nonsmooth",
    "Nonsmooth contact (Kane, Repetto, Ortiz, Marsden): the closest-point "
    "projection of the predictor onto the configurations without overlap, by "
    "sequential quadratic programming; without friction, explicit.")
} // namespace Ricochet
