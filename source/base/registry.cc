// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/registry.h>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <sstream>

namespace Ricochet
{
  using dealii::ParameterHandler;

  namespace
  {
    using Tree = boost::property_tree::ptree;

    /** How a class declares an entry. */
    struct Declaration
    {
      std::string class_name, default_value, values;
    };



    /** Hold the entries below @p path of one class against those of others. */
    void
    compare(const Tree &tree,
            const std::string &path,
            const std::string &family_name,
            const std::string &class_name,
            std::map<std::string, Declaration> &known)
    {
      for (const auto &[name, node] : tree)
        {
          const auto default_value =
            node.get_optional<std::string>("default_value");
          if (!default_value)
            {
              compare(node, path + name + "/", family_name, class_name, known);
              continue;
            }
          const Declaration mine{class_name,
                                 *default_value,
                                 node.get("pattern_description", "")};
          const Declaration &other =
            known.emplace(path + name, mine).first->second;
          const auto describe = [](const Declaration &declaration) {
            return "'" + declaration.class_name + "' with the default '" +
                   declaration.default_value + "' and the values " +
                   declaration.values;
          };
          require(mine.default_value == other.default_value &&
                    mine.values == other.values,
                  "The entry '" + path + name +
                    "' means different things in two classes of the family '" +
                    family_name + "': " + describe(other) + ", but " +
                    describe(mine) +
                    ". They share a section of the parameter file. Declare the "
                    "entry in the same way, or give it another name.");
        }
    }
  } // namespace



  void
  declare_in_one_section(
    ParameterHandler &prm,
    const std::string &family_name,
    const std::map<std::string, std::function<void(ParameterHandler &)>>
      &classes)
  {
    std::map<std::string, Declaration> known;
    for (const auto &[name, declare_parameters] : classes)
      {
        // What a class declares alone; only printed can it be listed.
        ParameterHandler own;
        declare_parameters(own);
        std::stringstream text;
        own.print_parameters(text, ParameterHandler::JSON);
        Tree tree;
        boost::property_tree::read_json(text, tree);
        compare(tree, "", family_name, name, known);

        declare_parameters(prm);
      }
  }
} // namespace Ricochet
