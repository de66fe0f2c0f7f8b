// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/impulse.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace Ricochet
{
  namespace
  {
    using dealii::Tensor;

    /**
     * The impulses of a contact point along the normal and against the sliding,
     * on the line on which the normal velocity changes as without friction.
     */
    struct TangentialProblem
    {
      double C_nn, C_nt, C_tt;

      /** The normal impulse without friction, and the sliding that it leaves,
       * >= 0. */
      double frictionless, sliding;

      /** The sliding before. */
      double speed;

      double
      determinant() const
      {
        return C_nn * C_tt - C_nt * C_nt;
      }

      /** The tangential impulse that ends the sliding. More would turn it
       * round. */
      double
      stick_impulse() const
      {
        return C_nn * sliding / determinant();
      }

      double
      normal_impulse(const double tangential) const
      {
        return std::max(0., frictionless + C_nt / C_nn * tangential);
      }

      /** The tangential impulse that the friction law allows. */
      double
      impulse(const PointFriction &friction) const
      {
        const double stick = stick_impulse();
        if (stick <= friction.holding_limit(normal_impulse(stick), speed) &&
            normal_impulse(stick) > 0.)
          return stick;
        // The normal impulse must push.
        const double most =
          C_nt < 0. ? std::min(stick, -frictionless * C_nn / C_nt) : stick;
        const auto excess = [&](const double tangential) {
          return friction.limit(normal_impulse(tangential), speed) - tangential;
        };

        // Exact for laws with a coefficient, whatever that depends on.
        const double mu = friction.limit(frictionless, speed) / frictionless;
        const double guess =
          mu * frictionless / std::max(1. - mu * C_nt / C_nn, 1e-12);
        if (guess <= most && std::abs(excess(guess)) <= 1e-14 * guess)
          return guess;

        const double at_most = excess(most);
        if (at_most >= 0.)
          return most;
        std::uintmax_t n_evaluations = 100;
        return boost::math::tools::toms748_solve(
                 excess,
                 0.,
                 most,
                 excess(0.),
                 at_most,
                 boost::math::tools::eps_tolerance<double>(),
                 n_evaluations)
          .first;
      }
    };
  } // namespace



  template <int dim>
  PairImpulse<dim>
  impulse_for(const Tensor<2, dim> &inverse_mass,
              const Tensor<1, dim> &normal,
              const Tensor<1, dim> &velocity,
              const double normal_velocity_after,
              const PointFriction &friction,
              const Tensor<1, dim> &velocity_at_impact,
              const Tensor<1, dim> &stick_velocity)
  {
    PairImpulse<dim> result;
    const double u    = normal * velocity;
    const double C_nn = product(normal, inverse_mass, normal);
    if (!(u < normal_velocity_after) || !(C_nn > 0.))
      return result;

    const double j_n = (normal_velocity_after - u) / C_nn;
    result.impulse   = j_n * normal;
    result.status    = ContactStatus::slip;

    // Twice, so that even a tiny sliding velocity has no normal part; what
    // remains at round-off has no direction.
    Tensor<1, dim> sliding = velocity - stick_velocity;
    sliding -= (sliding * normal) * normal;
    sliding -= (sliding * normal) * normal;
    const double speed = sliding.norm();
    if (friction.acts() && speed > 1e-14 * std::abs(u))
      {
        // Where nodes are held in some directions, the normal impulse alone may
        // turn the sliding round; friction is against what it leaves.
        Tensor<1, dim> t = sliding / speed;
        double C_nt      = product(normal, inverse_mass, t);
        double left      = speed + C_nt * j_n;
        if (left < 0.)
          {
            t    = -t;
            C_nt = -C_nt;
            left = -left;
          }
        const TangentialProblem problem{C_nn,
                                        C_nt,
                                        product(t, inverse_mass, t),
                                        j_n,
                                        left,
                                        speed};
        if (problem.determinant() > 1e-12 * C_nn * problem.C_tt)
          {
            const double j_t  = problem.impulse(friction);
            const bool sticks = j_t == problem.stick_impulse();
            result.status = sticks ? ContactStatus::stick : ContactStatus::slip;
            result.impulse = problem.normal_impulse(j_t) * normal - j_t * t;
          }
      }

    // Kinetic energy before minus after, split into the part of the normal
    // impulse alone and the rest.
    const auto loss = [&](const Tensor<1, dim> &j) {
      return -(j * velocity_at_impact + 0.5 * product(j, inverse_mass, j));
    };
    result.restitution_loss = loss(j_n * normal);
    result.friction_loss    = loss(result.impulse) - result.restitution_loss;
    return result;
  }



#define RICOCHET_INSTANTIATE(dim)                               \
  template PairImpulse<dim> impulse_for(const Tensor<2, dim> &, \
                                        const Tensor<1, dim> &, \
                                        const Tensor<1, dim> &, \
                                        const double,           \
                                        const PointFriction &,  \
                                        const Tensor<1, dim> &, \
                                        const Tensor<1, dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
