// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_rigid_equations_h
#define ricochet_implicit_rigid_equations_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/implicit/newton.h>
#include <ricochet/implicit/system_matrix.h>
#include <ricochet/response/contact_forces.h>
#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/tensor.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The part of rigid bodies in the equations of an implicit step: their mean
   * velocities w and theta/dt are unknowns beside those of nodes, with
   *
   *   F - P/dt = 0,   M - T/dt = 0,
   *
   * the force F of contact, its moment M about the centre with modified arms,
   * and the impulses P and T that the motion needs (RigidStep). Rotations count
   * times a radius of gyration a, moments over it.
   *
   * Forces act on the nodes that hold a body, of which ContactElement has the
   * derivatives. That the arms turn is in the derivatives of the equations as
   * far as it is of first order in the step.
   */
  template <int dim>
  class RigidEquations
  {
  public:
    /** Of residuals and directions. */
    using VectorType = NewtonProblem::VectorType;

    /** Unknowns of a body. */
    static constexpr unsigned int n_unknowns =
      SystemNumbering<dim>::n_rigid_unknowns;

    /** Both must outlive this object. */
    void
    reinit(const Solids<dim> &solids, const SystemNumbering<dim> &numbering);

    /** A step of length @p dt begins at @p state; the guess is that without
     * contact. */
    void
    begin(const State &state, const double dt);

    /** Start again from that guess. */
    void
    restart()
    {
      present = free;
    }

    /** The steps of all bodies in the iterate. */
    const std::vector<RigidStep> &
    steps() const
    {
      return present;
    }

    /** The same, with the impulses of the forces of contact. */
    std::vector<RigidStep>
    end(const Contact<dim> *contact) const;

    /** Go on by a part of a direction, a displacement. Collective. */
    void
    move(const VectorType &direction, const double fraction);

    /** Whether no body turns too far. */
    bool
    are_possible() const;

    /** Set the residuals, and add to what they are compared with. */
    void
    evaluate(const Contact<dim> *contact,
             VectorType &residual,
             NewtonProblem::Scale &scale) const;

    /** The derivatives of the negative residuals, and those of forces on nodes
     * of others by the motion of bodies. */
    std::vector<SystemElement>
    linearize(const Contact<dim> *contact,
              const std::vector<ContactElement<dim>> *contacts) const;

    /** This rank's sum of squares of the diagonal of the matrix times how far
     * points of bodies are from the origin: what positions' last digits do to
     * forces is that much smaller than its root. */
    double
    stiffness_of_positions(const SystemMatrix<dim> &matrix) const;

    /** The largest residual of a body, on its rank. */
    std::pair<double, std::string>
    largest(const VectorType &residual) const;

  private:
    /** Motions of a point at an arm by the unknowns. */
    std::array<dealii::Tensor<1, dim>, n_unknowns>
    directions(const unsigned int k, const dealii::Tensor<1, dim> &arm) const;

    SystemElement
    inertia(const unsigned int k) const;

    SystemElement
    element(const Contact<dim> &contact,
            const ContactElement<dim> &of_nodes) const;

    const Solids<dim> *solids             = nullptr;
    const SystemNumbering<dim> *numbering = nullptr;
    std::vector<double> gyration; // radii
    double dt = 0.;
    std::vector<RigidStep> free, present;
  };
} // namespace Ricochet

#endif
