// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/edit_distance.h>
#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_readers.h>

#include "abaqus_parser.h"

namespace Ricochet
{
  namespace
  {
    /** Keywords that make or move nodes and elements in ways that are not
     * followed here. */
    const std::set<std::string> not_followed = {"NGEN",
                                                "NFILL",
                                                "NCOPY",
                                                "NMAP",
                                                "ELGEN",
                                                "ELCOPY",
                                                "IMPORT",
                                                "IMPERFECTION",
                                                "SYMMETRICMODELGENERATION",
                                                "USERELEMENT"};

    /** Those that are, and must not be passed over when misspelt. */
    const std::set<std::string> followed = {"NODE",
                                            "ELEMENT",
                                            "ELSET",
                                            "NSET",
                                            "SURFACE",
                                            "PART",
                                            "ENDPART",
                                            "INSTANCE",
                                            "ENDINSTANCE",
                                            "INCLUDE",
                                            "SYSTEM"};

    /** Those that join or stiffen pieces of a mesh. */
    const std::set<std::string> joining = {"TIE",
                                           "MPC",
                                           "EQUATION",
                                           "COUPLING",
                                           "RIGIDBODY",
                                           "SHELLTOSOLIDCOUPLING",
                                           "EMBEDDEDELEMENT"};
  } // namespace



  AbaqusModel
  AbaqusParser::parse()
  {
    model.scopes.emplace_back();
    AbaqusData data;
    if (deck.next_data(data))
      data.fail(
        "the file does not begin with a keyword such as *HEADING or "
        "*NODE. Is it an input deck of Abaqus?");

    AbaqusKeyword keyword;
    while (deck.next_keyword(keyword))
      {
        // Included files count, too.
        model.budget = 10'000'000 + 4 * deck.size();
        if (!follow(keyword))
          pass_over(keyword);
      }
    if (inside != nullptr)
      inside_keyword.fail("*" + inside_keyword.name +
                          " is never ended. Is the file complete?");

    for (const std::string &part : order_of_parts)
      if (!model.has_instances)
        model.scopes.push_back(std::move(parts[part]));
      else if (used_parts.count(part) == 0)
        model.note("The part " + in_quotes(parts[part].name) +
                   " has no instance and is left out.");
    for (const auto &other : others)
      model.note(
        "Elements of type " + in_quotes(other.first) + ", " +
        std::to_string(other.second.second) + " of them, are " +
        (other.second.first == AbaqusRole::structure
           ? "used as faces or lines that have names; they have no stiffness "
             "or mass of their own."
           : "left out."));
    for (const auto &join : joins)
      model.note(
        join.second.first + ": *" + join.first +
        (join.second.second > 1
           ? " and " + std::to_string(join.second.second - 1) +
               " more of its kind are"
           : " is") +
        " passed over. Pieces of the mesh are joined by common nodes only.");
    return std::move(model);
  }



  bool
  AbaqusParser::follow(const AbaqusKeyword &keyword)
  {
    const std::string &name = keyword.name;
    if ((name == "NODE" || name == "ELEMENT") && inside != nullptr &&
        inside_keyword.name == "INSTANCE")
      keyword.fail(
        "an instance has nodes and elements from its part only. "
        "Move these lines to the part.");
    if (name == "NODE")
      read_nodes(keyword);
    else if (name == "ELEMENT")
      read_elements(keyword);
    else if (name == "ELSET" || name == "NSET")
      read_set(keyword, name == "NSET");
    else if (name == "SURFACE")
      read_surface(keyword);
    else if (name == "PART")
      begin_part(keyword);
    else if (name == "INSTANCE")
      begin_instance(keyword);
    else if (name == "ENDPART")
      end(keyword, "PART");
    else if (name == "ENDINSTANCE")
      end(keyword, "INSTANCE");
    else
      return false;
    return true;
  }



  void
  AbaqusParser::pass_over(const AbaqusKeyword &keyword)
  {
    const std::string &name = keyword.name;
    AbaqusData data;
    if (not_followed.count(name) > 0)
      keyword.fail("*" + name +
                   " changes the mesh and is not followed here. Write the "
                   "nodes and elements themselves into the file.");
    if (name == "SYSTEM" && deck.next_data(data))
      keyword.fail(
        "*SYSTEM turns the coordinates of nodes and is not "
        "followed here. Write global coordinates.");
    if (name == "MODELCHANGE" &&
        (keyword.has("REMOVE") || keyword.has("ADD")) &&
        upper_case(keyword.value("TYPE")) != "CONTACTPAIR" &&
        upper_case(keyword.value("TYPE")) != "CONTACT PAIR")
      keyword.fail(
        "*MODEL CHANGE takes elements out of the mesh, which is "
        "not followed here. Leave them out of the file.");
    if (joining.count(name) > 0)
      {
        auto &join = joins[name];
        if (join.second++ == 0)
          join.first =
            "Line " + std::to_string(keyword.file->line_of(keyword.line));
      }

    for (const auto &known : followed)
      if (name != known &&
          ((name.size() >= 3 && known.compare(0, name.size(), name) == 0) ||
           (name.size() < 20 &&
            edit_distance(name, known) <= (known.size() < 7 ? 1u : 2u))) &&
          name != "SYSTEM")
        keyword.fail(in_quotes(keyword.line) +
                     " is not known; is it meant to be *" + known +
                     "? Write keywords in full.");
  }



  void
  AbaqusModel::spend(const std::size_t amount, const AbaqusPlace &place)
  {
    if (amount > budget)
      place.fail(
        "sets and surfaces repeat too many nodes or elements for such "
        "a file. Write fewer of them.");
    budget -= amount;
  }



  void
  AbaqusModel::note(const std::string &text, const AbaqusPlace &place)
  {
    constexpr std::size_t max_notes = 50;
    if (notes.size() >= max_notes)
      ++n_more_notes;
    else if (place.file == nullptr)
      notes.push_back(text);
    else
      notes.push_back("Line " +
                      std::to_string(place.file->line_of(place.text)) + ": " +
                      text);
  }



  AbaqusModel
  parse_abaqus_deck(AbaqusDeck &deck)
  {
    return AbaqusParser(deck).parse();
  }



  PlainMesh
  read_abaqus_mesh(const std::string &file_name, const std::string &where)
  {
    AbaqusDeck deck(file_name, where);
    AbaqusModel model = parse_abaqus_deck(deck);
    PlainMesh mesh    = build_abaqus_mesh(model);
    require(!mesh.elements.empty(),
            where +
              ": there are no elements of the continuum such as C3D8 in "
              "the file. Is it complete?");
    return mesh;
  }
} // namespace Ricochet
