// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/boundary_ids.h>

#include <deal.II/base/utilities.h>

namespace Ricochet
{
  BoundaryIds
  parse_boundary_ids(const std::string &list)
  {
    BoundaryIds ids;
    for (const std::string &id : dealii::Utilities::split_string_list(list))
      ids.insert(dealii::Utilities::string_to_int(id));
    return ids;
  }



  void
  check_boundary_ids(const BoundaryIds &ids,
                     const BoundaryIds &found,
                     const std::string &where)
  {
    std::string list;
    for (const auto id : found)
      list += (list.empty() ? "" : ", ") + std::to_string(id);
    for (const auto id : ids)
      require(found.count(id) == 1,
              where + ": the mesh has no boundary id " + std::to_string(id) +
                ". Its boundary ids: " + list + ".");
  }
} // namespace Ricochet
