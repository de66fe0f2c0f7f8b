// SPDX-License-Identifier: LGPL-2.1-or-later

#include "mesh_faults.h"

#include <ricochet/base/error.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    /** So many are told of each kind. */
    constexpr std::size_t n_places = 3;
  } // namespace



  void
  MeshFaults::add(const std::string &name, const std::string &place)
  {
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind &k) {
      return k.name == name;
    });
    if (kind == kinds.end())
      kind = kinds.insert(kinds.end(), {name, 0, ""});
    ++kind->n;
    if (kind->n <= n_places)
      kind->places += (kind->places.empty() ? "" : "; ") + place;
    else if (kind->n == n_places + 1)
      kind->places += "; ...";
  }



  void
  MeshFaults::report(const std::string &where) const
  {
    if (kinds.empty())
      return;
    const auto text = [](const Kind &kind) {
      return kind.name + " (" + std::to_string(kind.n) + "): " + kind.places;
    };
    const std::string remedy = "Repair the mesh with the program that made it.";
    if (kinds.size() == 1)
      throw UserError(where + ": the mesh has " + text(kinds[0]) + ". " +
                      remedy);
    std::string list;
    for (const Kind &kind : kinds)
      list += "\n  - " + text(kind) + ".";
    throw UserError(where + ": the mesh has faults of " +
                    std::to_string(kinds.size()) + " kinds. " + remedy + list);
  }
} // namespace Ricochet
