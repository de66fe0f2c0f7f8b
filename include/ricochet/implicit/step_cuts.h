// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_step_cuts_h
#define ricochet_implicit_step_cuts_h

#include <array>
#include <string>

namespace Ricochet
{
  /** Why a step was not possible in its length. */
  enum class CutReason : unsigned int
  {
    /** Contact found no end that bodies get to without meeting. */
    no_free_end,

    /** The equations are solved, but there something meets on its way. */
    closed_gaps,

    /** A cell would have been inverted. */
    inverted_cell,

    /** The equations are not solved after the most iterations. */
    unsettled,

    /** A linear system is not solved. */
    linear_system
  };



  /** How often a step was halved, or all of a run, and why. */
  class StepCuts
  {
  public:
    static constexpr unsigned int n_reasons = 5;

    /** Count one more. */
    void
    add(const CutReason reason)
    {
      ++counts[static_cast<unsigned int>(reason)];
    }

    /** Add those of another step. */
    void
    add(const StepCuts &other)
    {
      for (unsigned int k = 0; k < n_reasons; ++k)
        counts[k] += other.counts[k];
    }

    /** For all reasons. */
    unsigned long int
    total() const
    {
      unsigned long int sum = 0;
      for (const unsigned long int count : counts)
        sum += count;
      return sum;
    }

    /** The name of a reason for users, of up to 30 letters. */
    static std::string
    name(const CutReason reason)
    {
      static const std::array<const char *, n_reasons> names = {
        {"no end without intersections",
         "gaps that did not open",
         "a cell would be inverted",
         "equations did not settle",
         "linear system not solved"}};
      return names[static_cast<unsigned int>(reason)];
    }

    /** For each reason. */
    std::array<unsigned long int, n_reasons> counts{};
  };
} // namespace Ricochet

#endif
