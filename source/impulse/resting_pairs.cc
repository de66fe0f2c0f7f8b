// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/resting_pairs.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** How far beside a facet a vertex may be, relative to the local edge
     * length: it may lie on the border, where round-off decides. */
    constexpr double beside = 1e-6;

    /** The cosine of what a normal may turn by in a step: a vertex that is on
     * the border of two facets must not change from one to the other. */
    constexpr double least_cosine = 0.99;

    /** The least gap of what rests, relative to the detection distance: at less
     * it is for round-off to say on which of their sides bodies lie. And
     * relative to the way with speed_at_rest() in a step: room for what others
     * change, as deflect_pair() leaves. */
    constexpr double least_clearance = 100., clearance = 5e-4;



    /** Rigid bodies do not touch themselves. */
    template <int dim>
    PairKind
    kind_of(const std::array<unsigned int, dim + 1> &vertices,
            const Surface<dim> &surface)
    {
      return dim == 3 && surface.vertex_body[vertices[0]] ==
                           surface.vertex_body[vertices[1]]
               ? PairKind::edge_edge
               : PairKind::vertex_facet;
    }



    /** The normal of features; zero if they have none. */
    template <int dim>
    Tensor<1, dim>
    normal_of(const VertexFacet<dim> &,
              const std::array<Point<dim>, dim + 1> &x)
    {
      std::array<Point<dim>, dim> corners;
      std::copy(x.begin() + 1, x.end(), corners.begin());
      return facet_normal<dim>(corners);
    }

    Tensor<1, 3>
    normal_of(const EdgeEdge &, const EdgeEdge::Points &x)
    {
      const Tensor<1, 3> e_1 = x[1] - x[0], e_2 = x[3] - x[2];
      const Tensor<1, 3> n = cross_product_3d(e_1, e_2);
      const double sine    = n.norm();
      return sine > parallel_sine * e_1.norm() * e_2.norm() ? n / sine
                                                            : Tensor<1, 3>();
    }



    /** Whether it is between a feature and something that is none. */
    template <int dim>
    bool
    is_given(const Collision<dim> &collision)
    {
      const auto &weights = collision.vertex_weights;
      return std::accumulate(weights.begin(), weights.end(), 0.) > 0.5;
    }



    template <int dim>
    double
    gap_at_rest(const Collision<dim> &collision,
                const double speed_at_rest,
                const PassSettings &settings,
                const ContactState<dim> &state)
    {
      return std::max(least_clearance * settings.eta * collision.length,
                      clearance * state.dt * speed_at_rest);
    }



    template <int dim>
    void
    set_gaps(const ContactState<dim> &state, Collision<dim> &collision)
    {
      collision.start_gap =
        collision.normal * collision.weighted_sum(state.start_positions);
      collision.gap =
        collision.normal * collision.weighted_sum(state.end_positions);
    }
  } // namespace



  template <int dim>
  bool
  RestingPairs<dim>::place(const Pair &pair,
                           const Surface<dim> &surface,
                           const ContactState<dim> &state,
                           Collision<dim> &collision)
  {
    std::array<Point<dim>, dim + 1> x;
    for (unsigned int i = 0; i < dim + 1; ++i)
      x[i] = vertex_position(surface, state.start_positions, pair.vertices[i]);
    for_kind<dim>(kind_of(pair.vertices, surface), [&](const auto features) {
      set_weights(surface,
                  pair.vertices,
                  features.weights(features.closest(x)),
                  collision);
      collision.normal = normal_of(features, x);
    });
    Tensor<1, dim> &n = collision.normal;
    if (dim == 3 && n * pair.normal < 0.)
      n *= -1.; // of edges, whose order does not say which side is which
    if (n * pair.normal < least_cosine)
      return false;
    collision.length = pair.length;
    collision.bodies = pair.bodies;
    set_gaps(state, collision);
    const Tensor<1, dim> h = collision.weighted_sum(state.start_positions);
    return (h - (h * n) * n).norm() <= beside * pair.length;
  }



  template <int dim>
  bool
  RestingPairs<dim>::hold(const Pair &pair,
                          const Collision<dim> &gaps,
                          const PairKind kind,
                          const PassSettings &settings,
                          ContactState<dim> &state)
  {
    const Collision<dim> collision =
      with_common_point(gaps, state.start_positions, state.inverse_mass);
    const Tensor<1, dim> n = collision.normal;
    const double C_nn = product(n, state.inverse_mass.effective(collision), n);
    const double at_rest = speed_at_rest(collision, state);
    const double closing =
      -(n * collision.weighted_sum(state.predicted_velocities));
    if (!(C_nn > 0.) ||
        (settings.restitution.of(collision.bodies) > 0. && closing > at_rest))
      return false;
    const double gap =
      std::min(pair.gap,
               std::max(gaps.start_gap,
                        gap_at_rest(collision, at_rest, settings, state)));
    // The way that impulses do not change is the curvature of rotations.
    const double velocity = n * collision.weighted_sum(state.velocities) +
                            (gap - gaps.gap) / state.dt;
    const Tensor<1, dim> impulse = state.dt * pair.force;
    const double pressing        = std::max(0., impulse * n);
    const Tensor<1, dim> friction =
      pressing > 0. ? impulse - (impulse * n) * n : Tensor<1, dim>();
    if (pressing > 0.)
      push(collision,
           pressing * n + friction,
           ContactStatus::stick,
           ImpulseTime::start,
           state);
    state.held_pairs.push_back({collision,
                                velocity,
                                Tensor<1, dim>(),
                                C_nn,
                                pressing,
                                friction,
                                ContactStatus::stick});
    note_handled(kind, collision, state);
    return true;
  }



  template <int dim>
  bool
  RestingPairs<dim>::expect(const Surface<dim> &surface,
                            const std::vector<Encounter> &encounters,
                            const PassSettings &settings,
                            ContactState<dim> &state)
  {
    pairs_before = pairs;
    // Whoever is pressed on something meets it in free fall.
    if (pairs.empty() || encounters.empty())
      return false;
    std::map<Name, const Collision<dim> *> given;
    for (const Encounter &encounter : encounters)
      if (encounter.kind == PairKind::given)
        {
          const auto &known =
            state.given_collisions[encounter.collision].collision;
          given.emplace(Name(known.vertices, known.bodies), &known);
        }
    bool any = false;
    for (const Pair &pair : pairs)
      if (pair.is_given)
        {
          const auto found = given.find(name_of(pair));
          if (found == given.end())
            continue;
          Collision<dim> collision = *found->second;
          set_gaps(state, collision);
          any = hold(pair, collision, PairKind::given, settings, state) || any;
        }
      else
        {
          Collision<dim> collision;
          if (place(pair, surface, state, collision))
            any = hold(pair,
                       collision,
                       kind_of(pair.vertices, surface),
                       settings,
                       state) ||
                  any;
        }
    return any;
  }



  template <int dim>
  void
  RestingPairs<dim>::remember(const PassSettings &settings,
                              const ContactState<dim> &state)
  {
    pairs.clear();
    std::map<Name, unsigned int> before, known; // their numbers
    for (unsigned int k = 0; k < pairs_before.size(); ++k)
      before.emplace(name_of(pairs_before[k]), k);
    for (const HeldPair<dim> &held : state.held_pairs)
      {
        const Collision<dim> &collision = held.collision;
        if (!cannot_deform(collision, state.inverse_mass))
          continue;
        const Tensor<1, dim> n = collision.normal;
        const Tensor<1, dim> force =
          (held.impulse * n + held.friction) / state.dt;
        const Name name(collision.vertices, collision.bodies);
        if (const auto same = known.find(name); same != known.end())
          {
            pairs[same->second].force += force;
            continue;
          }
        Pair pair{collision.vertices,
                  collision.bodies,
                  n,
                  collision.length,
                  is_given(collision),
                  n * collision.weighted_sum(state.end_positions),
                  force};
        const auto same = before.find(name);
        if (same == before.end())
          pair.gap = std::max(pair.gap,
                              gap_at_rest(collision,
                                          speed_at_rest(collision, state),
                                          settings,
                                          state));
        else
          {
            const double gap = pairs_before[same->second].gap;
            if (held.impulse == 0. &&
                pair.gap > gap + settings.delta * pair.length)
              continue;
            pair.gap = gap;
          }
        known.emplace(name, pairs.size());
        pairs.push_back(pair);
      }
  }



  template <int dim>
  void
  RestingPairs<dim>::forget_step()
  {
    pairs = pairs_before;
  }



  template <int dim>
  void
  RestingPairs<dim>::clear()
  {
    pairs.clear();
    pairs_before.clear();
  }



  template <int dim>
  std::vector<double>
  RestingPairs<dim>::numbers() const
  {
    std::vector<double> result;
    for (const Pair &pair : pairs)
      {
        result.insert(result.end(), pair.vertices.begin(), pair.vertices.end());
        result.insert(result.end(), pair.bodies.begin(), pair.bodies.end());
        for (unsigned int d = 0; d < dim; ++d)
          result.push_back(pair.normal[d]);
        result.push_back(pair.length);
        result.push_back(pair.is_given);
        result.push_back(pair.gap);
        for (unsigned int d = 0; d < dim; ++d)
          result.push_back(pair.force[d]);
      }
    return result;
  }



  template <int dim>
  void
  RestingPairs<dim>::set_numbers(const std::vector<double> &numbers)
  {
    clear();
    for (auto number = numbers.begin(); number != numbers.end();)
      {
        Pair pair;
        for (unsigned int &vertex : pair.vertices)
          vertex = std::lround(*number++);
        for (unsigned int &body : pair.bodies)
          body = std::lround(*number++);
        for (unsigned int d = 0; d < dim; ++d)
          pair.normal[d] = *number++;
        pair.length   = *number++;
        pair.is_given = *number++ != 0.;
        pair.gap      = *number++;
        for (unsigned int d = 0; d < dim; ++d)
          pair.force[d] = *number++;
        pairs.push_back(pair);
      }
  }



  template class RestingPairs<2>;
  template class RestingPairs<3>;
} // namespace Ricochet
