// SPDX-License-Identifier: LGPL-2.1-or-later

#include "contact_traction.h"

#include <Sacado.hpp>
#include <cmath>

#include "facet_projection.h"

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Of differences that give the slopes of a friction law. */
    constexpr double difference = 1e-6;



    double
    value_of(const double x)
    {
      return x;
    }

    template <typename Number>
    double
    value_of(const Number &x)
    {
      return x.val();
    }



    /** The greatest tangential traction: a friction law says it in impulses. */
    double
    greatest_traction(const PointFriction &friction,
                      const double impulse_of_traction,
                      const double normal_traction,
                      const double speed)
    {
      return friction.limit(normal_traction * impulse_of_traction, speed) /
             impulse_of_traction;
    }

    /** The same with its slopes by differences, exact for Coulomb's law. */
    template <typename Number>
    Number
    greatest_traction(const PointFriction &friction,
                      const double impulse_of_traction,
                      const Number &normal_traction,
                      const Number &speed)
    {
      const double t = normal_traction.val(), v = speed.val();
      const auto at = [&](const double normal_factor, const double v_factor) {
        return greatest_traction(friction,
                                 impulse_of_traction,
                                 normal_factor * t,
                                 v_factor * v);
      };
      const double plus = 1. + difference, minus = 1. - difference;
      Number result = at(1., 1.);
      const double by_normal =
        (at(plus, 1.) - at(minus, 1.)) / ((plus - minus) * t);
      result += by_normal * (normal_traction - t);
      if (v > 0.)
        result +=
          (at(1., plus) - at(1., minus)) / ((plus - minus) * v) * (speed - v);
      return result;
    }



    /** Tractions and forces in any numbers. */
    template <int dim, typename Number>
    struct Evaluation
    {
      using Points = std::array<std::array<Number, dim>, dim + 1>;

      Evaluation(const TractionLaw<dim> &law,
                 const Points &end,
                 const Number &end_gap)
        : middle(middle_of(law, end))
      {
        for (unsigned int A = 0; A < dim + 1; ++A)
          for (unsigned int d = 0; d < dim; ++d)
            velocities[A][d] =
              law.is_static ? Number(0.)
                            : Number((end[A][d] - law.start[A][d]) / law.dt);
        closing = -dot(middle.normal, middle.relative(velocities));
        if (law.preload > 0.)
          stretch_spring(law);
        else
          normal = law.normal_multiplier +
                   law.normal_penalty * (law.was_inside && !law.is_static
                                           ? Number(law.dt * closing)
                                           : end_gap);
        for (Number &t : tangential)
          t = 0.;
        acts = normal > 0.;
        if (!acts)
          return;
        add_friction(law);
        forces = middle.forces(normal, tangential);
        for (auto &force : forces)
          for (Number &component : force)
            component *= law.area;
      }

      void
      stretch_spring(const TractionLaw<dim> &law)
      {
        const Number change = law.normal_penalty * law.dt * closing;
        preload             = law.preload + change;
        if (preload > 0.)
          normal = law.preload + 0.5 * change;
        else
          {
            preload = 0.;
            normal  = -0.5 * law.preload * law.preload / change;
          }
      }

      void
      add_friction(const TractionLaw<dim> &law)
      {
        sliding              = middle.sliding(velocities);
        const auto covariant = middle.lower(sliding);
        Number speed_square  = 0.;
        for (unsigned int a = 0; a < dim - 1; ++a)
          speed_square += sliding[a] * covariant[a];
        // The root has no slope at zero.
        if (speed_square > 0.)
          speed = sqrt(speed_square);
        if (!law.friction.acts())
          return;

        for (unsigned int a = 0; a < dim - 1; ++a)
          {
            tangential[a] = law.tangential_penalty * covariant[a];
            for (unsigned int d = 0; d < dim; ++d)
              tangential[a] +=
                law.tangential_multiplier[d] * middle.tangents[a][d];
          }
        const auto raised = middle.raise(tangential);
        Number square     = 0.;
        for (unsigned int a = 0; a < dim - 1; ++a)
          square += raised[a] * tangential[a];
        const double impulse_of_traction = law.dt * law.area;
        const double holding =
          law.friction.holding_limit(value_of(normal) * impulse_of_traction,
                                     value_of(speed)) /
          impulse_of_traction;
        slips = value_of(square) > holding * holding;
        if (!slips)
          return;
        limit =
          greatest_traction(law.friction, impulse_of_traction, normal, speed);
        const Number factor = limit / sqrt(square);
        for (Number &t : tangential)
          t *= factor;
      }

      static FacetProjection<dim, Number>
      middle_of(const TractionLaw<dim> &law, const Points &end)
      {
        Points x;
        for (unsigned int A = 0; A < dim + 1; ++A)
          for (unsigned int d = 0; d < dim; ++d)
            x[A][d] = law.is_static
                        ? end[A][d]
                        : Number(0.5 * (law.start[A][d] + end[A][d]));
        return FacetProjection<dim, Number>(x);
      }

      FacetProjection<dim, Number> middle;
      Points velocities, forces;
      Number normal, closing, preload = 0., speed = 0., limit = 0.;
      std::array<Number, dim - 1> tangential, sliding;
      bool acts = false, slips = false;
    };



    template <int dim>
    void
    differentiate(const TractionLaw<dim> &law,
                  const std::array<Tensor<1, dim>, dim + 1> &end,
                  const double end_gap,
                  ContactTraction<dim> &result)
    {
      constexpr unsigned int n = dim * (dim + 1);
      using Number             = Sacado::Fad::SFad<double, n + 1>;
      typename Evaluation<dim, Number>::Points x;
      for (unsigned int A = 0; A < dim + 1; ++A)
        for (unsigned int d = 0; d < dim; ++d)
          x[A][d] = Number(n + 1, A * dim + d, end[A][d]);
      const Evaluation<dim, Number> evaluation(law,
                                               x,
                                               Number(n + 1, n, end_gap));
      result.by_positions.reinit(n, n);
      result.by_gap.reinit(n, 1);
      for (unsigned int i = 0; i < n; ++i)
        {
          const Number &force = evaluation.forces[i / dim][i % dim];
          for (unsigned int j = 0; j < n; ++j)
            result.by_positions(i, j) = force.dx(j);
          result.by_gap(i, 0) = force.dx(n);
        }
    }
  } // namespace



  template <int dim>
  ContactTraction<dim>
  contact_traction(const TractionLaw<dim> &law,
                   const std::array<Tensor<1, dim>, dim + 1> &end,
                   const double end_gap,
                   const bool with_derivatives)
  {
    typename Evaluation<dim, double>::Points x;
    for (unsigned int A = 0; A < dim + 1; ++A)
      for (unsigned int d = 0; d < dim; ++d)
        x[A][d] = end[A][d];
    const Evaluation<dim, double> evaluation(law, x, end_gap);
    ContactTraction<dim> result;
    result.xi      = evaluation.middle.xi;
    result.closing = evaluation.closing;
    result.tangential.fill(0.);
    if (!evaluation.acts)
      return result;
    result.normal     = evaluation.normal;
    result.preload    = evaluation.preload;
    result.tangential = evaluation.tangential;
    const auto raised = evaluation.middle.raise(result.tangential);
    result.speed      = evaluation.speed;
    result.slips      = evaluation.slips;
    for (unsigned int d = 0; d < dim; ++d)
      {
        for (unsigned int A = 0; A < dim + 1; ++A)
          result.forces[A][d] = evaluation.forces[A][d];
        for (unsigned int a = 0; a < dim - 1; ++a)
          result.tangential_vector[d] +=
            raised[a] * evaluation.middle.tangents[a][d];
      }
    for (unsigned int a = 0; a < dim - 1; ++a)
      result.tangential_power +=
        evaluation.tangential[a] * evaluation.sliding[a];
    if (result.slips)
      result.dissipation = evaluation.limit * evaluation.speed;
    else if (law.preload > 0.)
      result.dissipation = result.tangential_power;
    if (with_derivatives)
      differentiate(law, end, end_gap, result);
    return result;
  }



  template ContactTraction<2>
  contact_traction(const TractionLaw<2> &,
                   const std::array<Tensor<1, 2>, 3> &,
                   const double,
                   const bool);
  template ContactTraction<3>
  contact_traction(const TractionLaw<3> &,
                   const std::array<Tensor<1, 3>, 4> &,
                   const double,
                   const bool);
} // namespace Ricochet
