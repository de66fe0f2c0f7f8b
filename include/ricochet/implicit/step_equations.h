// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_step_equations_h
#define ricochet_implicit_step_equations_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/element/step_forces.h>
#include <ricochet/implicit/newton.h>
#include <ricochet/implicit/rigid_equations.h>
#include <ricochet/implicit/system_matrix.h>

#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * How an implicit integrator turns the equations of motion of a step into
   * equations for the mean velocity w of the step, x_1 = x_0 + dt w:
   *
   *   r(w) = f_ext + a f(x_1) + f_old + f_c - M (c w - k) = 0
   *
   * with the forces f of the cells, negative internal forces, and f_c of
   * contact.
   */
  struct StepScheme
  {
    /** Which forces of cells. */
    bool discrete_gradient = false;

    /** Whether it is not a step but a part of the way to an equilibrium, with
     * c = 0: laws with a memory flow as in a very slow motion, and contact
     * gives its forces at rest. */
    bool is_static = false;

    /** The factors a and c, the latter in units of one over time. */
    double force_factor = 1., inertia = 0.;

    /** The vector k, an acceleration; and f_ext and f_old together. */
    ForestVectors known_acceleration, known_forces;
  };



  /**
   * The equations of one step for Newton's method. Collective.
   *
   * Hanging nodes follow their masters, and prescribed degrees of freedom have
   * no equation.
   */
  template <int dim>
  class StepEquations : public NewtonProblem
  {
  public:
    /** Build the matrix for bodies and contact, which must outlive this object;
     * again when the mesh has changed. */
    void
    reinit(const Solids<dim> &solids, Contact<dim> &contact);

    /**
     * A step of length @p dt begins at @p state, whose positions and histories
     * must stay until it is over.
     *
     * @param[in] guess Of the mean velocity; of prescribed degrees of freedom
     *   the final one.
     */
    void
    begin(const State &state,
          const double dt,
          const StepScheme &scheme,
          const ForestVectors &guess);

    /** Start again from another guess. */
    void
    restart(const ForestVectors &guess);

    /** Whether the forces of contact have friction, as they have at first. */
    void
    set_friction(const bool on)
    {
      with_friction = on;
    }

    bool
    evaluate(VectorType &residual) override;

    Scale
    scale() const override;

    void
    linearize(LinearSolver &solver) override;

    void
    move(const VectorType &direction, const double change_of_fraction) override;

    /** @name Of the last evaluate()
     * @{ */

    /** Positions at the end of the step, ghosts up to date. */
    const ForestVectors &
    positions() const
    {
      return end_positions;
    }

    /** The mean velocity. */
    const ForestVectors &
    mean_velocities() const
    {
      return velocities;
    }

    /** Forces of cells, and of contact. */
    const ForestVectors &
    internal_forces() const
    {
      return of_cells;
    }

    /** See internal_forces(). */
    const ForestVectors &
    contact_forces() const
    {
      return of_contact;
    }

    /** Multiply the inertia in the matrix, not in the equations: enough of it
     * makes each matrix positive definite, and directions shorter. */
    void
    set_inertia_factor(const double factor)
    {
      inertia_factor = factor;
    }

    /** Take over forces of contact that were found elsewhere. */
    void
    set_contact_forces(const ForestVectors &forces)
    {
      of_contact = forces;
    }

    /** The steps of the rigid bodies with the impulses that contact gives
     * them. */
    std::vector<RigidStep>
    rigid_steps() const
    {
      return rigid_bodies.end(contact);
    }

    /** What is left of the equations, on degrees of freedom with an equation.
     */
    const VectorType &
    residual() const
    {
      return last_residual;
    }

    /** The histories at the end of the step, and energies of this rank. */
    std::vector<std::vector<double>> new_histories;
    BodyEnergies energies;

    /** @} */

    /** Body and place of the largest residual, for messages. */
    std::string
    describe_largest_residual() const;

    /** Forces of the nodes in the numbers of the equations, zero where there is
     * no equation. */
    VectorType
    to_system(const ForestVectors &forces) const;

    /** The end of the step if the last iterate moves by @p displacement. */
    ForestVectors
    positions_after(const VectorType &displacement) const;

    /** The matrix of the last linearize(). */
    const SystemMatrix<dim> &
    get_matrix() const
    {
      return matrix;
    }

    /** Numbers of the equations. */
    const SystemNumbering<dim> &
    get_numbering() const
    {
      return matrix.get_numbering();
    }

  private:
    /** Positions for the present velocities. */
    void
    follow_velocities();

    /** False if a cell is inverted. */
    bool
    evaluate_cells();

    void
    evaluate_contact();

    /** Rigid motions, for multigrid. */
    std::vector<double>
    rigid_modes() const;

    bool
    is_symmetric() const;

    const Solids<dim> *solids = nullptr;
    Contact<dim> *contact     = nullptr;
    SystemMatrix<dim> matrix;
    RigidEquations<dim> rigid_bodies;
    std::vector<std::unique_ptr<StepForces<dim>>> step_forces; // of the forests

    const State *start = nullptr;
    double dt          = 0.;
    StepScheme scheme;

    ForestVectors end_positions, velocities, of_cells, of_contact, inertia;
    VectorType last_residual;
    Scale last_scale;
    double stiffness_round_off                       = 0.;
    bool with_friction                               = true;
    double inertia_factor                            = 1.;
    const std::vector<ContactElement<dim>> *contacts = nullptr;
  };
} // namespace Ricochet

#endif
