// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/number.h>
#include <ricochet/impulse/pair_values.h>

#include <algorithm>
#include <set>

namespace Ricochet
{
  void
  PairValues::parse_exceptions(const std::string &text,
                               const std::vector<std::string> &names,
                               const std::string &entry,
                               const dealii::Patterns::Double &range,
                               const std::string &allowed)
  {
    std::map<BodyPair, double> values;
    if (!text.empty())
      for (const std::string &item : split_list_of_bodies(text))
        {
          const std::size_t space = item.find_last_of(" \t");
          const std::string number =
            space == std::string::npos ? "" : item.substr(space + 1);
          const auto value = number_of(number);
          require(
            value && range.match(number),
            entry + ": '" + item +
              "' is not understood. Write pairs of bodies with a number " +
              allowed + " each, such as 'ball:plate 0.3, ball:wall 0.1'.");
          const auto pairs =
            parse_body_pair(item.substr(0, space), names, entry);
          for (const BodyPair &pair :
               std::set<BodyPair>(pairs.begin(), pairs.end()))
            require(values.emplace(pair, *value).second,
                    entry + ": the pair '" + names[pair[0]] + ":" +
                      names[pair[1]] +
                      "' is given twice. Leave one of the two out.");
        }
    exceptions =
      values.empty()
        ? nullptr
        : std::make_shared<const std::map<BodyPair, double>>(std::move(values));
  }



  double
  PairValues::of(const std::array<unsigned int, 2> &bodies) const
  {
    if (!exceptions)
      return common;
    const auto exception = exceptions->find(
      {{std::min(bodies[0], bodies[1]), std::max(bodies[0], bodies[1])}});
    return exception == exceptions->end() ? common : exception->second;
  }



  double
  PairValues::largest() const
  {
    double result = common;
    if (exceptions)
      for (const auto &exception : *exceptions)
        result = std::max(result, exception.second);
    return result;
  }



  double
  PairValues::smallest() const
  {
    double result = common;
    if (exceptions)
      for (const auto &exception : *exceptions)
        result = std::min(result, exception.second);
    return result;
  }
} // namespace Ricochet
