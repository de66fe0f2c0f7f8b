// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_starting_overlaps_h
#define ricochet_simulation_starting_overlaps_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/output/output_directory.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** The overlaps of a run at its start: found, reported and treated. */
  template <int dim>
  class StartingOverlaps
  {
  public:
    /** Find them. @p names are those of all bodies. */
    StartingOverlaps(const Contact<dim> &contact,
                     const std::vector<std::string> &names);

    /** How many pairs of bodies overlap. */
    unsigned int
    n_pairs() const
    {
      return pairs.size();
    }

    /** Write all of them to overlaps.csv, if there are any; on one rank. */
    void
    write(const OutputDirectory &directory) const;

    /** A line of text for each pair of bodies, but not for too many. */
    std::vector<std::string>
    report() const;

    /**
     * Refuse, project and ignore as the parameters say. Throws a UserError if
     * a pair is refused or cannot be moved apart. Collective.
     */
    void
    treat(const Solids<dim> &solids, Contact<dim> &contact, State &state) const;

    /** Throw a UserError if a body is at the back of an obstacle, and does not
     * overlap with it. Collective. */
    void
    refuse_wrong_sides(const Contact<dim> &contact) const;

  private:
    /** All places of one pair of bodies. */
    struct Pair
    {
      BodyPair bodies;
      OverlapPolicy policy;
      unsigned int n_places;
      Overlap<dim> deepest;
    };

    /** Whether two bodies overlap. */
    bool
    contains(const BodyPair &bodies) const;

    std::string
    describe(const Pair &pair) const;

    void
    refuse() const;

    void
    project(const Solids<dim> &solids,
            Contact<dim> &contact,
            State &state) const;

    /** The bodies of all pairs with a policy. */
    std::vector<BodyPair>
    bodies_with(const OverlapPolicy policy) const;

    std::vector<std::string> names;
    std::vector<Overlap<dim>> overlaps;
    std::vector<Pair> pairs;
  };
} // namespace Ricochet

#endif
