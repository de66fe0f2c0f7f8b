// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_step_gaps_h
#define ricochet_projection_step_gaps_h

#include <ricochet/geometry/branches.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>
#include <ricochet/projection/admissible_projection.h>
#include <ricochet/projection/way_combinations.h>

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * The gaps that must stay open in a step, found on the paths to its end, and
   * the closest point to a predictor where they are (Kane, Repetto, Ortiz and
   * Marsden, 1999).
   *
   * The set of admissible configurations is a union of pieces with smooth
   * sides. Of facets that cross at the end of the step, each of the ways_out()
   * leads to another piece; the one with the smallest kinetic distance is
   * taken, see closest_way(). What crosses nowhere at the end and yet was
   * passed through on the way (aligned bodies, bodies at corners or inside
   * others), the swept test finds: it gives the branch of the features that
   * met.
   *
   * If the ways taken have no point in common, all combinations are tried, of
   * few crossings (take_closest_combination()); what still contradicts itself
   * is relaxed.
   */
  template <int dim>
  class StepGaps
  {
  public:
    /** Whether the directions of the gaps are those in the middle of the step,
     * see AdmissibleProjection::project(). */
    void
    set_directions_of_middle(const bool on)
    {
      directions_of_middle = on;
    }

    /** Begin a step. @p clearance is what is to be kept between features at
     * least, relative to their length; @p opens says whether gaps that are
     * closed at the start, of features beyond each other's borders, have to
     * open, instead of becoming no smaller, with which the start of the step is
     * always admissible. */
    void
    clear(const double clearance, const bool opens = true);

    /** Linearize the gaps first where they were open last, from now on, or if
     * that does not settle at @p start; instead of at the predictor. At the
     * start of the step all gaps can be open at once, and one that is far
     * beyond others has gradients that are against each other. */
    void
    linearize_from(const std::vector<dealii::Point<dim>> &start);

    /** The positions of linearize_from(). */
    const std::vector<dealii::Point<dim>> &
    start_of_step() const
    {
      return first_guess;
    }

    /** Forget the gaps without a force, and those whose features do not face
     * each other any more, where they were open last: what an iterate met that
     * has turned out to be far away must not bind the next one. */
    void
    forget_idle(const Surface<dim> &surface);

    /** What add() does with gaps that are known already. */
    enum class Known
    {
      /** Widen them to PassSettings::delta where encounters ask for more. */
      widen,
      leave
    };

    /** Add the gaps that @p encounters on the paths of @p state ask for;
     * whether any is new, or has changed. */
    bool
    add(const Surface<dim> &surface,
        const std::vector<Encounter> &encounters,
        const PassSettings &settings,
        const ContactState<dim> &state,
        const Known known = Known::widen);

    /** Add the gaps, along their normals where they meet, of those pairs of
     * which add() has nothing to say although they keep the step from ending
     * there, and widen those that there are; whether there were any. */
    bool
    keep_apart(const Surface<dim> &surface,
               const std::vector<Encounter> &encounters,
               const PassSettings &settings,
               const ContactState<dim> &state);

    /**
     * Find the multipliers of the gaps at the closest point to the predictor
     * of @p state, in the norm of what @p flexibility is the inverse of.
     *
     * @return Whether all gaps are open there.
     */
    bool
    project(const Surface<dim> &surface,
            const InverseMass<dim> &flexibility,
            const ContactState<dim> &state);

    /** Whether features that are pressed against each other do not ring: find
     * them, as long as the velocities of @p state are still those at the start
     * of the step. They are those whose gap is as small there as it may be, and
     * which stay so although they do not approach each other then. */
    void
    find_pressed(const Surface<dim> &surface, const ContactState<dim> &state);

    /** Whether find_pressed() has found the gap with this number. */
    bool
    is_pressed(const unsigned int k) const
    {
      return pressed[k] != 0;
    }

    /** Whether find_pressed() looks for any. */
    void
    set_stops_ringing(const bool on)
    {
      stops_ringing = on;
    }

    /** The same. */
    bool
    get_stops_ringing() const
    {
      return stops_ringing;
    }

    /** Groups of more gaps between bodies with stiffness are solved without
     * columns of the flexibility, see SaddlePointProgram. */
    void
    set_most_by_columns(const unsigned int n)
    {
      most_by_columns = n;
    }

    /** The same. */
    unsigned int
    get_most_by_columns() const
    {
      return most_by_columns;
    }

    /** The gaps with their multipliers. */
    const AdmissibleProjection<dim> &
    get_projection() const
    {
      return projection;
    }

    /** Names and numbers for the summary of a run. */
    std::vector<std::pair<std::string, double>>
    numbers() const;

  private:
    /** Add the branches of an encounter; whether any is new. */
    bool
    add(const Surface<dim> &surface,
        const Encounter &encounter,
        const CollisionGeometry<dim> &geometry,
        const PassSettings &settings,
        const ContactState<dim> &state,
        const Known known);

    /** Add those that end the crossings of the facets at an encounter, with
     * @p is_new set if any is new; whether there are crossings.
     *
     * @param[in] features The branch of the encounter.
     * @param[in] have_met Whether these are edges that met; not asked for if
     *   nothing crosses. */
    bool
    end_crossings(const Surface<dim> &surface,
                  const Encounter &encounter,
                  const Branch<dim> &features,
                  const std::function<bool()> &have_met,
                  const ContactState<dim> &state,
                  bool &is_new);

    /** The same for two facets, out of which there are @p ways. */
    bool
    end_crossing(const Surface<dim> &surface,
                 const std::array<unsigned int, 2> &facets,
                 const std::vector<BranchSet<dim>> &ways,
                 const Branch<dim> *met,
                 const ContactState<dim> &state,
                 bool &is_new);

    /** Widen the gap of an encounter that is known; whether that changes it. */
    bool
    widen(const Surface<dim> &surface,
          const Encounter &encounter,
          const CollisionGeometry<dim> &geometry,
          const PassSettings &settings,
          const ContactState<dim> &state);

    /** One projection onto the gaps that are known, from the predictor or from
     * @p guess; whether all are open then, at @p guess. For @p middle_of see
     * AdmissibleProjection::project(). */
    bool
    project_once(const Surface<dim> &surface,
                 const InverseMass<dim> &flexibility,
                 const ContactState<dim> &state,
                 const std::vector<dealii::Point<dim>> *middle_of,
                 std::vector<dealii::Point<dim>> &guess,
                 std::set<Branch<dim>> &unsettled);

    /** The gap to keep at a branch; nothing if it has no normal at the start.
     */
    std::optional<double>
    target_of(const Surface<dim> &surface,
              const Branch<dim> &branch,
              const ContactState<dim> &state) const;

    /** The gap to keep. */
    double
    target_of(const Collision<dim> &collision) const;

    bool directions_of_middle    = false;
    double clearance             = 0.;
    bool opens                   = true;
    bool stops_ringing           = false;
    unsigned int most_by_columns = 0;
    std::vector<char> pressed; // each gap, or not

    /** Of linearize_from(), and where the gaps were open last. */
    std::vector<dealii::Point<dim>> first_guess, guess;
    AdmissibleProjection<dim> projection;
    Crossings<dim> crossings;

    // For the summary.
    unsigned long int n_projections = 0, n_iterations = 0, n_large = 0,
                      n_by_columns = 0;
    unsigned int most_iterations = 0, n_combined = 0, n_failed = 0, n_kept = 0;
  };
} // namespace Ricochet

#endif
