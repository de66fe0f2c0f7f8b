// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_abaqus_scope_h
#define ricochet_source_mesh_abaqus_scope_h

#include <ricochet/mesh/plain_mesh.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "abaqus_deck.h"
#include "abaqus_elements.h"

namespace Ricochet
{
  /** A part of a text with its file, for messages. */
  struct AbaqusPlace
  {
    std::string_view text;
    const TextFile *file = nullptr;

    [[noreturn]] void
    fail(const std::string &what) const
    {
      file->fail(text, what);
    }
  };



  /** What a line adds to a set of nodes or elements. */
  struct AbaqusSetItem
  {
    enum class Kind : std::uint8_t
    {
      name_or_number, /**< place.text is it. */
      numbers,        /**< From first to last by step. */
      indices,        /**< From first up to last in the scope itself. */
      nodes_of        /**< Of the set of elements place.text. */
    };

    Kind kind = Kind::name_or_number;
    AbaqusPlace place;

    /** Where to look it up, if not where the set is. */
    std::string_view instance;

    std::uint64_t first = 0, last = 0, step = 1;
  };



  /** A set as it stands in the file, and once more when it is known. */
  struct AbaqusSet
  {
    enum class State : std::uint8_t
    {
      unknown,
      in_work,
      known
    };

    std::string name;
    std::vector<AbaqusSetItem> items;
    State state = State::unknown;

    /** Ascending indices in the whole model. */
    std::vector<std::uint32_t> members;
  };



  /** A surface as it stands in the file. */
  struct AbaqusSurface
  {
    struct Item
    {
      /** A set or number, and the face, which may be empty. */
      AbaqusPlace what;
      std::string_view face;
    };

    std::string name;
    bool of_nodes = false;
    std::vector<Item> items;
  };



  /** Names (in capital letters) with what they stand for. */
  template <typename Type>
  using AbaqusNames = std::map<std::string, Type>;



  /** A part, an instance of one, or the assembly: nodes and elements have
   * their own numbers, and sets their own names in each. */
  struct AbaqusScope
  {
    struct Element
    {
      AbaqusType type;
      std::uint64_t first_node;
      AbaqusPlace place;
    };

    /** Of the instance or part; empty for the assembly. */
    std::string name;

    std::vector<std::array<double, 3>> points;
    std::vector<std::uint64_t> point_numbers;
    std::vector<AbaqusPlace> point_places;

    std::vector<Element> elements;
    std::vector<std::uint64_t> element_numbers;

    /** Numbers of nodes of elements, one after the other. */
    std::vector<std::uint64_t> element_nodes;

    AbaqusNames<AbaqusSet> element_sets, node_sets;
    AbaqusNames<AbaqusSurface> surfaces;

    /** Filled at the end. */
    NumberTable point_table, element_table;

    /** Indices of the first ones in the whole model. */
    std::uint32_t first_point = 0, first_element = 0;

    /** Things kept, a measure of the memory. */
    std::size_t
    size() const
    {
      std::size_t n =
        1 + points.size() + elements.size() + element_nodes.size();
      for (const auto *sets : {&element_sets, &node_sets})
        for (const auto &set : *sets)
          n += 8 + 2 * set.second.items.size();
      for (const auto &surface : surfaces)
        n += 8 + 2 * surface.second.items.size();
      return n;
    }
  };



  /** A deck when all its lines have been read. */
  struct AbaqusModel
  {
    /** The first is the assembly, also of decks without one. Then come the
     * instances, or the parts if there are none. */
    std::deque<AbaqusScope> scopes;

    /** Whether the others are instances. */
    bool has_instances = false;

    /** Limit for all that lines can ask for many times, such as instances and
     * members of sets, so that no small file makes a huge model. */
    std::size_t budget = 0;

    /** What is left out; of a great many, the first. */
    std::vector<std::string> notes;
    std::size_t n_more_notes = 0;

    /** Add a note, which is about a place if there is one. */
    void
    note(const std::string &text, const AbaqusPlace &place = AbaqusPlace());

    /** Take @p amount from the budget. Throws a UserError at the place when
     * it is used up. */
    void
    spend(std::size_t amount, const AbaqusPlace &place);
  };

  /** Read all lines. */
  AbaqusModel
  parse_abaqus_deck(AbaqusDeck &deck);

  /** Look up all names and numbers. */
  PlainMesh
  build_abaqus_mesh(AbaqusModel &model);
} // namespace Ricochet

#endif
