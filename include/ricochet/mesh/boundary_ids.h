// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_boundary_ids_h
#define ricochet_mesh_boundary_ids_h

#include <deal.II/base/types.h>

#include <map>
#include <set>
#include <string>

namespace Ricochet
{
  /** Some of the ids of a boundary. */
  using BoundaryIds = std::set<dealii::types::boundary_id>;

  /**
   * What the parts of a boundary are called: names, and numbers as text. Parts
   * may overlap; faces that are in several have an id of their own, so a name
   * stands for one or more ids, and an id may be that of several names.
   */
  class BoundaryNames
  {
  public:
    /** Add @p id to what @p name stands for. */
    void
    add(const std::string &name, const dealii::types::boundary_id id);

    /** What the name of one part stands for, as in add(). Throws a UserError
     * that starts with @p where and lists the names there are. */
    const BoundaryIds &
    ids_of(const std::string &name, const std::string &where) const;

    /** The same for a list such as "floor, 7"; none for an empty text. */
    BoundaryIds
    ids_of_list(const std::string &list, const std::string &where) const;

    /** Everything by name. */
    const std::map<std::string, BoundaryIds> &
    all() const
    {
      return names;
    }

    /** For a copy in another process. */
    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &names;
    }

  private:
    std::map<std::string, BoundaryIds> names;
  };
} // namespace Ricochet

#endif
