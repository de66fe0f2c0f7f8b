// SPDX-License-Identifier: LGPL-2.1-or-later

#include <cmath>

#include "abaqus_parser.h"

namespace Ricochet
{
  void
  AbaqusParser::begin_part(const AbaqusKeyword &keyword)
  {
    if (inside != nullptr)
      keyword.fail(
        "a part begins within another or within an instance. End "
        "that with *END " +
        inside_keyword.name + ".");
    const auto name       = keyword.needed_value("NAME");
    const std::string key = upper_case(name);
    if (parts.count(key) > 0)
      keyword.fail("there are two parts with the name " + in_quotes(name) +
                   ". Give one another name.");
    inside         = &parts[key];
    inside->name   = name;
    inside_keyword = keyword;
    order_of_parts.push_back(key);
  }



  void
  AbaqusParser::begin_instance(const AbaqusKeyword &keyword)
  {
    if (inside != nullptr)
      keyword.fail(
        "an instance begins within a part or another instance. "
        "End that with *END " +
        inside_keyword.name + ".");
    allow_parameters(keyword, {"NAME", "PART", "INTERNAL"});
    const auto name = keyword.needed_value("NAME");
    const auto part = parts.find(upper_case(keyword.needed_value("PART")));
    if (part == parts.end())
      keyword.fail("there is no part " + in_quotes(keyword.value("PART")) +
                   " before this line. Mend the name.");
    if (!instance_names.insert(upper_case(name)).second)
      keyword.fail("there are two instances with the name " + in_quotes(name) +
                   ". Give one another name.");
    instanced += part->second.size();
    if (instanced > model.budget)
      keyword.fail(
        "the instances make too large a mesh for such a file. "
        "Write fewer of them.");

    used_parts.insert(part->first);
    model.has_instances = true;
    model.scopes.push_back(part->second);
    inside         = &model.scopes.back();
    inside->name   = name;
    inside_keyword = keyword;
    place_instance();
  }



  namespace
  {
    /** Turn @p x by an angle around the axis from @p a to @p b; see
     * Rodrigues' formula. */
    void
    rotate(std::array<double, 3> &x,
           const std::array<double, 3> &a,
           const std::array<double, 3> &axis,
           const double angle)
    {
      const std::array<double, 3> r = {{x[0] - a[0], x[1] - a[1], x[2] - a[2]}};
      const std::array<double, 3> cross = {{axis[1] * r[2] - axis[2] * r[1],
                                            axis[2] * r[0] - axis[0] * r[2],
                                            axis[0] * r[1] - axis[1] * r[0]}};
      const double along = axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2];
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = a[d] + std::cos(angle) * r[d] + std::sin(angle) * cross[d] +
               (1 - std::cos(angle)) * along * axis[d];
    }
  } // namespace



  void
  AbaqusParser::place_instance()
  {
    AbaqusData data;
    if (!deck.next_data(data))
      return;
    std::vector<double> shift = real_numbers(data, 0);
    if (shift.size() > 3)
      data.fail("a translation has three components. Mend the line.");
    shift.resize(3);
    for (auto &x : inside->points)
      for (unsigned int d = 0; d < 3; ++d)
        x[d] += shift[d];

    if (!deck.next_data(data))
      return;
    const std::vector<double> r = real_numbers(data, 0);
    if (r.size() != 7)
      data.fail(
        "a rotation has two points on its axis and an angle, seven "
        "numbers in all. Mend the line.");
    std::array<double, 3> axis = {{r[3] - r[0], r[4] - r[1], r[5] - r[2]}};
    const double length        = std::hypot(axis[0], axis[1], axis[2]);
    if (!(length > 0 && std::isfinite(length)))
      data.fail(
        "the two points on the axis of a rotation must differ. Mend "
        "the line.");
    for (double &component : axis)
      component /= length;
    constexpr double pi = 3.14159265358979323846;
    for (auto &x : inside->points)
      rotate(x, {{r[0], r[1], r[2]}}, axis, r[6] * pi / 180);
    if (deck.next_data(data))
      data.fail("an instance has two lines of data at most. Remove this.");
  }



  void
  AbaqusParser::end(const AbaqusKeyword &keyword, const std::string &what)
  {
    if (inside == nullptr || inside_keyword.name != what)
      keyword.fail("*END " + what + " without *" + what +
                   " before it. Remove the line or mend what is before it.");
    inside = nullptr;
  }
} // namespace Ricochet
