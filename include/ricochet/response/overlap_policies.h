// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_overlap_policies_h
#define ricochet_response_overlap_policies_h

#include <ricochet/base/body_pairs.h>

#include <deal.II/base/parameter_handler.h>

#include <map>
#include <string>
#include <vector>

namespace Ricochet
{
  /** What to do with bodies that overlap at the start. */
  enum class OverlapPolicy
  {
    /** An error. */
    refuse,

    /** Move their surfaces apart, without giving them velocity. */
    project,

    /** No contact between the two until they have come apart. */
    ignore
  };



  /** One policy for all pairs of bodies, and others for some of them. */
  class OverlapPolicies
  {
  public:
    /** Declare the entry in the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read it; bodies are numbered in the order of @p names. */
    void
    parse_parameters(const dealii::ParameterHandler &prm,
                     const std::vector<std::string> &names);

    /** What to do with two bodies that overlap. */
    OverlapPolicy
    policy(const BodyPair &bodies) const;

  private:
    OverlapPolicy common = OverlapPolicy::refuse;
    std::map<BodyPair, OverlapPolicy> exceptions;
  };



  /** The word for a policy in parameter files. */
  std::string
  to_string(const OverlapPolicy policy);
} // namespace Ricochet

#endif
