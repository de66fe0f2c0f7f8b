// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_rigid_islands_h
#define ricochet_source_response_rigid_islands_h

#include <ricochet/rigid/rigid_step.h>

#include <map>
#include <numeric>
#include <vector>

namespace Ricochet
{
  /** Whether an impulse on the body changes nothing. */
  inline bool
  is_held(const RigidMotion &motion)
  {
    const auto &holds = motion.holds_velocity;
    return motion.holds_rotation && holds[0] && holds[1] && holds[2];
  }



  /**
   * Put together the numbers of contacts that have bodies in common, directly
   * or by others; bodies whose whole motion is held do not connect. Contacts
   * between two of these are left out.
   *
   * @tparam Contact Has the numbers of two bodies, slave and master.
   */
  template <typename Contact>
  std::vector<std::vector<unsigned int>>
  rigid_islands(const std::vector<Contact> &contacts,
                const std::vector<RigidStep> &steps)
  {
    std::vector<unsigned int> parent(steps.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](unsigned int body) {
      while (parent[body] != body)
        body = parent[body] = parent[parent[body]];
      return body;
    };
    const auto moves = [&](const unsigned int body) {
      return !is_held(steps[body].start());
    };
    for (const Contact &contact : contacts)
      if (moves(contact.slave) && moves(contact.master))
        parent[root(contact.slave)] = root(contact.master);

    std::vector<std::vector<unsigned int>> islands;
    std::map<unsigned int, unsigned int> island_of_root;
    for (unsigned int j = 0; j < contacts.size(); ++j)
      {
        const bool slave_moves = moves(contacts[j].slave);
        if (!slave_moves && !moves(contacts[j].master))
          continue;
        const unsigned int body =
          root(slave_moves ? contacts[j].slave : contacts[j].master);
        const auto found = island_of_root.emplace(body, islands.size());
        if (found.second)
          islands.emplace_back();
        islands[found.first->second].push_back(j);
      }
    return islands;
  }
} // namespace Ricochet

#endif
