// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_diagnostics_h
#define ricochet_body_diagnostics_h

#include <ricochet/base/moment.h>
#include <ricochet/body/solids.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /** Mass, momentum and energy of one body, in three dimensions always. */
  struct BodySums
  {
    double mass = 0.;

    /** Integral of mass times position, and linear momentum. */
    dealii::Tensor<1, 3> mass_moment, momentum;

    /** Angular momentum about the origin. */
    dealii::Tensor<1, 3> angular_momentum;

    double kinetic_energy = 0., internal_energy = 0.;

    /** What plastic flow and viscosity dissipated since the start. */
    double plastic_loss = 0., viscous_loss = 0.;

    /** Forces times accelerations, f M^-1 f, for the shadow energy. */
    double acceleration_square = 0.;

    /** Sums of m |v| and m |x - c| |v| with c the centre of all bodies. */
    double momentum_scale = 0., angular_momentum_scale = 0.;

    /** Add all sums of another body. */
    BodySums &
    operator+=(const BodySums &other);

    /** The centre of mass. */
    dealii::Tensor<1, 3>
    centre() const
    {
      return mass_moment / mass;
    }

    /** Angular momentum about the own centre of mass. */
    dealii::Tensor<1, 3>
    spin() const
    {
      return angular_momentum - moment(centre(), momentum);
    }
  };



  /**
   * Sums over the nodes of each body, on all ranks the same up to round-off.
   * Collective.
   *
   * @param[in] with_scales Whether momentum_scale and angular_momentum_scale
   *   are wanted, which takes a second loop.
   */
  template <int dim>
  std::vector<BodySums>
  sum_bodies(const Solids<dim> &solids,
             const State &state,
             const bool with_scales = false);
} // namespace Ricochet

#endif
