// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_mesh_faults_h
#define ricochet_source_mesh_mesh_faults_h

#include <cstddef>
#include <string>
#include <vector>

namespace Ricochet
{
  /** Collects what is wrong with a mesh, so that the user hears of all of it at
   * once. */
  class MeshFaults
  {
  public:
    /** Note down a fault of a kind, e.g. "cells are inverted or flat", and
     * where it is. Only the first places of a kind are kept. */
    void
    add(const std::string &kind, const std::string &place);

    /** Whether nothing was added. */
    bool
    empty() const
    {
      return kinds.empty();
    }

    /** Throw a UserError that starts with @p where and tells all faults, if
     * there are any. */
    void
    report(const std::string &where) const;

  private:
    struct Kind
    {
      std::string name;
      std::size_t n = 0;
      std::string places;
    };

    std::vector<Kind> kinds;
  };
} // namespace Ricochet

#endif
