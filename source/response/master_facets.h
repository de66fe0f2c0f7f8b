// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_master_facets_h
#define ricochet_source_response_master_facets_h

#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <functional>
#include <map>
#include <vector>

namespace Ricochet
{
  /** A slave and the surface of a master that it may be behind. */
  struct SlaveMeeting
  {
    /** A vertex of the surface, and the number of the other body. */
    unsigned int slave, master;

    /** The facets of the master that are closest in the middle of the step and
     * at its end. */
    unsigned int middle_facet, end_facet;

    /** Whether the slave was behind the surface at the start, and how far: the
     * gap there, positive behind the surface. */
    bool was_inside;
    double start_gap;

    /** The gap at the end, positive behind the surface. */
    double end_gap;
  };



  /**
   * Which facets of masters are closest to slaves, so that each slave has one
   * facet of each body that it meets, wherever it slides.
   *
   * Search for it starts at facets that a slave meets in this step and goes on
   * to neighbors as long as these are closer. Where two are equally close, at
   * an edge between them, it is the one of which the slave is further above or
   * below; that also is the one whose side says whether the slave is outside.
   *
   * A slave may come in where it was outside at the start, by the facet found
   * there from the same one: so nobody comes in through the back of a thin
   * body. Slaves that are inside at the end of a step are remembered with their
   * facets, where the search of the next step starts, at whatever depth.
   *
   * At the rim of an open surface there is nothing beside the facet: a slave
   * that projects there has left.
   */
  template <int dim>
  class MasterFacets
  {
  public:
    /** One point per vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** Whether a facet is a master of a vertex. */
    using IsMaster =
      std::function<bool(const unsigned int vertex, const unsigned int facet)>;

    /** Take over a surface, which must outlive this object.
     *
     * @param[in] depth How deep slaves may be that nothing is remembered of, in
     *   the first step. Units: local edge length.
     */
    void
    reinit(const Surface<dim> &surface,
           const IsMaster &is_master,
           const double depth);

    /** A step starts, or starts anew; or a part of the way to an equilibrium,
     * at whose end is what others have in the middle. */
    void
    begin_step(const bool is_static = false);

    /**
     * All meetings of slaves with masters, of those that end behind the
     * surface, or were there at the start or in another iterate of this step;
     * sorted by slave and master.
     *
     * Iterations that go to and fro between two facets would not end: after
     * some changes in a step a slave keeps its facet of the middle.
     *
     * @param[in] pairs At least all that cross on the way.
     * @param[in] start, end Positions of the vertices.
     */
    std::vector<SlaveMeeting>
    find(const std::vector<Encounter> &pairs,
         const Positions &start,
         const Positions &end) const;

    /** The step is over; these meetings go on. */
    void
    accept(const std::vector<SlaveMeeting> &lasting);

    /** What is remembered: slave and facet, two numbers each. */
    std::vector<double>
    memory() const;

    /** Go on from there. */
    void
    set_memory(const std::vector<double> &numbers);

  private:
    using SlaveAndMaster = std::array<unsigned int, 2>;

    /** How a vertex is placed to a facet. */
    struct Place
    {
      unsigned int facet;
      double distance_square;

      /** Positive behind the facet. */
      double gap;

      /** Whether there is no surface where the vertex projects. */
      bool is_beside = false;

      bool
      is_closer_than(const Place &other) const;
    };

    Place
    place(const unsigned int vertex,
          const unsigned int facet,
          const Positions &positions) const;

    /** The closest one, from @p facet on. */
    Place
    closest(const unsigned int vertex,
            const unsigned int facet,
            const Positions &positions) const;

    Place
    closest(const unsigned int vertex,
            const std::vector<unsigned int> &facets,
            const Positions &positions) const;

    /** Whether the surface ends where facet's vertices with positive weights
     * are. */
    bool
    is_rim(const unsigned int facet,
           const std::array<double, dim> &weights) const;

    /** Where to start for each meeting. */
    struct Entrance
    {
      std::vector<unsigned int> facets;
      bool was_inside  = false;
      double start_gap = 0.;
    };

    std::map<SlaveAndMaster, Entrance>
    find_entrances(const std::vector<Encounter> &pairs,
                   const Positions &start) const;

    /** The facet of the middle, or the one that the slave has to keep. */
    unsigned int
    keep(const SlaveAndMaster &pair, const unsigned int facet) const;

    const Surface<dim> *surface = nullptr;
    IsMaster is_master;
    double first_depth = 0.;
    bool is_first_step = true, is_static = false;

    /** The facets of slaves that were inside at the end of the last step. */
    std::map<SlaveAndMaster, unsigned int> inside;

    /** Of the iterations of this step. */
    struct Choice
    {
      unsigned int facet, n_changes = 0;
    };
    mutable std::map<SlaveAndMaster, Choice> choices;
  };
} // namespace Ricochet

#endif
