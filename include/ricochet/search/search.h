// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_search_h
#define ricochet_search_search_h

#include <ricochet/search/encounter.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/point.h>

#include <memory>
#include <vector>

namespace Ricochet
{
  /** Counters for summaries and benchmarks. */
  struct SearchStatistics
  {
    unsigned long int n_rebuilds           = 0; // of lists of some bodies
    unsigned long int n_rebuilt_bodies     = 0; // in all of these together
    unsigned long int n_detections         = 0;
    unsigned long int n_tested_pairs       = 0;
    unsigned long int n_encounters         = 0;
    unsigned long int n_candidate_pairs    = 0; // of the present lists
    unsigned long int n_vertex_facet_pairs = 0; // among them
  };



  /**
   * Finds the pairs of features of a surface that meet within a step.
   *
   * The candidate lists are built from boxes around the motion of the next
   * steps, inflated by a margin. A body keeps its lists until one of its
   * vertices has left its box; between rebuilds only the swept tests run, and
   * only for pairs whose bodies can have gone as far towards each other as the
   * features were apart when they were tested last. All ranks of the
   * communicator call detect() with the same positions, each tests a share of
   * the pairs, and all receive the same sorted list.
   *
   * @note For Contact; responses get what it finds.
   */
  template <int dim>
  class Search
  {
  public:
    Search();
    ~Search();

    /** Take over a surface (kept by reference: it must outlive this object). */
    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &settings,
           const MPI_Comm communicator);

    /** Look at other pairs of bodies from now on, see SearchSettings. */
    void
    set_body_pairs(const std::vector<char> &body_pairs);

    /**
     * Find all encounters on the straight paths of the vertices from
     * @p positions_begin to @p positions_end (one point per vertex). The
     * result is sorted and the same on every rank and for any number of
     * threads. @p encounters is cleared first; its capacity is reused.
     * Throws a RunError on all ranks if a position is not finite.
     */
    void
    detect(const std::vector<dealii::Point<dim>> &positions_begin,
           const std::vector<dealii::Point<dim>> &positions_end,
           std::vector<Encounter> &encounters);

    /** What was done so far. */
    const SearchStatistics &
    statistics() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace Ricochet

#endif
