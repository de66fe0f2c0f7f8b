// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/boundary_ids.h>

#include <deal.II/base/utilities.h>

namespace Ricochet
{
  void
  BoundaryNames::add(const std::string &name,
                     const dealii::types::boundary_id id)
  {
    names[name].insert(id);
  }



  const BoundaryIds &
  BoundaryNames::ids_of(const std::string &name, const std::string &where) const
  {
    const auto entry = names.find(name);
    if (entry != names.end())
      return entry->second;
    std::string list;
    for (const auto &known : names)
      list += (list.empty() ? "" : ", ") + known.first;
    throw UserError(where + ": the mesh has no boundary id " + name +
                    ". Its boundary ids: " + (list.empty() ? "none" : list) +
                    ".");
  }



  BoundaryIds
  BoundaryNames::ids_of_list(const std::string &list,
                             const std::string &where) const
  {
    BoundaryIds ids;
    for (const std::string &name : dealii::Utilities::split_string_list(list))
      {
        const BoundaryIds &part = ids_of(name, where);
        ids.insert(part.begin(), part.end());
      }
    return ids;
  }

} // namespace Ricochet
