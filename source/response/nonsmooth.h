// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_nonsmooth_h
#define ricochet_source_response_nonsmooth_h

#include <ricochet/geometry/branches.h>
#include <ricochet/projection/admissible_projection.h>
#include <ricochet/projection/way_combinations.h>
#include <ricochet/response/contact_correction.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Nonsmooth contact (Kane, Repetto, Ortiz and Marsden, 1999), explicit in the
   * internal and implicit in the contact forces (beta = 0): the end of the step
   * is the closest point, in the norm of the mass, to the predictor among the
   * admissible configurations, and what moves it there are the contact forces,
   *
   *   x = P_C(x~),   a_con = 2/dt^2 (x - x~),   v <- v + dt a_con,
   *
   * eqs. (3.16) to (3.21), (3.27): half of the impulse at the start of the
   * step, which moves the points, and half at its end, of which GroupImpulses
   * takes back what would add energy. Without friction; two points that meet
   * separate with the restitution |1 - 2 theta|, where theta dt is the time
   * they needed to meet.
   *
   * The set C is a union of pieces with smooth sides. Of facets that cross at
   * the end of the step, each of the ways_out() leads to another piece; the one
   * with the smallest kinetic distance is taken, see closest_way(). What
   * crosses nowhere at the end and yet was passed through on the way (aligned
   * bodies, bodies at corners or inside others), the swept test finds: it gives
   * the branch of the features that met.
   *
   * Pass by pass, what is found on the paths to the projected positions is
   * added to the branches of the step, and the predictor is projected anew. If
   * the ways taken have no point in common, all combinations are tried, of few
   * crossings (take_closest_combination()); what still contradicts itself is
   * relaxed, and then the guarantee has the last word.
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

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override;

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
    /** Add the branches of an encounter; whether any is new. */
    bool
    add(const Surface<dim> &surface,
        const Encounter &encounter,
        const CollisionGeometry<dim> &geometry,
        const PassSettings &settings,
        const ContactState<dim> &state);

    /** Add those that end the crossings of the facets at an encounter, with
     * @p is_new set if any is new; whether there are crossings.
     *
     * @param[in] met The edges that met, or null. */
    bool
    end_crossings(const Surface<dim> &surface,
                  const Encounter &encounter,
                  const Branch<dim> *met,
                  const ContactState<dim> &state,
                  bool &is_new);

    /** The same for two facets. */
    bool
    end_crossing(const Surface<dim> &surface,
                 const unsigned int facet_a,
                 const unsigned int facet_b,
                 const Branch<dim> *met,
                 const ContactState<dim> &state,
                 bool &is_new);

    /** Find the closest point. */
    void
    project(const Surface<dim> &surface, const ContactState<dim> &state);

    /** The gap to keep at a branch; nothing if it has no normal at the start.
     */
    std::optional<double>
    target_of(const Surface<dim> &surface,
              const Branch<dim> &branch,
              const ContactState<dim> &state) const;

    /** The gap to keep. */
    double
    target_of(const Collision<dim> &collision) const;

    /** Let the nodes be where the predictor has them. */
    void
    take_back(ContactState<dim> &state) const;

    /** Move and push the nodes by the multipliers of the projection. */
    void
    apply(ContactState<dim> &state) const;

    bool keep_angular_momentum = false;
    bool energy_restoration    = false;

    AdmissibleProjection<dim> projection;
    Crossings<dim> crossings;
    double clearance = 0.; // in the first pass of the step

    // For the summary.
    unsigned long int n_projections = 0, n_iterations = 0;
    unsigned int most_iterations = 0, n_combined = 0, n_failed = 0;
  };
} // namespace Ricochet

#endif
