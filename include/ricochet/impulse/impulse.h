// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_impulse_h
#define ricochet_impulse_impulse_h

#include <ricochet/impulse/friction_law.h>
#include <ricochet/impulse/inverse_mass.h>

#include <deal.II/base/tensor.h>

namespace Ricochet
{
  /** What a contact point does tangentially. */
  enum class ContactStatus : unsigned char
  {
    open  = 0,
    slip  = 1,
    stick = 2
  };



  /** The impulse of one contact point and what it costs. */
  template <int dim>
  struct PairImpulse
  {
    /** Acts with weight w_i on node i; zero for separating pairs. */
    dealii::Tensor<1, dim> impulse;

    ContactStatus status = ContactStatus::open;

    /** Kinetic energy taken by restitution and by friction. */
    double restitution_loss = 0., friction_loss = 0.;
  };



  /**
   * The impulse of Decomposition Contact Response for one contact point
   * (Cirak and West, 2005, eqs. (25), (63), (70), with the friction limit of
   * Coulomb on the impulse really applied); with the weights of barycentric
   * coordinates it is that of del Pozo, Lopez-Gomez and Romero (2018), eqs.
   * (27), (32).
   *
   * With u = n . dv, the normal velocity u' that it is to have afterwards, and
   * the tangential velocity v_t = dv - u n,
   *   j_n = m (u' - u),   j_t = min(m |v_t|, limit), limit = mu j_n,
   *   j   = j_n n - j_t v_t / |v_t|,   1/m = w^T M^-1 w.
   * A pair that separates fast enough (u >= u') gets none.
   *
   * Conserves linear momentum, and angular momentum about the configuration
   * in which the separation vector is zero.
   *
   * Where a node is held in some directions only, or belongs to a rigid body,
   * the inverse effective mass couples the normal and the sliding; then j_n and
   * j_t solve the two coupled equations for the normal and the sliding
   * velocity, with the same limit; friction is against the sliding that the
   * normal impulse alone leaves, and the pair may gain energy, as Newton's
   * restitution allows there; see deflect_pair(). For any other law of friction
   * the limit is that of FrictionLaw; the point sticks if m |v_t| is within its
   * holding limit.
   *
   * @param[in] inverse_mass w^T M^-1 w, see InverseMass::effective().
   * @param[in] normal Unit normal n from the second side to the first.
   * @param[in] velocity dv = sum_i w_i v_i, which j_t acts on.
   * @param[in] normal_velocity_after u'.
   * @param[in] friction Coulomb's mu >= 0, or another law.
   * @param[in] velocity_at_impact The relative velocity of the state whose
   *   kinetic energy the losses are those of; it differs from dv by what
   *   accelerations have added since.
   * @param[in] stick_velocity What v_t is to become if the point sticks;
   * sliding is relative to it.
   */
  template <int dim>
  PairImpulse<dim>
  impulse_for(const dealii::Tensor<2, dim> &inverse_mass,
              const dealii::Tensor<1, dim> &normal,
              const dealii::Tensor<1, dim> &velocity,
              const double normal_velocity_after,
              const PointFriction &friction,
              const dealii::Tensor<1, dim> &velocity_at_impact,
              const dealii::Tensor<1, dim> &stick_velocity = {});

  /**
   * The same for Newton's restitution, u' = -e u with e in [0,1] if the pair
   * closes (u < 0): it takes (1-e^2)/2 m u^2 + s(2-s)/2 m |v_t|^2 of kinetic
   * energy, s = j_t / (m |v_t|).
   */
  template <int dim>
  PairImpulse<dim>
  pair_impulse(const dealii::Tensor<2, dim> &inverse_mass,
               const dealii::Tensor<1, dim> &normal,
               const dealii::Tensor<1, dim> &velocity,
               const double restitution,
               const PointFriction &friction)
  {
    const double u = normal * velocity;
    return impulse_for(inverse_mass,
                       normal,
                       velocity,
                       u < 0. ? -restitution * u : u,
                       friction,
                       velocity);
  }
} // namespace Ricochet

#endif
