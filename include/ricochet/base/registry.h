// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_registry_h
#define ricochet_base_registry_h

#include <ricochet/base/error.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/patterns.h>

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



  /** Where the classes of a family have their entries. */
  enum class Sections
  {
    /** Each in a subsection of its name beside the entry that chooses. */
    own,

    /** All beside the entry that chooses; those of one name are one entry. */
    shared
  };



  /**
   * Declare the entry that chooses a class of a family; the classes' own
   * entries follow by declare_classes() in the same section.
   *
   * @param[in] documentation Of the entry; for what it can choose see
   *   Registry::documentation().
   */
  template <class Interface>
  void
  declare_choice(dealii::ParameterHandler &prm,
                 const std::string &entry,
                 const std::string &default_name,
                 const std::string &documentation)
  {
    prm.declare_entry(entry,
                      default_name,
                      dealii::Patterns::Selection(
                        Registry<Interface>::selection()),
                      documentation);
  }



  /**
   * Declare the entries of all @p classes of a family in one section. Throws a
   * UserError that names entry and classes if two of them declare one entry
   * with different defaults or patterns: the last one would change what the
   * other one reads.
   */
  void
  declare_in_one_section(
    dealii::ParameterHandler &prm,
    const std::string &family_name,
    const std::map<std::string, std::function<void(dealii::ParameterHandler &)>>
      &classes);



  /** Declare the entries of all classes of a family. */
  template <class Interface, Sections sections = Sections::own>
  void
  declare_classes(dealii::ParameterHandler &prm)
  {
    if constexpr (sections == Sections::own)
      for (const auto &entry : Registry<Interface>::entries())
        {
          prm.enter_subsection(entry.first);
          entry.second.declare_parameters(prm);
          prm.leave_subsection();
        }
    else
      {
        std::map<std::string, std::function<void(dealii::ParameterHandler &)>>
          classes;
        for (const auto &entry : Registry<Interface>::entries())
          classes.emplace(entry.first, entry.second.declare_parameters);
        declare_in_one_section(prm, Interface::family_name(), classes);
      }
  }



  /**
   * Make an object of the class that @p entry of the present section names,
   * and let it read its parameters there.
   *
   * @param[in] arguments What else Interface::parse_parameters() wants.
   */
  template <class Interface,
            Sections sections = Sections::own,
            class... Arguments>
  std::unique_ptr<Interface>
  choose(dealii::ParameterHandler &prm,
         const std::string &entry,
         const Arguments &...arguments)
  {
    const std::string name            = prm.get(entry);
    std::unique_ptr<Interface> result = Registry<Interface>::create(name);
    if constexpr (sections == Sections::own)
      prm.enter_subsection(name);
    result->parse_parameters(prm, arguments...);
    if constexpr (sections == Sections::own)
      prm.leave_subsection();
    return result;
  }



  /**
   * Registers @p Class under a name when constructed; see the macros of the
   * families.
   */
  template <class Interface, class Class>
  struct Registration
  {
    /** Enter the class into the family under this name. */
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

// What the families' own macros are made of, for the global namespace. The
// interface of a family is a class, or a class template for two and three
// dimensions, which has a registry for each.

/**
 * Say that the storage of the registry of one family lives elsewhere. Used
 * after the family's class in its header, so that no other file makes a storage
 * of its own.
 */
#define RICOCHET_DECLARE_REGISTRY(Interface)                    \
  template <>                                                   \
  std::map<std::string, ::Ricochet::Registry<Interface>::Entry> \
    & ::Ricochet::Registry<Interface>::entries();

#define RICOCHET_DECLARE_REGISTRIES(Interface) \
  RICOCHET_DECLARE_REGISTRY(Interface<2>)      \
  RICOCHET_DECLARE_REGISTRY(Interface<3>)

/**
 * Define the storage of the registry of one family. Used once in the family's
 * source file, so that all shared libraries see the same list.
 */
#define RICOCHET_DEFINE_REGISTRY(Interface)                                   \
  template <>                                                                 \
  std::map<std::string, ::Ricochet::Registry<Interface>::Entry>               \
    & ::Ricochet::Registry<Interface>::entries()                              \
  {                                                                           \
    static std::map<std::string, ::Ricochet::Registry<Interface>::Entry> map; \
    return map;                                                               \
  }

#define RICOCHET_DEFINE_REGISTRIES(Interface) \
  RICOCHET_DEFINE_REGISTRY(Interface<2>)      \
  RICOCHET_DEFINE_REGISTRY(Interface<3>)

/** Register a class of a family. Used in its source file, in its namespace. */
#define RICOCHET_REGISTER_CLASS(Interface, Class, name, description) \
  namespace                                                          \
  {                                                                  \
    const ::Ricochet::Registration<Interface, Class>                 \
      register_##Class(name, description);                           \
  }

/** The same for class templates; instantiates @p Class. */
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
