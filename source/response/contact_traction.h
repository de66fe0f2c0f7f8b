// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_contact_traction_h
#define ricochet_source_response_contact_traction_h

#include <ricochet/impulse/friction_law.h>

#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>

#include <array>

namespace Ricochet
{
  /** What determines the tractions at a slave in one step, beside positions. */
  template <int dim>
  struct TractionLaw
  {
    /** Positions at the start of the step of the slave and the vertices of its
     * facet. */
    std::array<dealii::Tensor<1, dim>, dim + 1> start;

    /** Length of the step. */
    double dt = 0.;

    /** Length or area that the slave stands for. */
    double area = 0.;

    /** eps_N, a stress per length. */
    double normal_penalty = 0.;

    /** eps_T, a stress per velocity: it makes friction viscous at low speed. */
    double tangential_penalty = 0.;

    PointFriction friction = 0.;

    /** Whether the slave was behind the surface at the start already. */
    bool was_inside = false;

    /** Whether the end is an equilibrium; the start is of no account then. */
    bool is_static = false;

    /** Of a preloaded contact, its pressure at the start of the step; else 0.
     */
    double preload = 0.;

    /** Those of the augmented Lagrangian, stresses. */
    double normal_multiplier = 0.;
    dealii::Tensor<1, dim> tangential_multiplier;
  };



  /** The tractions at a slave and the forces on the points. */
  template <int dim>
  struct ContactTraction
  {
    /** t_N, a stress; zero where there is no contact, then so is all else. */
    double normal = 0.;

    /** t_Ta, covariant components on the facet, and as a vector. */
    std::array<double, dim - 1> tangential;
    dealii::Tensor<1, dim> tangential_vector;

    /** Closing velocity v_N, and t_Ta v_T^a. */
    double closing = 0., tangential_power = 0.;

    /** Speed of sliding zeta. */
    double speed = 0.;

    bool slips = false;

    /** D = mu t_N zeta if it slips, a power per area; of a preloaded contact
     * t_Ta v_T^a in any case. */
    double dissipation = 0.;

    /** Of a preloaded contact, its pressure at the end of the step. */
    double preload = 0.;

    std::array<double, dim - 1> xi;
    std::array<dealii::Tensor<1, dim>, dim + 1> forces;

    /** Derivatives of the forces: by the positions of the points at the end of
     * the step, and by the gap there. Only if asked for. */
    dealii::FullMatrix<double> by_positions, by_gap;
  };



  /**
   * The tractions of Love and Laursen (2003) at a slave, with its projection in
   * the middle of the step (mean of both ends):
   *
   *   t_N  = <lambda_N + eps_N g>                     from outside (table 1),
   *          <lambda_N + eps_N dt v_N>                if it was inside,
   *   t_tr = lambda_T + eps_T v_T                     eq. (80),
   *   t_T  = t_tr                     if |t_tr| <= mu t_N,
   *          mu t_N t_tr / |t_tr|     else,
   *
   * where g is the gap at the end of the step, <> the positive part, and v_N =
   * -sum N_A . v_A, v_T^a = sum D^a_A . v_A with the displacements over dt as
   * velocities. The published denominator of the last line is eps_T |v_T|,
   * which is the same without multipliers and violates the limit with them. By
   * the published table, a slave that was inside and is outside at the end has
   * no contact at all. But that is so for v_N > 0, by turning facets, as well,
   * and then would be a jump at which the equations of a step may have no
   * solution; so here it has the force of the second line, as long as it closes
   * in.
   *
   * In an equilibrium, t_N = <lambda_N + eps_N g> with the projection at the
   * end, wherever the slave came from, and there is no friction. A preloaded
   * contact is a spring that has the pressure p_0 already, with the energy
   * p^2/(2 eps_N) per area, and its force is the difference quotient of that
   * energy:
   *
   *   p_1 = <p_0 + eps_N dt v_N>,
   *   t_N = (p_1^2 - p_0^2) / (2 eps_N dt v_N)
   *       = (p_0 + p_1)/2                         as long as p_1 > 0.
   *
   * Friction laws other than Coulomb's give the limits of both lines for the
   * normal impulse dt area t_N and the speed |v_T|.
   *
   * @param[in] end Positions at the end of the step of the points of
   *   TractionLaw::start.
   * @param[in] end_gap The gap there, positive behind the surface.
   */
  template <int dim>
  ContactTraction<dim>
  contact_traction(const TractionLaw<dim> &law,
                   const std::array<dealii::Tensor<1, dim>, dim + 1> &end,
                   const double end_gap,
                   const bool with_derivatives);
} // namespace Ricochet

#endif
