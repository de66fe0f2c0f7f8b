// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_forces_h
#define ricochet_response_contact_forces_h

#include <ricochet/base/registry.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/response/contact_response.h>
#include <ricochet/response/contact_rigid_bodies.h>
#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** What one contact gives to its nodes in an iteration. */
  template <int dim>
  struct ContactElement
  {
    /** Of the contact surface, see ContactState; those of obstacles have no
     * degrees of freedom. */
    std::vector<unsigned int> nodes;

    /** One per node; their sum is zero. */
    std::vector<dealii::Tensor<1, dim>> forces;

    /** Their derivatives with respect to the positions of the nodes at the end
     * of the step, dim rows and columns per node; empty if not asked for. */
    dealii::FullMatrix<double> stiffness;
  };



  /**
   * A response of implicit integrators: forces that depend on the iterate. In
   * each step
   * - begin_step(), again if the step is repeated with another length,
   * - evaluate() in each iteration,
   * - augment() when these have found an end of the step, and if it says so
   * more iterations,
   * - accept_step() when the integrator has found the end of the step, which
   *   may change the velocities there once more.
   *
   * Before the first step there may be parts of the way to an equilibrium, with
   * begin_equilibrium() and accept_equilibrium() in place of the first and the
   * last.
   *
   * Nothing but these last ones may change what the response remembers from
   * step to step.
   */
  template <int dim>
  class ContactForces : public ContactResponse<dim>
  {
  public:
    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "contact response by forces";
    }

    /**
     * How close pairs must be at the end of a step to be handed over, and how
     * deep in each other they may be. Units: local edge length.
     */
    virtual double
    reach() const = 0;

    /** A step starts; with positions and velocities there. */
    virtual void
    begin_step(const Surface<dim> & /*surface*/,
               const ContactState<dim> & /*state*/)
    {}

    /** A part of the way to an equilibrium starts: forces until
     * accept_equilibrium() are those at rest in the iterate, without friction,
     * wherever the way there came from. */
    virtual void
    begin_equilibrium(const Surface<dim> &surface,
                      const ContactState<dim> &state)
    {
      begin_step(surface, state);
    }

    /**
     * The forces of all contacts in an iterate. Called with the same arguments
     * on all ranks, and must give the same.
     *
     * @param[in] pairs All that meet on their way from start to end, or are
     *   within reach() at the end, each once.
     * @param[in] state Positions at the start and of the iterate, and the
     *   velocities of the latter.
     * @param[in] with_stiffness Whether the derivatives are wanted.
     * @param[out] elements Empty before.
     */
    virtual void
    evaluate(const Surface<dim> &surface,
             const std::vector<Encounter> &pairs,
             const PassSettings &settings,
             const ContactState<dim> &state,
             const bool with_stiffness,
             std::vector<ContactElement<dim>> &elements) const = 0;

    /**
     * Raise the multipliers if bodies overlap too far at the end that the
     * iterations have found, where the next ones go on: with all as in the last
     * evaluate(). Returns whether it was done.
     */
    virtual bool
    augment(const Surface<dim> & /*surface*/,
            const std::vector<Encounter> & /*pairs*/,
            const PassSettings & /*settings*/,
            const ContactState<dim> & /*state*/)
    {
      return false;
    }

    /**
     * The step is accepted.
     *
     * @param[in,out] state As in the last evaluate(), but with the velocities
     *   at the end. They may be changed by impulses; all impulses of the step,
     *   these and the forces' times its length, are written down, and losses,
     *   touched nodes and counts.
     */
    virtual void
    accept_step(const Surface<dim> &surface,
                const std::vector<Encounter> &pairs,
                const PassSettings &settings,
                ContactState<dim> &state) = 0;

    /** That part of the way is accepted: with all as in the last evaluate(). In
     * a step that starts there with bodies at rest, the forces must be the
     * same. */
    virtual void
    accept_equilibrium(const Surface<dim> & /*surface*/,
                       const std::vector<Encounter> & /*pairs*/,
                       const PassSettings & /*settings*/,
                       const ContactState<dim> & /*state*/)
    {}

    /** Whether it solves steps of rigid bodies, for models without others,
     * instead of all of the above. */
    virtual bool
    solves_rigid_steps() const
    {
      return false;
    }

    /**
     * Solve the steps of rigid bodies with contact between them and with
     * obstacles. Called with the same arguments on all ranks, and must give the
     * same.
     *
     * The pairs are all that meet on their way to the ends of the steps
     * without contact, or are within reach() there, each once. The bodies can
     * place the nodes of the state anew, which has positions at the start, and
     * at the ends without contact; all impulses are written down. The steps
     * are solved without contact.
     *
     * @return By how much the energy that contact stores has grown.
     */
    virtual double
    solve_rigid_steps(const Surface<dim> & /*surface*/,
                      const std::vector<Encounter> & /*pairs*/,
                      ContactRigidBodies<dim> & /*bodies*/,
                      ContactState<dim> & /*state*/,
                      std::vector<RigidStep> & /*steps*/)
    {
      return 0.;
    }

    /** What the response remembers from step to step beside the state, for
     * checkpoints: the same on every rank; empty if nothing. */
    virtual std::vector<double>
    memory() const
    {
      return {};
    }

    /** Go on from there, on the same surface; after reinit(). */
    virtual void
    set_memory(const std::vector<double> & /*memory*/)
    {}
  };

} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::ContactForces)

/** Make a response of implicit integrators available in parameter files. */
#define RICOCHET_REGISTER_CONTACT_FORCES(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::ContactForces, Class, name, description)

#endif
