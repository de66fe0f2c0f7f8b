// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_pair_response_h
#define ricochet_impulse_pair_response_h

#include <ricochet/geometry/collision.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /**
   * Change positions at the end of the step by M^-1 w @p shift (a mass times a
   * length) and write it down, with the change of angular momentum that it
   * means. The centre of mass stays.
   */
  template <int dim>
  void
  shift_pair(const Collision<dim> &collision,
             const dealii::Tensor<1, dim> &shift,
             ContactState<dim> &state);

  /** The nodes of one side of a pair only, 0 with the positive weights. */
  template <int dim>
  Collision<dim>
  side_of(const Collision<dim> &collision, const unsigned int side);

  /** Which nodes of a pair a position correction moves. */
  enum class MovingSide
  {
    /** All, weighted by their inverse masses: the centre of mass stays. */
    both,

    /** Those of the first side, unless they are all held. */
    first
  };

  /**
   * Move a pair that is too close apart along its normal, to the clearance, or
   * to where it started if that is closer.
   *
   * @return The shift, as in shift_pair(); zero if there was none.
   */
  template <int dim>
  dealii::Tensor<1, dim>
  separate_pair(const Collision<dim> &collision,
                const PassSettings &settings,
                const MovingSide moving,
                ContactState<dim> &state);

  /** When in a step an impulse acts. */
  enum class ImpulseTime
  {
    /** At its start: it moves the end of the step as well. */
    start,

    /** At its end, with the velocities of its middle. */
    end
  };

  /**
   * Exchange momentum by an impulse and write it down; not if the pair is
   * open.
   */
  template <int dim>
  void
  apply_impulse(const Collision<dim> &collision,
                const PairImpulse<dim> &pair,
                const ImpulseTime time,
                ContactState<dim> &state);

  /** Exchange the momentum @p impulse, whatever the law; the kinetic energy
   * that its part along the normal takes counts as that of restitution, the
   * rest as that of friction. */
  template <int dim>
  void
  push(const Collision<dim> &collision,
       const dealii::Tensor<1, dim> &impulse,
       const ContactStatus status,
       const ImpulseTime time,
       ContactState<dim> &state);

  /** The same along the normal, apart, without friction. */
  template <int dim>
  void
  push_along(const Collision<dim> &collision,
             const double impulse,
             const ImpulseTime time,
             ContactState<dim> &state)
  {
    if (impulse != 0.)
      push(collision,
           impulse * collision.normal,
           ContactStatus::slip,
           time,
           state);
  }

  /** Where both sides of a contact point are at @p positions of the nodes. */
  template <int dim>
  std::array<dealii::Point<dim>, 2>
  places_of(const Collision<dim> &collision,
            const std::vector<dealii::Point<dim>> &positions,
            const InverseMass<dim> &inverse_mass);

  /** Write down that the bodies of a contact point exchange an impulse, see
   * PointImpulse. */
  template <int dim>
  void
  note_impulse(const Collision<dim> &collision,
               const dealii::Tensor<1, dim> &impulse,
               const std::array<dealii::Point<dim>, 2> &places,
               const double time,
               const ContactStatus status,
               ContactLog<dim> &log);

  /** Push one node, with a lumped mass, and count what kinetic energy it loses
   * as that of friction. */
  template <int dim>
  void
  push_node(const unsigned int node,
            const dealii::Tensor<1, dim> &impulse,
            ContactState<dim> &state);

  /**
   * Exchange momentum by the impulse of pair_impulse() and write it down;
   * separating pairs are left alone.
   *
   * @return The impulse, with status ContactStatus::open if there was none.
   */
  template <int dim>
  PairImpulse<dim>
  push_pair(const Collision<dim> &collision,
            const PassSettings &settings,
            ContactState<dim> &state);

  /** Count a contact point that was handled, and its nodes. */
  template <int dim>
  void
  note_handled(const PairKind kind,
               const Collision<dim> &collision,
               ContactState<dim> &state);
} // namespace Ricochet

#endif
