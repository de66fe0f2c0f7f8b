// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_registry_h
#define ricochet_base_registry_h

#include <ricochet/base/error.h>

#include <deal.II/base/parameter_handler.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The classes of one family (materials, contact responses, time
   * integrators, ...) by the name that parameter files use.
   *
   * A class enters by a macro such as RICOCHET_REGISTER_MATERIAL in its own
   * source file, and from then on it is listed, documented and created like
   * every other: nothing else in the library names it. @p Interface is the
   * abstract class of the family; it has a member
   * @code
   *   static std::string family_name();   // "material"
   * @endcode
   */
  template <class Interface>
  class Registry
  {
  public:
    /** One registered class. */
    struct Entry
    {
      std::string description;
      std::function<void(dealii::ParameterHandler &)> declare_parameters;
      std::function<std::unique_ptr<Interface>()> create;
    };

    /** Add a class. A name can be used once in a family. */
    static void
    add(const std::string &name, const Entry &entry)
    {
      if (!entries().emplace(name, entry).second)
        throw UserError("Two classes are registered as " +
                        Interface::family_name() + " '" + name +
                        "'. Give one of them another name.");
    }

    /** All entries, sorted by name. */
    static std::map<std::string, Entry> &
    entries();

    /** The names joined by "|", as a Patterns::Selection wants them. */
    static std::string
    selection()
    {
      std::string result;
      for (const auto &entry : entries())
        result += (result.empty() ? "" : "|") + entry.first;
      return result;
    }

    /** "name: description" of every entry, a line each. */
    static std::string
    documentation()
    {
      std::string result;
      for (const auto &entry : entries())
        result += (result.empty() ? "" : "\n") + entry.first + ": " +
                  entry.second.description;
      return result;
    }

    /** Make an object of the class called @p name, or say which names exist. */
    static std::unique_ptr<Interface>
    create(const std::string &name)
    {
      const auto entry = entries().find(name);
      require(entry != entries().end(),
              "There is no " + Interface::family_name() + " called '" + name +
                "'. Known: " + selection() + ".");
      return entry->second.create();
    }
  };



  /**
   * Registers @p Class under a name when constructed; see the macros of the
   * families.
   */
  template <class Interface, class Class>
  struct Registration
  {
    Registration(const std::string &name, const std::string &description)
    {
      Registry<Interface>::add(name,
                               {description,
                                [](dealii::ParameterHandler &prm) {
                                  Class::declare_parameters(prm);
                                },
                                []() { return std::make_unique<Class>(); }});
    }
  };
} // namespace Ricochet

/**
 * Say that the storage of the registry of one family lives elsewhere. Used
 * after the family's class in its header (global namespace), for each
 * dimension, so that no other file makes a storage of its own.
 */
#define RICOCHET_DECLARE_REGISTRY(Interface)                    \
  template <>                                                   \
  std::map<std::string, ::Ricochet::Registry<Interface>::Entry> \
    & ::Ricochet::Registry<Interface>::entries();

/**
 * Define the storage of the registry of one family. Used once per family and
 * dimension in the family's source file (global namespace), so that all shared
 * libraries see the same list.
 */
#define RICOCHET_DEFINE_REGISTRY(Interface)                                   \
  template <>                                                                 \
  std::map<std::string, ::Ricochet::Registry<Interface>::Entry>               \
    & ::Ricochet::Registry<Interface>::entries()                              \
  {                                                                           \
    static std::map<std::string, ::Ricochet::Registry<Interface>::Entry> map; \
    return map;                                                               \
  }

/** Register the class template @p Class of a family for two and three
 * dimensions. */
#define RICOCHET_REGISTER(Interface, Class, name, description) \
  template class Class<2>;                                     \
  template class Class<3>;                                     \
  namespace                                                    \
  {                                                            \
    const ::Ricochet::Registration<Interface<2>, Class<2>>     \
      register_##Class##_2(name, description);                 \
    const ::Ricochet::Registration<Interface<3>, Class<3>>     \
      register_##Class##_3(name, description);                 \
  }

#endif
