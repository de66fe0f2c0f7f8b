// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_prescribed_motion_h
#define ricochet_body_prescribed_motion_h

#include <ricochet/base/vector_function.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/types.h>

#include <array>
#include <set>
#include <string>

namespace Ricochet
{
  /**
   * Displacement or velocity that is given for some components at a part of
   * the boundary of a body.
   */
  template <int dim>
  struct PrescribedMotion
  {
    /** What the function gives. */
    enum class Quantity
    {
      /** Current minus reference position. */
      displacement,
      velocity
    };

    /** The user's name. */
    std::string name;

    std::set<dealii::types::boundary_id> boundary_ids;

    /** Which components are given. */
    std::array<bool, dim> components;

    Quantity quantity = Quantity::displacement;

    /** Of the reference position and time; all components. */
    VectorFunction<dim> function;

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Read the section that the caller has entered.
     *
     * @param[in] name The name of the section.
     * @param[in] owner Start of error messages, e.g. "Body 'cube'".
     */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &name,
                     const std::string &owner);

    /**
     * Throw a UserError if one of the boundary ids is not among those that the
     * mesh has.
     */
    void
    check_boundary_ids(const std::set<dealii::types::boundary_id> &found,
                       const std::string &owner) const;
  };
} // namespace Ricochet

#endif
