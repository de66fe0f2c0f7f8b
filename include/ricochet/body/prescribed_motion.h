// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_prescribed_motion_h
#define ricochet_body_prescribed_motion_h

#include <ricochet/base/vector_function.h>
#include <ricochet/mesh/boundary_ids.h>

#include <deal.II/base/parameter_handler.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

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

    /** The user's names of parts of the boundary, and their ids. */
    std::vector<std::pair<std::string, BoundaryIds>> boundaries;

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
     * Find the ids of the boundaries, of which only the names are known so far.
     * Throws a UserError if the mesh has none of such a name.
     */
    void
    find_boundaries(const BoundaryNames &names, const std::string &owner);

    /** The ids of all boundaries. */
    BoundaryIds
    boundary_ids() const;
  };
} // namespace Ricochet

#endif
