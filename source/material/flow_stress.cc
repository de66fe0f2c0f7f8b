// SPDX-License-Identifier: LGPL-2.1-or-later

#include "flow_stress.h"

#include <ricochet/base/error.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace Ricochet
{
  namespace
  {
    using dealii::ParameterHandler;

    /** The value of an entry, if it satisfies a condition. */
    double
    get(const ParameterHandler &prm,
        const std::string &name,
        const bool may_be_zero)
    {
      const double value = prm.get_double(name);
      require((value > 0. || (may_be_zero && value == 0.)) &&
                std::isfinite(value),
              "The entry '" + name + "' = " + prm.get(name) + " is " +
                (may_be_zero ? "negative. Give 0 or a larger value."
                             : "not positive. Give a value larger than 0."));
      return value;
    }



    /** sigma_0 + H e */
    class LinearHardening : public FlowStress
    {
    public:
      explicit LinearHardening(const ParameterHandler &prm)
        : yield_stress(get(prm, "Yield stress", false))
        , modulus(get(prm, "Hardening modulus", true))
      {}

      double
      value(const double strain, const double, const double) const override
      {
        return yield_stress + modulus * strain;
      }

      double
      slope(const double,
            const double,
            const double,
            const double) const override
      {
        return modulus;
      }

    protected:
      const double yield_stress, modulus;
    };



    /** sigma_0 + H e + (sigma_s - sigma_0) (1 - exp(-d e)), after Voce (1955).
     */
    class VoceHardening : public LinearHardening
    {
    public:
      explicit VoceHardening(const ParameterHandler &prm)
        : LinearHardening(prm)
        , saturation(prm.get_double("Saturation stress"))
        , exponent(get(prm, "Saturation exponent", true))
      {
        require(saturation >= yield_stress,
                "The entry 'Saturation stress' = " +
                  prm.get("Saturation stress") +
                  " is below the 'Yield stress'. The law of Voce hardens; give "
                  "a larger value.");
      }

      double
      value(const double strain,
            const double rate,
            const double temperature) const override
      {
        return LinearHardening::value(strain, rate, temperature) -
               (saturation - yield_stress) * std::expm1(-exponent * strain);
      }

      double
      slope(const double strain,
            const double,
            const double,
            const double) const override
      {
        return modulus + (saturation - yield_stress) * exponent *
                           std::exp(-exponent * strain);
      }

    private:
      const double saturation, exponent;
    };



    /**
     * (A + B e^N) (1 + C ln(e'/e'_0)) (1 - T*^M) with the rate e' of the strain
     * e and T* = (T - T_0)/(T_m - T_0) (Johnson and Cook, 1983). Rates below
     * the reference one count as that, and temperatures outside of [T_0,T_m] as
     * the nearest inside.
     */
    class JohnsonCook : public FlowStress
    {
    public:
      explicit JohnsonCook(const ParameterHandler &prm)
        : A(get(prm, "Johnson-Cook A", false))
        , B(get(prm, "Johnson-Cook B", true))
        , C(get(prm, "Johnson-Cook C", true))
        , M(get(prm, "Johnson-Cook M", false))
        , N(get(prm, "Johnson-Cook N", false))
        , reference_rate(get(prm, "Reference strain rate", false))
        , reference_temperature(prm.get_double("Reference temperature"))
        , melting_temperature(prm.get_double("Melting temperature"))
      {
        require(melting_temperature > reference_temperature,
                "The entry 'Melting temperature' = " +
                  prm.get("Melting temperature") +
                  " is not above the 'Reference temperature' = " +
                  prm.get("Reference temperature") +
                  ", so the law of Johnson and Cook has no meaning. Give the "
                  "temperatures at which the metal melts and at which A was "
                  "measured.");
      }

      double
      value(const double strain,
            const double rate,
            const double temperature) const override
      {
        const double relative = relative_to_melting(temperature);
        if (relative >= 1.)
          return 0.;
        double stress = A + B * std::pow(strain, N);
        if (C > 0. && rate > reference_rate)
          stress *= 1. + C * std::log(rate / reference_rate);
        if (relative > 0.)
          stress *= 1. - std::pow(relative, M);
        return stress;
      }

      double
      slope(const double strain,
            const double rate,
            const double temperature,
            const double dt) const override
      {
        const double relative = relative_to_melting(temperature);
        if (relative >= 1.)
          return 0.;
        double slope = B * N * std::pow(strain, N - 1.);
        if (C > 0. && rate > reference_rate)
          slope = slope * (1. + C * std::log(rate / reference_rate)) +
                  (A + B * std::pow(strain, N)) * C / (rate * dt);
        if (relative > 0.)
          slope *= 1. - std::pow(relative, M);
        return slope;
      }

    private:
      /** 0 at the reference and 1 at the melting temperature. */
      double
      relative_to_melting(const double temperature) const
      {
        return (temperature - reference_temperature) /
               (melting_temperature - reference_temperature);
      }

      const double A, B, C, M, N, reference_rate, reference_temperature,
        melting_temperature;
    };
  } // namespace



  // Long, for it lists all entries with their documentation.
  void
  FlowStress::declare_parameters(ParameterHandler &prm)
  {
    namespace Patterns = dealii::Patterns;

    prm.declare_entry("Hardening",
                      "linear",
                      Patterns::Selection("linear|Voce|Johnson-Cook"),
                      "Of the law 'J2 plasticity': how the flow stress s "
                      "depends on the equivalent plastic strain e. linear: s = "
                      "Yield stress + Hardening modulus e. Voce: the same plus "
                      "(Saturation stress - Yield stress) (1 - exp(-Saturation "
                      "exponent e)). Johnson-Cook: s = (A + B e^N) (1 + C "
                      "ln(rate/Reference strain rate)) (1 - T*^M) with T* from "
                      "0 at the Reference to 1 at the Melting temperature. "
                      "Units: none.");
    const auto declare = [&prm](const std::string &name,
                                const std::string &value,
                                const std::string &text) {
      prm.declare_entry(name, value, Patterns::Double(), text);
    };
    declare("Yield stress",
            "0",
            "At which the metal begins to flow ('linear', 'Voce'). Larger than "
            "0. Units: stress.");
    declare("Hardening modulus",
            "0",
            "Slope of the flow stress ('linear', 'Voce'), at least 0. Units: "
            "stress.");
    declare("Saturation stress",
            "0",
            "Flow stress at large strain without the linear part ('Voce'). Not "
            "below the yield stress. Units: stress.");
    declare("Saturation exponent",
            "0",
            "How fast the saturation stress is reached ('Voce'), at least 0. "
            "Units: none.");
    declare("Johnson-Cook A",
            "0",
            "Flow stress without strain at the reference rate and temperature. "
            "Larger than 0. Units: stress.");
    declare("Johnson-Cook B",
            "0",
            "Factor of hardening, at least 0. Units: stress.");
    declare("Johnson-Cook N",
            "1",
            "Exponent of hardening, larger than 0. Units: none.");
    declare("Johnson-Cook C",
            "0",
            "Growth with the logarithm of the strain rate, at least 0. Units: "
            "none.");
    declare("Johnson-Cook M",
            "1",
            "Exponent of thermal softening, larger than 0. Units: none.");
    declare("Reference strain rate",
            "1",
            "At which A and B were measured ('Johnson-Cook'); lower rates have "
            "no influence. Larger than 0. Units: 1/time.");
    declare("Reference temperature",
            "293",
            "At which A and B were measured ('Johnson-Cook'); lower "
            "temperatures have no influence. Units: temperature.");
    declare("Melting temperature",
            "0",
            "At which the flow stress vanishes ('Johnson-Cook'). Above the "
            "reference temperature. Units: temperature.");
  }



  std::unique_ptr<const FlowStress>
  FlowStress::create(const ParameterHandler &prm)
  {
    const std::string name = prm.get("Hardening");
    if (name == "Johnson-Cook")
      return std::make_unique<JohnsonCook>(prm);
    if (name == "Voce")
      return std::make_unique<VoceHardening>(prm);
    return std::make_unique<LinearHardening>(prm);
  }
} // namespace Ricochet
