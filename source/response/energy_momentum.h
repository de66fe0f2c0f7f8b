// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_energy_momentum_h
#define ricochet_source_response_energy_momentum_h

#include <ricochet/response/contact_forces.h>
#include <ricochet/response/master_slave.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "master_facets.h"
#include "slave_contact.h"

namespace Ricochet
{
  /**
   * Frictional contact that keeps both momenta, and energy but for what
   * friction takes (Love and Laursen, 2003), for the integrator of the same
   * name, whose equations are, with displacements d,
   *
   *   M 2/dt ((d_1 - d_0)/dt - v_0) + f_int - f_c = 0,
   *   v_1 = 2 (d_1 - d_0)/dt - v_0 + v_c.
   *
   * Each slave l, a vertex that stands for the area w of its surface in the
   * reference configuration, and the facet below it in the middle of the step
   * get the forces
   *
   *   f_A = w (t_N N_A - t_Ta D^a_A),
   *
   * see FacetProjection and contact_traction(). At the end of the step,
   *
   *   M v_c = sum_l kappa_l F_l,   F_l = w (t_N N_A - t_Ta D^a_A),
   *
   * with the directions there, gives back what the forces have taken, but for
   * the friction dt w D, D = mu t_N |v_T| of slaves that slide:
   *
   *   c_l = dt w D + f_l . (d_1 - d_0),   see update_velocities().
   *
   * Both f and F keep momentum and angular momentum. Without v_c the energy
   * changes by what is left of c.
   *
   * Where a slave was behind the surface already, forces act on what is added
   * to the overlap in a step, not on the overlap itself, so they never pull
   * energy out of it; it grows slowly while contact lasts. Multipliers keep it
   * within bounds. They start from zero in each step, since then t_N v_N >= 0,
   * on which c_l <= 0 rests: a multiplier of the step before could push a slave
   * that leaves.
   *
   * In an initial equilibrium, the pressure is the penalty times all of the
   * overlap, without friction. From there on such a contact is preloaded: a
   * spring, see contact_traction(), until it lets go, when it becomes one like
   * others. Its forces take from the bodies what they store or give to friction
   * and nothing else, so it needs no v_c, and pushes in the first step as it
   * did before. What springs store is not in the energy of bodies; contact work
   * has it with the opposite sign.
   *
   * Obstacles are masters of all. Of one without a surface, a slave sees the
   * plane at the closest point. That it turns and moves from iterate to iterate
   * where the obstacle is curved is not in the stiffness; so after some
   * iterates of a step the plane stays as it is, which costs no energy.
   *
   * On a penalty of zero they follow from masses and the step: such that a body
   * without any stiffness overlaps by 2 % of what it would without contact, and
   * slides by 17 % of its speed before friction holds it.
   */
  template <int dim>
  class EnergyMomentumContact : public ContactForces<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    void
    parse_parameters(dealii::ParameterHandler &prm) override;

    void
    set_bodies(const std::vector<std::string> &names) override;

    void
    check(const PassSettings &settings) const override;

    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &search,
           const std::vector<double> &skin_heights) override;

    double
    reach() const override;

    void
    begin_step(const Surface<dim> &surface,
               const ContactState<dim> &state) override;

    void
    begin_equilibrium(const Surface<dim> &surface,
                      const ContactState<dim> &state) override;

    void
    evaluate(const Surface<dim> &surface,
             const std::vector<Encounter> &pairs,
             const PassSettings &settings,
             const ContactState<dim> &state,
             const bool with_stiffness,
             std::vector<ContactElement<dim>> &elements) const override;

    bool
    augment(const Surface<dim> &surface,
            const std::vector<Encounter> &pairs,
            const PassSettings &settings,
            const ContactState<dim> &state) override;

    void
    accept_step(const Surface<dim> &surface,
                const std::vector<Encounter> &pairs,
                const PassSettings &settings,
                ContactState<dim> &state) override;

    void
    accept_equilibrium(const Surface<dim> &surface,
                       const std::vector<Encounter> &pairs,
                       const PassSettings &settings,
                       const ContactState<dim> &state) override;

    std::vector<std::pair<std::string, double>>
    numbers() const override;

    std::vector<double>
    memory() const override;

    void
    set_memory(const std::vector<double> &memory) override;

  private:
    /** The number of a slave, and of the master's body. */
    using SlaveAndMaster = std::array<unsigned int, 2>;

    /** Of an augmented Lagrangian, stresses. */
    struct Multipliers
    {
      double normal = 0.;
      dealii::Tensor<1, dim> tangential;
    };

    /** Of a preloaded contact. */
    struct Preload
    {
      double pressure, penalty;
    };

    /** Find out who is an obstacle, once. */
    void
    find_obstacles(const Surface<dim> &surface, const ContactState<dim> &state);

    /** Remember of contacts at the end of a step which slaves are behind
     * surfaces, and what pressure preloaded ones have there. */
    void
    remember(const std::vector<SlaveContact<dim>> &contacts);

    /** Whether a facet is a master of a vertex. */
    bool
    is_master(const Surface<dim> &surface,
              const unsigned int vertex,
              const unsigned int facet) const;

    /** All contacts of an iterate. */
    std::vector<SlaveContact<dim>>
    contacts_of(const Surface<dim> &surface,
                const std::vector<Encounter> &pairs,
                const PassSettings &settings,
                const ContactState<dim> &state,
                const bool with_derivatives) const;

    /** Those with obstacles without a surface. */
    void
    add_contacts_with_planes(const std::vector<Encounter> &pairs,
                             const ContactState<dim> &state,
                             std::vector<SlaveContact<dim>> &contacts) const;

    /** The law for a contact, and the tractions. */
    void
    add_tractions(const PassSettings &settings,
                  const ContactState<dim> &state,
                  const bool with_derivatives,
                  SlaveContact<dim> &contact) const;

    std::string table_text;
    bool is_automatic = true;
    MasterSlaveTable table;
    double normal_penalty = 0., tangential_penalty = 0.;
    bool updates_velocities = true;
    double largest_overlap  = 0.;

    /** By body, the mean length of its facets' shortest edges. */
    std::vector<double> facet_lengths;

    MasterFacets<dim> facets;

    /** Of bodies; obstacles are never slaves. Empty until masses are known. */
    std::vector<bool> is_obstacle;

    /** What each node stands for as a slave of obstacles without a surface. */
    std::vector<double> node_areas;

    /** Slaves and obstacles without a surface that they were inside at the end
     * of the last step, if there was one. */
    std::set<SlaveAndMaster> inside_obstacles;
    bool is_first_step = true;

    /** Those that have had a pressure since the equilibrium at the start, if
     * there was one; no others come to it. */
    std::map<SlaveAndMaster, Preload> preloads;

    /** Whether this is not a step but a part of the way to an equilibrium. */
    bool is_static = false;

    /** Planes of obstacles in the iterations of this step, and how often they
     * were used. */
    struct UsedPlane
    {
      ObstaclePlane<dim> plane;
      unsigned int n_uses = 0;
    };
    mutable std::map<SlaveAndMaster, UsedPlane> planes;

    /** Of this step, or of all parts of the way to an equilibrium, by slave and
     * master. */
    std::map<SlaveAndMaster, Multipliers> multipliers;

    /** Of the run. */
    double deepest = 0., lost_energy = 0., defect = 0.;
    unsigned int n_defects = 0;
  };
} // namespace Ricochet

#endif
