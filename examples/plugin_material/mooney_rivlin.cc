// SPDX-License-Identifier: LGPL-2.1-or-later

// A material that Ricochet does not have. Everything that makes it known to
// the registry, and so to parameter files, is in this file.

#include <ricochet/base/error.h>
#include <ricochet/material/material.h>

#include <deal.II/base/patterns.h>

#include <cmath>
#include <limits>

namespace RicochetExamples
{
  using dealii::Tensor;

  /**
   * A compressible Mooney-Rivlin law,
   * \f[
   *   W = c_1 (I_1 - 3 - 2 \ln J) + c_2 (I_2 - 3 - 4 \ln J)
   *     + \frac\lambda2 (\ln J)^2,
   * \f]
   * with the invariants of the three-dimensional C = F^T F, also for plane
   * strain. The logarithms beside the invariants make F = 1 free of stress.
   * For small deformations the shear modulus is 2 (c_1 + c_2) and Lame's first
   * constant lambda + 4 c_2.
   */
  template <int dim>
  class MooneyRivlin : public Ricochet::Material<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      // All laws share a section: what others have, too, is theirs.
      Ricochet::declare_density(prm);
      const dealii::Patterns::Double positive(
        std::numeric_limits<double>::min());
      prm.declare_entry("c1",
                        "1e5",
                        positive,
                        "Factor of the first invariant. Units: stress.");
      prm.declare_entry("c2",
                        "1e5",
                        dealii::Patterns::Double(0.),
                        "Factor of the second invariant. Units: stress.");
      prm.declare_entry("lambda",
                        "1e6",
                        dealii::Patterns::Double(0.),
                        "Resistance against changes of volume beyond that of "
                        "the other terms. Units: stress.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      mass_density = Ricochet::parse_density(prm);
      c1           = prm.get_double("c1");
      c2           = prm.get_double("c2");
      lambda       = prm.get_double("lambda");
    }

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override
    {
      for (unsigned int p = 0; p < n_points; ++p)
        {
          const Tensor<2, dim> F_p = load(n_points, F, p);
          const Invariants invariants(F_p);
          const Tensor<2, dim> P_p = stress(F_p, invariants);
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              P[(i * dim + j) * n_points + p] = P_p[i][j];

          if (W != nullptr)
            W[p] = c1 * (invariants.I1 - 3. - 2. * invariants.log_J) +
                   c2 * (invariants.I2 - 3. - 4. * invariants.log_J) +
                   0.5 * lambda * invariants.log_J * invariants.log_J;
        }
    }

    bool
    has_tangent() const override
    {
      return true;
    }

    void
    tangent_step(const unsigned int n_points,
                 const double,
                 const double *F,
                 const double *,
                 double *A) const override
    {
      for (unsigned int p = 0; p < n_points; ++p)
        {
          const Tensor<2, dim> F_p = load(n_points, F, p);
          const Invariants invariants(F_p);
          const Tensor<2, dim> B = F_p * transpose(F_p);
          const Tensor<2, dim> G = invert(F_p);
          const double logarithm_factor =
            2. * c1 + 4. * c2 - lambda * invariants.log_J;

          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              for (unsigned int k = 0; k < dim; ++k)
                for (unsigned int l = 0; l < dim; ++l)
                  {
                    const double ik = (i == k), jl = (j == l);
                    A[(((i * dim + j) * dim + k) * dim + l) * n_points + p] =
                      2. * c1 * ik * jl +
                      2. * c2 *
                        (2. * F_p[i][j] * F_p[k][l] + invariants.I1 * ik * jl -
                         ik * invariants.C[l][j] - F_p[i][l] * F_p[k][j] -
                         B[i][k] * jl) +
                      logarithm_factor * G[j][k] * G[l][i] +
                      lambda * G[j][i] * G[l][k];
                  }
        }
    }

    double
    density() const override
    {
      return mass_density;
    }

    double
    wave_speed() const override
    {
      return std::sqrt((lambda + 4. * c1 + 8. * c2) / mass_density);
    }

  private:
    /** The deformation gradient of one point of a batch. */
    static Tensor<2, dim>
    load(const unsigned int n_points, const double *F, const unsigned int p)
    {
      Tensor<2, dim> result;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          result[i][j] = F[(i * dim + j) * n_points + p];
      return result;
    }

    /** What the law needs of one deformation gradient. */
    struct Invariants
    {
      explicit Invariants(const Tensor<2, dim> &F)
        : C(transpose(F) * F)
      {
        // Plane strain: the third principal stretch is 1.
        const double third = (dim == 2 ? 1. : 0.);
        I1                 = trace(C) + third;
        I2                 = 0.5 * (I1 * I1 - trace(C * C) - third);

        // Where the law has no meaning everything becomes NaN.
        const double J = determinant(F);
        log_J =
          (J > 0. ? std::log(J) : std::numeric_limits<double>::quiet_NaN());
      }

      Tensor<2, dim> C;
      double I1, I2, log_J;
    };

    Tensor<2, dim>
    stress(const Tensor<2, dim> &F, const Invariants &invariants) const
    {
      return (2. * c1 + 2. * c2 * invariants.I1) * F -
             2. * c2 * F * invariants.C +
             (lambda * invariants.log_J - 2. * c1 - 4. * c2) *
               transpose(invert(F));
    }

    double mass_density, c1, c2, lambda;
  };



  RICOCHET_REGISTER_MATERIAL(
    MooneyRivlin,
    "Mooney-Rivlin",
    "Compressible rubber-like solid, W = c1 (I1 - 3 - 2 ln J) + c2 (I2 - 3 - "
    "4 ln J) + lambda/2 (ln J)^2. Plane strain in two dimensions.")
} // namespace RicochetExamples
