// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_pair_values_h
#define ricochet_impulse_pair_values_h

#include <ricochet/base/body_pairs.h>

#include <deal.II/base/patterns.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** A number for each pair of bodies: one for all, and exceptions. */
  class PairValues
  {
  public:
    /** The same for all; implicit, since it is a number then. */
    PairValues(const double common)
      : common(common)
    {}

    /**
     * Read exceptions such as "ball:plate 0.3, ball:wall 0.1". Throws a
     * UserError that starts with @p entry if a body is unknown, a pair is given
     * twice, or a number is not in @p range.
     *
     * @param[in] names The names of all bodies, by number. The name of a
     *   repeated body stands for all of its copies.
     * @param[in] allowed How messages call the range.
     */
    void
    parse_exceptions(const std::string &text,
                     const std::vector<std::string> &names,
                     const std::string &entry,
                     const dealii::Patterns::Double &range,
                     const std::string &allowed);

    /** The value of two bodies, in any order. */
    double
    of(const std::array<unsigned int, 2> &bodies) const;

    /** The largest value of any pair. */
    double
    largest() const;

    /** The smallest value of any pair. */
    double
    smallest() const;

  private:
    double common;
    std::shared_ptr<const std::map<BodyPair, double>> exceptions;
  };
} // namespace Ricochet

#endif
