// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_body_pairs_h
#define ricochet_base_body_pairs_h

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** Two bodies, the smaller number first; or one with itself. */
  using BodyPair = std::array<unsigned int, 2>;

  /** Split a list at its commas, but not at those in names such as
   * 'cube[0,1,0]'. Items have no spaces around them. */
  std::vector<std::string>
  split_list_of_bodies(const std::string &list);

  /**
   * The bodies that a name stands for: that of a repeated body for all of its
   * copies, that of a body for its rigid regions as well. Throws a UserError
   * that starts with @p entry if there are none.
   *
   * @param[in] names The names of all bodies, by number.
   */
  std::vector<unsigned int>
  bodies_called(const std::string &name,
                const std::vector<std::string> &names,
                const std::string &entry);

  /**
   * The pairs of bodies that a text "a:b" stands for. The name of a repeated
   * body stands for all of its copies. Throws a UserError that starts with
   * @p entry if the text is not a pair or a body is unknown.
   *
   * @param[in] names The names of all bodies, by number.
   */
  std::vector<BodyPair>
  parse_body_pair(const std::string &text,
                  const std::vector<std::string> &names,
                  const std::string &entry);
} // namespace Ricochet

#endif
