// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_child_process_h
#define ricochet_source_mesh_child_process_h

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace Ricochet
{
  /** What a child process may use beyond what there is when it starts. */
  struct ChildLimits
  {
    std::size_t memory    = 0; /**< Bytes. */
    unsigned int cpu_time = 0; /**< Seconds. */
  };

  /**
   * Call @p work in a copy of this process that has limits and prints nothing,
   * and return the bytes that it returns. For libraries that a damaged file can
   * make crash or loop.
   *
   * Throws a UserError that @p work has thrown, and one that starts with
   * @p where if it threw something else, crashed or reached a limit.
   */
  std::vector<char>
  in_child_process(const std::function<std::vector<char>()> &work,
                   const ChildLimits &limits,
                   const std::string &where);
} // namespace Ricochet

#endif
