// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_parameters_h
#define ricochet_response_contact_parameters_h

#include <ricochet/response/contact_correction.h>
#include <ricochet/response/contact_forces.h>
#include <ricochet/response/overlap_policies.h>
#include <ricochet/response/settling.h>
#include <ricochet/search/search_settings.h>

#include <deal.II/base/parameter_handler.h>

#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** What the contact section of a parameter file says. */
  template <int dim>
  struct ContactParameters
  {
    /** Declare the entries in the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read them; bodies are numbered in the order of @p names. */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::vector<std::string> &names);

    SettlingSettings settling;
    SearchSettings search;
    OverlapPolicies overlaps;

    /** The response, of one kind or the other. */
    std::unique_ptr<ContactCorrection<dim>> correction;
    std::unique_ptr<ContactForces<dim>> forces;
  };
} // namespace Ricochet

#endif
