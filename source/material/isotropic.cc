// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/material/isotropic.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** The value of an entry that may be left empty. */
    struct OptionalEntry
    {
      OptionalEntry(const dealii::ParameterHandler &prm,
                    const std::string &name)
        : name("'" + name + "'")
        , text(dealii::Utilities::trim(prm.get(name)))
        , is_set(!text.empty())
        , value(is_set ? dealii::Utilities::string_to_double(text)
                       : std::numeric_limits<double>::quiet_NaN())
      {}

      /** Name and value as a message shows them. */
      std::string
      quote() const
      {
        return name + " = " + text;
      }

      const std::string name, text;
      const bool is_set;
      const double value;
    };



    /** Lame's constants from the pair that is commonly measured. */
    void
    convert_young_and_poisson(const OptionalEntry &young,
                              const OptionalEntry &poisson,
                              double &lambda,
                              double &mu)
    {
      const double E = young.value, nu = poisson.value;
      require(E > 0. && std::isfinite(E),
              "The entry " + young.quote() +
                " is not a positive number. A Young's modulus is the stress "
                "per strain in a tensile test; give a value larger than 0.");
      require(nu < 0.5,
              "The entry " + poisson.quote() +
                " is not smaller than 0.5. At 0.5 the material is "
                "incompressible, its waves are infinitely fast, and no time "
                "step is small enough. Choose a value in (-1, 0.5), for "
                "example 0.49 for rubber.");
      require(nu > -1.,
              "The entry " + poisson.quote() +
                " is not larger than -1, so the material would not resist "
                "shear. Choose a value in (-1, 0.5), for example 0.3.");
      lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
      mu     = E / (2. * (1. + nu));
    }



    /** Refuse Lame constants of a material without stable rest state. */
    void
    check_lame(const OptionalEntry &lambda, const OptionalEntry &mu)
    {
      require(mu.value > 0. && std::isfinite(mu.value),
              "The entry " + mu.quote() +
                " is not a positive number. It is the shear modulus; give a "
                "value larger than 0.");
      require(3. * lambda.value + 2. * mu.value > 0. &&
                std::isfinite(lambda.value),
              "The entries " + lambda.quote() + " and " + mu.quote() +
                " make the bulk modulus lambda + 2/3 mu negative or zero, so "
                "the material would not resist compression. Choose lambda "
                "larger than -2/3 mu.");
    }
  } // namespace



  template <int dim>
  IsotropicMaterial<dim>::IsotropicMaterial(const IsotropicKernels &kernels)
    : lambda(std::numeric_limits<double>::quiet_NaN())
    , mu(std::numeric_limits<double>::quiet_NaN())
    , kernels(kernels)
    , mass_density(std::numeric_limits<double>::quiet_NaN())
  {}



  template <int dim>
  void
  IsotropicMaterial<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    // Empty or one number. The ranges are checked later, with better messages
    // than a pattern can give.
    const dealii::Patterns::List optional_number(dealii::Patterns::Double(),
                                                 0,
                                                 1);

    declare_density(prm);
    prm.declare_entry("Young's modulus",
                      "",
                      optional_number,
                      "Stiffness in a tensile test at small strain. Larger "
                      "than 0. Give this and Poisson's ratio, or both Lame "
                      "constants. Units: stress.");
    prm.declare_entry("Poisson's ratio",
                      "",
                      optional_number,
                      "Lateral contraction per extension at small strain. "
                      "Between -1 and 0.5, both excluded. Give this and "
                      "Young's modulus, or both Lame constants. Units: none.");
    prm.declare_entry("Lame lambda",
                      "",
                      optional_number,
                      "The first Lame constant. Larger than -2/3 of the "
                      "second one. An alternative to Young's modulus and "
                      "Poisson's ratio. Units: stress.");
    prm.declare_entry("Lame mu",
                      "",
                      optional_number,
                      "The second Lame constant, the shear modulus. Larger "
                      "than 0. An alternative to Young's modulus and "
                      "Poisson's ratio. Units: stress.");
  }



  template <int dim>
  void
  IsotropicMaterial<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    const double density = parse_density(prm);

    const OptionalEntry young(prm, "Young's modulus");
    const OptionalEntry poisson(prm, "Poisson's ratio");
    const OptionalEntry lame_lambda(prm, "Lame lambda");
    const OptionalEntry lame_mu(prm, "Lame mu");

    const std::string remedy = " Set either " + young.name + " and " +
                               poisson.name + ", or " + lame_lambda.name +
                               " and " + lame_mu.name + ".";

    const bool engineering_pair = young.is_set || poisson.is_set;
    const bool lame_pair        = lame_lambda.is_set || lame_mu.is_set;
    require(engineering_pair || lame_pair,
            "The elastic constants of a material are missing." + remedy);
    if (engineering_pair && lame_pair)
      {
        std::string list;
        for (const auto *entry : {&young, &poisson, &lame_lambda, &lame_mu})
          if (entry->is_set)
            list += (list.empty() ? "" : ", ") + entry->quote();
        throw UserError(
          "The elastic constants of a material are given in two "
          "ways at once: " +
          list + "." + remedy);
      }

    const OptionalEntry &first  = engineering_pair ? young : lame_lambda;
    const OptionalEntry &second = engineering_pair ? poisson : lame_mu;
    require(first.is_set && second.is_set,
            "The entry " + (first.is_set ? first : second).quote() +
              " of a material needs the entry " +
              (first.is_set ? second : first).name + " beside it." + remedy);

    if (engineering_pair)
      convert_young_and_poisson(young, poisson, lambda, mu);
    else
      {
        check_lame(lame_lambda, lame_mu);
        lambda = lame_lambda.value;
        mu     = lame_mu.value;
      }
    mass_density = density;
  }



  template <int dim>
  void
  IsotropicMaterial<dim>::evaluate(const unsigned int n_points,
                                   const double *F,
                                   double *P,
                                   double *W) const
  {
    Assert(n_points % 8 == 0,
           dealii::ExcMessage("Batches have a multiple of eight points."));
    kernels.evaluate(lambda, mu, n_points, F, P, W);
  }



  template <int dim>
  bool
  IsotropicMaterial<dim>::has_tangent() const
  {
    return kernels.tangent != nullptr;
  }



  template <int dim>
  void
  IsotropicMaterial<dim>::tangent_step(const unsigned int n_points,
                                       const double dt,
                                       const double *F,
                                       const double *old_history,
                                       double *A) const
  {
    if (kernels.tangent == nullptr)
      Material<dim>::tangent_step(n_points, dt, F, old_history, A);
    else
      kernels.tangent(lambda, mu, n_points, F, A);
  }



  template <int dim>
  double
  IsotropicMaterial<dim>::density() const
  {
    return mass_density;
  }



  template <int dim>
  double
  IsotropicMaterial<dim>::wave_speed() const
  {
    return std::sqrt((lambda + 2. * mu) / mass_density);
  }



  template class IsotropicMaterial<2>;
  template class IsotropicMaterial<3>;
} // namespace Ricochet
