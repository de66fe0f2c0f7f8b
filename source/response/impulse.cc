// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/impulse.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  namespace
  {
    using dealii::Tensor;

    /** a^T C b for a diagonal C. */
    template <int dim>
    double
    product(const Tensor<1, dim> &a,
            const Tensor<1, dim> &C,
            const Tensor<1, dim> &b)
    {
      double sum = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        sum += a[d] * C[d] * b[d];
      return sum;
    }



    /**
     * The normal impulse that leaves n . dv = -e u, or with an energy surplus
     * the larger (smaller) one that keeps the sum of kinetic and potential
     * energy.
     */
    double
    normal_impulse(const double C_nn,
                   const double u,
                   const double e,
                   const double energy_surplus)
    {
      if (energy_surplus == 0.)
        return -(1. + e) * u / C_nn;
      const double discriminant = e * e * u * u + 2. * C_nn * energy_surplus;
      return (-u + std::sqrt(std::max(0., discriminant))) / C_nn;
    }
  } // namespace



  template <int dim>
  PairImpulse<dim>
  pair_impulse(const Tensor<1, dim> &inverse_mass,
               const Tensor<1, dim> &normal,
               const Tensor<1, dim> &relative_velocity,
               const double restitution,
               const double friction,
               const double energy_surplus)
  {
    PairImpulse<dim> result;
    const double u    = normal * relative_velocity;
    const double C_nn = product(normal, inverse_mass, normal);
    if (!(u < 0.) || !(C_nn > 0.))
      return result;

    const double j_n = normal_impulse(C_nn, u, restitution, energy_surplus);
    result.impulse   = j_n * normal;
    result.status    = ContactStatus::slip;

    // Twice, so that even a tiny sliding velocity has no normal part; what
    // remains at round-off has no direction.
    Tensor<1, dim> sliding = relative_velocity - u * normal;
    sliding -= (sliding * normal) * normal;
    const double speed = sliding.norm();
    if (friction > 0. && speed > 1e-14 * std::abs(u))
      {
        const Tensor<1, dim> t   = sliding / speed;
        const double C_nt        = product(normal, inverse_mass, t);
        const double C_tt        = product(t, inverse_mass, t);
        const double determinant = C_nn * C_tt - C_nt * C_nt;

        // Stick: the normal velocity as without friction, no sliding.
        if (determinant > 1e-12 * C_nn * C_nn)
          {
            const double normal_change = C_nn * j_n;
            const double stick_normal =
              (C_tt * normal_change + C_nt * speed) / determinant;
            const double stick_tangential =
              (C_nt * normal_change + C_nn * speed) / determinant;
            // Slip: the friction impulse at its limit, which through C_nt also
            // changes the normal velocity.
            const double slip_normal =
              normal_change / std::max(C_nn - friction * C_nt, 1e-12 * C_nn);
            const bool sticks = stick_tangential <= friction * stick_normal;
            const double normal_part = sticks ? stick_normal : slip_normal;
            const double tangential_part =
              sticks ? stick_tangential : friction * slip_normal;
            result.status = sticks ? ContactStatus::stick : ContactStatus::slip;
            result.impulse = normal_part * normal - tangential_part * t;
          }
      }

    // Kinetic energy before minus after, split into the part of the normal
    // impulse alone and the rest.
    const auto loss = [&](const Tensor<1, dim> &j) {
      return -(j * relative_velocity + 0.5 * product(j, inverse_mass, j));
    };
    result.restitution_loss = loss(j_n * normal);
    result.friction_loss    = loss(result.impulse) - result.restitution_loss;
    return result;
  }



  template PairImpulse<2>
  pair_impulse(const Tensor<1, 2> &,
               const Tensor<1, 2> &,
               const Tensor<1, 2> &,
               const double,
               const double,
               const double);
  template PairImpulse<3>
  pair_impulse(const Tensor<1, 3> &,
               const Tensor<1, 3> &,
               const Tensor<1, 3> &,
               const double,
               const double,
               const double);
} // namespace Ricochet
