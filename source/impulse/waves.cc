// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/impulse/waves.h>

#include <deal.II/base/multithread_info.h>

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cstdint>

namespace Ricochet
{
  namespace
  {
    /** Points of a wave that one task handles: a fixed number, since sums
     * depend on it. Fewer are handled in one loop. */
    constexpr unsigned int points_per_task = 64;

    /** So are those that are in waves of fewer points on average: threads would
     * wait for each other. */
    constexpr unsigned int least_points_per_wave = 8;

    using AddNodes =
      std::function<void(const unsigned int, std::vector<unsigned int> &)>;

    /** A contact point, in the order of handling. */
    struct Point
    {
      unsigned int wave, node, number;

      /** What they are sorted by: no two points of a wave have a node in
       * common. */
      std::uint64_t
      key() const
      {
        return std::uint64_t(wave) << 32 | node;
      }

      friend bool
      operator<(const Point &a, const Point &b)
      {
        return a.key() < b.key();
      }
    };



    /** The points in the order of their waves, and there of their nodes. */
    std::vector<Point>
    sort_into_waves(const unsigned int n_points,
                    const AddNodes &add_nodes,
                    const unsigned int n_nodes)
    {
      std::vector<Point> points(n_points);
      std::vector<unsigned int> n_waves(n_nodes, 0), nodes; // so far, by node
      for (unsigned int i = 0; i < n_points; ++i)
        {
          nodes.clear();
          add_nodes(i, nodes);
          unsigned int wave = 0;
          for (const unsigned int node : nodes)
            wave = std::max(wave, n_waves[node]);
          for (const unsigned int node : nodes)
            n_waves[node] = wave + 1;
          points[i] = {wave, nodes.front(), i};
        }
      boost::sort::spreadsort::integer_sort(points.begin(),
                                            points.end(),
                                            [](const Point &point,
                                               const unsigned int shift) {
                                              return point.key() >> shift;
                                            });
      return points;
    }



    /** Where tasks begin, and the end of the last one: each has points of one
     * wave only. */
    std::vector<unsigned int>
    find_tasks(const std::vector<Point> &points)
    {
      std::vector<unsigned int> begins;
      for (unsigned int k = 0; k < points.size(); ++k)
        if (k == 0 || points[k].wave != points[k - 1].wave ||
            k - begins.back() == points_per_task)
          begins.push_back(k);
      begins.push_back(points.size());
      return begins;
    }



    template <int dim>
    using Handle = std::function<bool(const unsigned int, ContactState<dim> &)>;

    /** The tasks of a wave at once, each with a log of its own. */
    template <int dim>
    bool
    handle_in_threads(const std::vector<Point> &points,
                      const Handle<dim> &handle,
                      ContactState<dim> &state)
    {
      const std::vector<unsigned int> begins = find_tasks(points);
      const unsigned int n_tasks             = begins.size() - 1;
      std::vector<ContactState<dim>> parts;
      parts.reserve(n_tasks);
      for (unsigned int t = 0; t < n_tasks; ++t)
        {
          parts.push_back(state.share_fields());
          parts.back().handled.reserve(begins[t + 1] - begins[t]);
          parts.back().point_impulses.reserve(begins[t + 1] - begins[t]);
        }
      std::vector<char> changed(n_tasks, 0);
      for (unsigned int first = 0, last; first < n_tasks; first = last)
        {
          last = first + 1;
          while (last < n_tasks &&
                 points[begins[last]].wave == points[begins[first]].wave)
            ++last;
          in_threads(
            last - first,
            [&](const unsigned int k) {
              const unsigned int t = first + k;
              for (unsigned int i = begins[t]; i < begins[t + 1]; ++i)
                if (handle(points[i].number, parts[t]))
                  changed[t] = 1;
            },
            1);
        }
      for (const ContactState<dim> &part : parts)
        state.append(part);
      return std::find(changed.begin(), changed.end(), 1) != changed.end();
    }



    /** The same in one thread, where all can write into one log: only sums are
     * put together by tasks. */
    template <int dim>
    bool
    handle_in_turns(const std::vector<Point> &points,
                    const Handle<dim> &handle,
                    ContactState<dim> &state)
    {
      const std::vector<unsigned int> begins = find_tasks(points);
      ContactLog<dim> total;
      total.record = state.record;
      total.couples.swap(state.couples);
      bool changed = false;
      for (unsigned int t = 0; t + 1 < begins.size(); ++t)
        {
          state.record          = ContactRecord();
          state.record.n_passes = total.record.n_passes;
          for (unsigned int i = begins[t]; i < begins[t + 1]; ++i)
            changed = handle(points[i].number, state) || changed;
          ContactLog<dim> part;
          part.record = state.record;
          part.couples.swap(state.couples);
          total.append(part);
        }
      state.record = total.record;
      state.couples.swap(total.couples);
      return changed;
    }
  } // namespace



  template <int dim>
  bool
  handle_in_waves(
    const unsigned int n_points,
    const std::function<void(const unsigned int, std::vector<unsigned int> &)>
      &add_nodes,
    const std::function<bool(const unsigned int, ContactState<dim> &)> &handle,
    ContactState<dim> &state)
  {
    std::vector<Point> points;
    // Coupled nodes move others.
    if (n_points > points_per_task && state.inverse_mass.coupled_sets().empty())
      points =
        sort_into_waves(n_points, add_nodes, state.start_positions.size());
    if (points.empty() ||
        points.size() < least_points_per_wave * (points.back().wave + 1u))
      {
        bool changed = false;
        for (unsigned int i = 0; i < n_points; ++i)
          changed = handle(i, state) || changed;
        return changed;
      }

    return dealii::MultithreadInfo::n_threads() > 1
             ? handle_in_threads(points, handle, state)
             : handle_in_turns(points, handle, state);
  }



#define RICOCHET_INSTANTIATE(dim)                                              \
  template bool handle_in_waves(                                               \
    const unsigned int,                                                        \
    const std::function<void(const unsigned int, std::vector<unsigned int> &)> \
      &,                                                                       \
    const std::function<bool(const unsigned int, ContactState<dim> &)> &,      \
    ContactState<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
