// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_rigid_response_h
#define ricochet_source_response_rigid_response_h

#include <ricochet/response/contact_forces.h>
#include <ricochet/response/master_slave.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "master_facets.h"
#include "rigid_scene.h"

namespace Ricochet
{
  /**
   * Contact of rigid bodies with each other and with obstacles that keeps
   * energy and both momenta (Puso and Zywicz, 1998), for the integrator
   * "energy-momentum", without friction: by multipliers, solve_rigid_impacts(),
   * or by a penalty, solve_rigid_penalty().
   *
   * What touches is found at the ends of the steps without contact: vertices
   * behind facets, and spheres about centres of mass, which need no facets.
   * After the impulses some bodies may still be behind the surface of others,
   * by no more than they come in a step, until they leave. Edges do not meet
   * edges.
   *
   * Obstacles are masters, and those with a surface slaves as well; each of
   * their contact points moves straight on in a step.
   */
  template <int dim>
  class RigidResponse : public ContactForces<dim>
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
    evaluate(const Surface<dim> &surface,
             const std::vector<Encounter> &pairs,
             const PassSettings &settings,
             const ContactState<dim> &state,
             const bool with_stiffness,
             std::vector<ContactElement<dim>> &elements) const override;

    void
    accept_step(const Surface<dim> &surface,
                const std::vector<Encounter> &pairs,
                const PassSettings &settings,
                ContactState<dim> &state) override;

    bool
    solves_rigid_steps() const override
    {
      return true;
    }

    double
    solve_rigid_steps(const Surface<dim> &surface,
                      const std::vector<Encounter> &pairs,
                      ContactRigidBodies<dim> &bodies,
                      ContactState<dim> &state,
                      std::vector<RigidStep> &steps) override;

    std::vector<std::pair<std::string, double>>
    numbers() const override;

    std::vector<double>
    memory() const override;

    void
    set_memory(const std::vector<double> &memory) override;

  private:
    /** Numbers of a slave, a vertex or a body behind all of these, and of the
     * master's body. */
    using SlaveAndMaster = std::array<unsigned int, 2>;

    std::vector<RigidMeeting<dim>>
    find_meetings(RigidScene<dim> &scene) const;

    /** What acts on the slave of a meeting along a normal, and where. */
    struct Impulse
    {
      double size = 0.;
      dealii::Tensor<1, 3> normal, place;
    };

    /** Solve the steps. */
    std::vector<Impulse>
    solve_with_multipliers(const std::vector<RigidMeeting<dim>> &meetings,
                           RigidScene<dim> &scene) const;

    /** Solve them, and say how much the stored energy has grown. */
    std::pair<std::vector<Impulse>, double>
    solve_with_springs(const std::vector<RigidMeeting<dim>> &meetings,
                       RigidScene<dim> &scene);

    /** Tell the log of it. */
    void
    write_down(const RigidMeeting<dim> &meeting,
               const Impulse &impulse,
               RigidScene<dim> &scene) const;

    /** Remember who is behind whose surface at the end of the step. */
    void
    remember(RigidScene<dim> &scene);

    std::string table_text, spheres_text;
    MasterSlaveTable table;
    bool has_springs = false;
    double stiffness = 0.;

    /** Of bodies that are spheres, their radii; of hollow ones negative. */
    std::map<unsigned int, double> radii;
    SearchSettings search;
    unsigned int n_bodies = 0;

    MasterFacets<dim> facets;
    bool is_first_step = true;

    /** Dynamic gaps of springs that are compressed. */
    std::map<SlaveAndMaster, double> gaps;

    /** Of the run. */
    double deepest = 0.;
  };
} // namespace Ricochet

#endif
