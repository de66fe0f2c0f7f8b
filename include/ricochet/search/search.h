// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_search_h
#define ricochet_search_search_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/point.h>

#include <memory>
#include <tuple>
#include <vector>

namespace Ricochet
{
  /** The kinds of feature pairs. In 2D there is no @p edge_edge. */
  enum class PairKind : unsigned char
  {
    vertex_facet = 0,
    edge_edge    = 1,
    obstacle     = 2 // without a surface, see ObstacleSearch
  };



  /**
   * Two features that meet on their way through one step, or are closer than
   * the detection distance at its end.
   */
  struct Encounter
  {
    /**
     * Time of impact as a fraction of the step, in [0,1]; 1 when the paths do
     * not meet and only the final distance is too small.
     */
    double time;

    PairKind kind;

    /** vertex_facet: the vertex. edge_edge: the edge with the smaller number.
     * obstacle: the vertex or facet. */
    unsigned int first;

    /** vertex_facet: the facet. edge_edge: the other edge. obstacle: its
     * number. */
    unsigned int second;

    /** Whether the paths meet (rather than only ending close together). */
    bool crossing;

    /**
     * The order in which encounters are resolved (time, then ids).
     * Times count in units of 2^-30 of a step, so that round-off does not
     * order what happens at once.
     */
    friend bool
    operator<(const Encounter &a, const Encounter &b)
    {
      const auto tick = [](const double time) {
        return static_cast<long int>(time * (1L << 30));
      };
      return std::make_tuple(tick(a.time), a.kind, a.first, a.second) <
             std::make_tuple(tick(b.time), b.kind, b.first, b.second);
    }
  };



  /** What to search for. */
  struct SearchSettings
  {
    /**
     * Detection distance relative to the local edge length (the smaller one of
     * the two features): pairs closer than this at the end of the step are
     * encounters.
     */
    double eta = 1e-6;

    /**
     * Margin of the candidate lists relative to the local edge length, around
     * the motion that is expected. Larger values give longer lists that stay
     * valid for more steps.
     */
    double margin = 0.05;

    /** Whether pairs of one body count (features that share a vertex never do).
     */
    bool self_contact = false;

    /**
     * Pairs of bodies to look at, as a symmetric table; empty means all.
     * body_pairs[a * n_bodies + b] != 0 when a and b may touch; this holds for
     * a == b, too, if self-contact is on.
     */
    std::vector<char> body_pairs;

    /** Whether that table, for so many bodies, lets two bodies touch. */
    bool
    may_touch(const unsigned int body_a,
              const unsigned int body_b,
              const unsigned int n_bodies) const
    {
      return body_pairs.empty() ||
             body_pairs[std::size_t(body_a) * n_bodies + body_b] != 0;
    }
  };



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
   * vertices has left its box; between rebuilds only the swept tests run. All
   * ranks of the communicator call detect() with the same positions, each tests
   * a share of the pairs, and all receive the same sorted list.
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
