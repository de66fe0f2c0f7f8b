// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_master_slave_h
#define ricochet_response_master_slave_h

#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/types.h>

#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Whose vertices are held outside whose facets: a table of bodies or of
   * boundary ids of bodies, or all of them.
   *
   * A slave is asked for nothing but vertices with a mass; so sets of points
   * without facets fit, once the surface knows such. A master needs facets.
   */
  class MasterSlaveTable
  {
  public:
    /** In a parameter file. */
    static const std::string symmetric;

    /**
     * Read @p text: 'symmetric', or a list such as 'plate:bar, plate/4:ball'
     * of a master and a slave each, the names of bodies, with '/' and a
     * boundary id for a part of the surface. Throws a UserError that starts
     * with @p entry.
     */
    void
    parse(const std::string &text,
          const std::vector<std::string> &names,
          const std::string &entry);

    /**
     * Take over a surface. Throws a UserError if a master of the table has no
     * facets, or a slave no vertices, or if the two may not touch.
     */
    template <int dim>
    void
    reinit(const Surface<dim> &surface, const SearchSettings &search);

    /** Whether the vertex is a slave and the facet one of its masters. */
    template <int dim>
    bool
    contains(const Surface<dim> &surface,
             const unsigned int vertex,
             const unsigned int facet) const;

    /**
     * The smallest value over all pairs of a master and a slave of @p lengths
     * of the master over the sum of both @p speeds; vectors by body.
     */
    double
    shortest_time(const std::vector<double> &lengths,
                  const std::vector<double> &speeds) const;

    /** The smallest of @p lengths, by body, of a master. */
    double
    smallest_of_masters(const std::vector<double> &lengths) const;

  private:
    using BoundaryId = dealii::types::boundary_id;

    /** A whole surface. */
    static constexpr BoundaryId all = dealii::numbers::invalid_boundary_id;

    /** A body, or the part of it with a boundary id. */
    struct Side
    {
      unsigned int body;
      BoundaryId id;
    };

    std::vector<Side>
    sides_called(const std::string &text,
                 const std::vector<std::string> &names) const;

    /** How messages call a side. */
    std::string
    name_of(const Side &side) const;

    std::string entry;
    std::vector<std::string> body_names;
    bool is_symmetric = true;

    /** The ids of master and slave, for the bodies of master and slave. */
    std::map<std::array<unsigned int, 2>,
             std::vector<std::pair<BoundaryId, BoundaryId>>>
      table;

    /** For each vertex, the ids of its facets; empty if no slave has any. */
    std::vector<std::set<BoundaryId>> ids_of_vertex;
  };
} // namespace Ricochet

#endif
