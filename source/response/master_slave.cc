// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/body_pairs.h>
#include <ricochet/base/error.h>
#include <ricochet/response/master_slave.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>

namespace Ricochet
{
  const std::string MasterSlaveTable::symmetric = "symmetric";



  void
  MasterSlaveTable::parse(const std::string &text,
                          const std::vector<std::string> &names,
                          const std::string &new_entry)
  {
    entry        = new_entry;
    body_names   = names;
    is_symmetric = text == symmetric;
    table.clear();
    if (is_symmetric)
      return;
    for (const std::string &item : split_list_of_bodies(text))
      {
        const std::size_t colon = item.find(':');
        const bool is_pair      = colon != std::string::npos;
        const std::string slave =
          is_pair ? dealii::Utilities::trim(item.substr(colon + 1)) : item;
        const std::string master_name =
          is_pair ? dealii::Utilities::trim(item.substr(0, colon)) : "";
        require(!slave.empty(),
                entry + ": the master '" + master_name +
                  "' has no slave. Write its name behind the colon.");
        require(!master_name.empty(),
                entry + ": the slave '" + slave +
                  "' has no master. Write a list of master and slave such as "
                  "'plate:bar, plate/4:ball', or 'symmetric'.");
        for (const Side &master : sides_called(master_name, names))
          for (const Side &one : sides_called(slave, names))
            table[{{master.body, one.body}}].emplace_back(master.id, one.id);
      }
  }



  std::vector<MasterSlaveTable::Side>
  MasterSlaveTable::sides_called(const std::string &text,
                                 const std::vector<std::string> &names) const
  {
    std::string name        = text;
    BoundaryId id           = all;
    const std::size_t slash = text.rfind('/');
    if (slash != std::string::npos)
      {
        const std::string number = text.substr(slash + 1);
        require(dealii::Patterns::Integer(0, 65534).match(number),
                entry + ": '" + number + "' in '" + text +
                  "' is not a boundary id. Write a number behind the '/'.");
        id   = dealii::Utilities::string_to_int(number);
        name = text.substr(0, slash);
      }
    std::vector<Side> sides;
    for (const unsigned int body : bodies_called(name, names, entry))
      sides.push_back({body, id});
    return sides;
  }



  std::string
  MasterSlaveTable::name_of(const Side &side) const
  {
    return body_names[side.body] +
           (side.id == all ? "" : "/" + std::to_string(side.id));
  }



  template <int dim>
  void
  MasterSlaveTable::reinit(const Surface<dim> &surface,
                           const SearchSettings &search)
  {
    ids_of_vertex.clear();
    if (is_symmetric)
      return;
    ids_of_vertex.resize(surface.n_vertices());
    std::set<std::pair<unsigned int, BoundaryId>> known;
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        const BoundaryId id = surface.facet_boundary_id[f];
        known.emplace(surface.facet_body[f], id);
        known.emplace(surface.facet_body[f], all);
        for (const unsigned int v : surface.facets[f])
          ids_of_vertex[v].insert(id);
      }
    for (const unsigned int body : surface.vertex_body)
      known.emplace(body, all);

    for (const auto &[bodies, ids] : table)
      for (const auto &[master_id, slave_id] : ids)
        {
          const Side master{bodies[0], master_id}, slave{bodies[1], slave_id};
          require(known.count({master.body, master.id}) > 0,
                  entry + ": '" + name_of(master) +
                    "' cannot be a master, since it has no faces in contact. "
                    "Make it the slave, or check its 'Contact boundary ids'.");
          require(known.count({slave.body, slave.id}) > 0,
                  entry + ": '" + name_of(slave) +
                    "' cannot be a slave, since nothing of it is in contact. "
                    "Check its boundary ids.");
          require(master.body == slave.body
                    ? search.self_contact
                    : search.may_touch(master.body,
                                       slave.body,
                                       body_names.size()),
                  entry + ": '" + name_of(master) + ":" + name_of(slave) +
                    "' may not touch. Check 'Pairs' and 'Self-contact' of "
                    "the section 'Contact'.");
        }
  }



  template <int dim>
  bool
  MasterSlaveTable::contains(const Surface<dim> &surface,
                             const unsigned int vertex,
                             const unsigned int facet) const
  {
    if (is_symmetric)
      return true;
    const auto pair =
      table.find({{surface.facet_body[facet], surface.vertex_body[vertex]}});
    return pair != table.end() &&
           std::any_of(pair->second.begin(),
                       pair->second.end(),
                       [&](const auto &ids) {
                         return (ids.first == all ||
                                 ids.first ==
                                   surface.facet_boundary_id[facet]) &&
                                (ids.second == all ||
                                 ids_of_vertex[vertex].count(ids.second) > 0);
                       });
  }



  double
  MasterSlaveTable::shortest_time(const std::vector<double> &lengths,
                                  const std::vector<double> &speeds) const
  {
    double shortest = std::numeric_limits<double>::infinity();
    const auto add  = [&](const unsigned int master, const double slave_speed) {
      const double speed = speeds[master] + slave_speed;
      if (speed > 0.)
        shortest = std::min(shortest, lengths[master] / speed);
    };
    if (!is_symmetric)
      for (const auto &pair : table)
        add(pair.first[0], speeds[pair.first[1]]);
    else if (!speeds.empty())
      {
        // The fastest of the others, for all of them at once.
        const unsigned int fastest =
          std::max_element(speeds.begin(), speeds.end()) - speeds.begin();
        double second = 0.;
        for (unsigned int b = 0; b < speeds.size(); ++b)
          if (b != fastest)
            second = std::max(second, speeds[b]);
        for (unsigned int b = 0; b < speeds.size(); ++b)
          add(b, b == fastest ? second : speeds[fastest]);
      }
    return shortest;
  }



  double
  MasterSlaveTable::smallest_of_masters(
    const std::vector<double> &lengths) const
  {
    double smallest = std::numeric_limits<double>::infinity();
    if (is_symmetric)
      for (const double length : lengths)
        smallest = std::min(smallest, length);
    for (const auto &pair : table)
      smallest = std::min(smallest, lengths[pair.first[0]]);
    return smallest;
  }



#define RICOCHET_INSTANTIATE(dim)                                 \
  template void MasterSlaveTable::reinit(const Surface<dim> &,    \
                                         const SearchSettings &); \
  template bool MasterSlaveTable::contains(const Surface<dim> &,  \
                                           const unsigned int,    \
                                           const unsigned int) const;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
