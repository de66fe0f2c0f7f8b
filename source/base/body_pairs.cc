// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/body_pairs.h>
#include <ricochet/base/error.h>

#include <deal.II/base/utilities.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    /** Whether the name of a body is @p name, or that of one of its copies or
     * of a rigid region of them. */
    bool
    stands_for(const std::string &name, const std::string &body)
    {
      if (body.compare(0, name.size(), name) != 0)
        return false;
      const std::string rest = body.substr(name.size());
      return rest.empty() || rest[0] == '[' || rest.find(".rigid") == 0;
    }
  } // namespace



  std::vector<unsigned int>
  bodies_called(const std::string &name,
                const std::vector<std::string> &names,
                const std::string &entry)
  {
    std::vector<unsigned int> numbers;
    std::string known;
    for (unsigned int b = 0; b < names.size(); ++b)
      {
        if (stands_for(name, names[b]))
          numbers.push_back(b);
        known += (b > 0 ? ", " : "") + names[b];
      }
    require(!numbers.empty(),
            entry + ": there is no body called '" + name +
              "'. Bodies: " + known + ".");
    return numbers;
  }



  std::vector<std::string>
  split_list_of_bodies(const std::string &list)
  {
    std::vector<std::string> items;
    std::string item;
    bool in_brackets = false;
    const auto end   = [&]() {
      items.push_back(dealii::Utilities::trim(item));
      item.clear();
    };
    for (const char c : list)
      {
        in_brackets = c == '[' || (in_brackets && c != ']');
        if (c == ',' && !in_brackets)
          end();
        else
          item += c;
      }
    end();
    return items;
  }



  std::vector<BodyPair>
  parse_body_pair(const std::string &text,
                  const std::vector<std::string> &names,
                  const std::string &entry)
  {
    const auto sides = dealii::Utilities::split_string_list(text, ':');
    require(sides.size() == 2,
            entry + ": '" + text +
              "' is not a pair. Pairs are names of bodies such as "
              "'ball:plate', separated by commas.");
    std::vector<BodyPair> pairs;
    for (const unsigned int a : bodies_called(sides[0], names, entry))
      for (const unsigned int b : bodies_called(sides[1], names, entry))
        pairs.push_back({{std::min(a, b), std::max(a, b)}});
    return pairs;
  }
} // namespace Ricochet
