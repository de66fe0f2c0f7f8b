// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_flow_stress_h
#define ricochet_source_material_flow_stress_h

#include <deal.II/base/parameter_handler.h>

#include <memory>

namespace Ricochet
{
  /** The stress at which a metal flows in a tensile test. */
  class FlowStress
  {
  public:
    virtual ~FlowStress() = default;

    /** Declare the entries of all kinds, and the one that chooses. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** The kind that was chosen. Throws a UserError that names an entry. */
    static std::unique_ptr<const FlowStress>
    create(const dealii::ParameterHandler &prm);

    /**
     * The flow stress, in units of stress, at an equivalent plastic @p strain
     * that grows with @p rate, and a @p temperature. It never falls when strain
     * or rate rise, and is not negative.
     */
    virtual double
    value(const double strain,
          const double rate,
          const double temperature) const = 0;

    /** How fast the flow stress of a step of length @p dt grows with the
     * @p strain at its end, when the rate is the growth in the step over
     * @p dt. */
    virtual double
    slope(const double strain,
          const double rate,
          const double temperature,
          const double dt) const = 0;
  };
} // namespace Ricochet

#endif
