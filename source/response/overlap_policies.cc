// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/response/overlap_policies.h>

#include <deal.II/base/patterns.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    const std::string entry = "Starting overlaps";

    /** Words and what they mean. */
    const std::map<std::string, OverlapPolicy> &
    policies()
    {
      static const std::map<std::string, OverlapPolicy> words = {
        {"refuse", OverlapPolicy::refuse},
        {"project", OverlapPolicy::project},
        {"ignore", OverlapPolicy::ignore}};
      return words;
    }
  } // namespace



  void
  OverlapPolicies::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      entry,
      "refuse",
      dealii::Patterns::Anything(),
      "What to do with bodies that overlap at the start: 'refuse' to run; "
      "'project', which moves the nodes of their surfaces apart, as little as "
      "the norm of the mass allows, before the first step, gives no velocity, "
      "and leaves the stresses that come of it in the bodies; 'ignore', no "
      "contact between the two until they have come apart. Then exceptions "
      "for pairs of bodies, as in 'refuse, ball:plate ignore, ball:wall "
      "project'; the name of a repeated body stands for all of its copies. "
      "Touching is no overlap. Units: None.");
  }



  void
  OverlapPolicies::parse_parameters(const dealii::ParameterHandler &prm,
                                    const std::vector<std::string> &names)
  {
    const std::string where = "Contact/" + entry;
    common                  = OverlapPolicy::refuse;
    exceptions.clear();
    const auto items = split_list_of_bodies(prm.get(entry));
    for (const std::string &item : items)
      {
        const std::size_t space = item.find_last_of(" \t");
        const bool is_common    = space == std::string::npos;
        const auto word =
          policies().find(is_common ? item : item.substr(space + 1));
        require(word != policies().end() &&
                  (!is_common || &item == &items.front()),
                where + ": '" + item +
                  "' is not understood. Write 'refuse', 'project' or 'ignore', "
                  "then exceptions such as 'refuse, ball:plate ignore'.");
        if (is_common)
          common = word->second;
        else
          for (const BodyPair &pair :
               parse_body_pair(item.substr(0, space), names, where))
            exceptions[pair] = word->second;
      }
  }



  OverlapPolicy
  OverlapPolicies::policy(const BodyPair &bodies) const
  {
    const auto exception = exceptions.find(bodies);
    return exception == exceptions.end() ? common : exception->second;
  }



  std::string
  to_string(const OverlapPolicy policy)
  {
    return std::find_if(policies().begin(),
                        policies().end(),
                        [&](const auto &word) { return word.second == policy; })
      ->first;
  }
} // namespace Ricochet
