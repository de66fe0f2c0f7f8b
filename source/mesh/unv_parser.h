// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_unv_parser_h
#define ricochet_source_mesh_unv_parser_h

#include <ricochet/mesh/plain_mesh.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_lines.h"

namespace Ricochet
{
  /** Reads the datasets of a file. */
  class UnvParser
  {
  public:
    UnvParser(const std::string &file_name, const std::string &where)
      : file(file_name, where)
      , where(where)
      , lines(file)
    {}

    PlainMesh
    read();

  private:
    using Words = std::vector<std::string_view>;

    struct Element
    {
      std::string_view place;
      std::int64_t physical = 0, material = 0;
    };

    struct Group
    {
      std::string_view place, name;
      std::int64_t number;
      std::vector<std::pair<std::uint64_t, std::string_view>> nodes, elements;
    };

    /** Go to the next line of a dataset; false at its end. */
    bool
    next();

    /** The same where there must be one. */
    void
    need_next(const std::string_view what);

    void
    read_dataset(const std::uint64_t kind);

    void
    read_nodes(const std::uint64_t kind);

    void
    read_elements(const std::uint64_t kind);

    /** Numbers that fill as many lines as they need. */
    std::vector<std::uint64_t>
    read_labels(const std::size_t n, const std::string_view what);

    void
    read_groups(const std::uint64_t kind);

    void
    read_units();

    void
    look_up_nodes();

    void
    look_up_groups();

    void
    add_property_groups();

    TextFile file;
    std::string where;
    LineScanner lines;
    Words words;
    PlainMesh mesh;

    std::vector<std::string_view> point_places;
    std::vector<Element> elements;

    /** Numbers of nodes of all elements. */
    std::vector<std::uint64_t> element_nodes;

    std::set<std::uint64_t> left_out_elements;
    std::map<std::uint64_t, std::size_t> left_out_kinds;
    std::vector<Group> groups;
    NumberTable point_table;
    std::size_t n_other_members = 0;
  };



  /** The words of a line; numbers in columns of ten may touch. */
  void
  split_unv_columns(const std::string_view line,
                    std::vector<std::string_view> &words);
} // namespace Ricochet

#endif
