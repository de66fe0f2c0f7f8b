// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_resting_pairs_h
#define ricochet_impulse_resting_pairs_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>
#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * The pairs of rigid bodies, or of these with obstacles, that hold each other
   * from step to step.
   *
   * In free fall bodies that lie on each other do not meet; in a stack each
   * learns of the one below only after that was held, one pass after the other.
   * Pairs that were held in the step before are held in ease_pairs() from the
   * start, beginning with the impulses that they had, so that all bodies of a
   * stack or a heap know of each other at once. They come no closer than they
   * were, and get no impulse if nothing presses them together.
   */
  template <int dim>
  class RestingPairs
  {
  public:
    /**
     * Before the first pass of a step, let those push that are still in place,
     * and take part in ease_pairs(). Pairs that may rebound are left to the
     * passes: those that close faster than by speed_at_rest().
     *
     * @param[in] encounters With the predictor; of obstacles without a surface
     *   those are expected that are among them.
     * @return Whether there were any.
     */
    bool
    expect(const Surface<dim> &surface,
           const std::vector<Encounter> &encounters,
           const PassSettings &settings,
           ContactState<dim> &state);

    /** The step is accepted: remember which pairs were held in it. */
    void
    remember(const PassSettings &settings, const ContactState<dim> &state);

    /** The step of the last expect() and remember() is repeated. */
    void
    forget_step();

    /** Forget all: vertices have other numbers. */
    void
    clear();

    /** All that is remembered, as numbers for a file. */
    std::vector<double>
    numbers() const;

    /** Take up what numbers() gave. */
    void
    set_numbers(const std::vector<double> &numbers);

  private:
    struct Pair
    {
      /** See Collision. */
      std::array<unsigned int, dim + 1> vertices;
      std::array<unsigned int, 2> bodies;
      dealii::Tensor<1, dim> normal;
      double length;

      /** Whether it is with an obstacle without a surface. */
      bool is_given;

      /** The gap that it is held at, and its impulse per time. */
      double gap;
      dealii::Tensor<1, dim> force;
    };

    /** Vertices and bodies, of which no two pairs have the same. */
    using Name =
      std::pair<std::array<unsigned int, dim + 1>, std::array<unsigned int, 2>>;

    static Name
    name_of(const Pair &pair)
    {
      return {pair.vertices, pair.bodies};
    }

    /** The pair where it is at the start of the step; whether the vertex is
     * still above the facet, or the edges cross. */
    static bool
    place(const Pair &pair,
          const Surface<dim> &surface,
          const ContactState<dim> &state,
          Collision<dim> &collision);

    /** Let a pair push that is in place. */
    static bool
    hold(const Pair &pair,
         const Collision<dim> &gaps,
         const PairKind kind,
         const PassSettings &settings,
         ContactState<dim> &state);

    std::vector<Pair> pairs, pairs_before;
  };
} // namespace Ricochet

#endif
