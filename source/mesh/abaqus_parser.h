// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_abaqus_parser_h
#define ricochet_source_mesh_abaqus_parser_h

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "abaqus_scope.h"

namespace Ricochet
{
  /** Reads the lines of a deck. */
  class AbaqusParser
  {
  public:
    explicit AbaqusParser(AbaqusDeck &deck)
      : deck(deck)
    {}

    AbaqusModel
    parse();

  private:
    /** Call the function for a keyword that makes a mesh; false if it is
     * another. */
    bool
    follow(const AbaqusKeyword &keyword);

    void
    pass_over(const AbaqusKeyword &keyword);

    void
    read_nodes(const AbaqusKeyword &keyword);

    void
    read_elements(const AbaqusKeyword &keyword);

    /** The nodes of an element of which @p data is the first line. */
    void
    read_element_nodes(AbaqusData &data, const ElementType type);

    void
    read_set(const AbaqusKeyword &keyword, const bool of_nodes);

    void
    read_surface(const AbaqusKeyword &keyword);

    void
    begin_part(const AbaqusKeyword &keyword);

    void
    begin_instance(const AbaqusKeyword &keyword);

    void
    end(const AbaqusKeyword &keyword, const std::string &what);

    /** Move the nodes of the instance as its lines of data say. */
    void
    place_instance();

    AbaqusScope &
    scope()
    {
      return inside == nullptr ? model.scopes.front() : *inside;
    }

    AbaqusDeck &deck;
    AbaqusModel model;
    std::map<std::string, AbaqusScope> parts;
    std::vector<std::string> order_of_parts;
    std::set<std::string> used_parts, instance_names;
    std::map<std::string, std::pair<std::string, std::size_t>> joins;

    /** Sizes of all instances. */
    std::size_t instanced = 0;

    /** How many elements of a type are more or less than solids. */
    std::map<std::string, std::pair<AbaqusRole, std::size_t>> others;

    /** The part or instance that is being read, and its keyword. */
    AbaqusScope *inside = nullptr;
    AbaqusKeyword inside_keyword;
  };



  /** Throw a UserError unless all parameters of a keyword are among those in
   * @p allowed. */
  void
  allow_parameters(const AbaqusKeyword &keyword,
                   const std::set<std::string> &allowed);

  /** The real numbers of a line from an entry on; empty ones are zero. */
  std::vector<double>
  real_numbers(const AbaqusData &data, const std::size_t first);
} // namespace Ricochet

#endif
