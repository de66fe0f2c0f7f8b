// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/closest_way.h>
#include <ricochet/projection/way_combinations.h>

#include <algorithm>
#include <iterator>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** More branches than these that have not settled are no matter of few
     * crossings, and each combination would take long. */
    constexpr unsigned int max_unsettled = 50;



    /** One way of each crossing, by numbers that count up like digits. */
    template <int dim>
    bool
    next(const std::vector<Crossing<dim>> &crossings,
         std::vector<unsigned int> &way_of)
    {
      for (unsigned int k = crossings.size(); k-- > 0;)
        {
          if (++way_of[k] < crossings[k].ways.size())
            return true;
          way_of[k] = 0;
        }
      return false;
    }



    template <int dim>
    unsigned int
    n_combinations(const std::vector<Crossing<dim>> &crossings)
    {
      unsigned int result = 1;
      for (const Crossing<dim> &crossing : crossings)
        if (result <= max_combinations)
          result *= crossing.ways.size();
      return result;
    }
  } // namespace



  template <int dim>
  bool
  take_closest_combination(
    const Surface<dim> &surface,
    const InverseMass<dim> &inverse_mass,
    const std::vector<Point<dim>> &predictor,
    const std::vector<Point<dim>> *middle_of,
    const std::function<double(const Branch<dim> &)> &target_of,
    std::vector<Crossing<dim>> &crossings,
    AdmissibleProjection<dim> &projection)
  {
    if (n_combinations(crossings) > max_combinations)
      return false;
    const AdmissibleProjection<dim> others = projection;
    bool any                               = false;
    double shortest                        = 0.;
    std::vector<unsigned int> way_of(crossings.size(), 0);
    do
      {
        AdmissibleProjection<dim> trial = others;
        for (unsigned int k = 0; k < crossings.size(); ++k)
          for (const Branch<dim> &branch : crossings[k].ways[way_of[k]])
            trial.add(branch, target_of(branch));
        std::vector<Point<dim>> closest;
        const auto result =
          trial.project(surface, inverse_mass, predictor, middle_of, closest);
        if (!result.is_solved ||
            (any && result.distance >= (1. - same_distance) * shortest) ||
            std::any_of(crossings.begin(),
                        crossings.end(),
                        [&](const Crossing<dim> &crossing) {
                          return !ways_out(surface,
                                           closest,
                                           crossing.facet_a,
                                           crossing.facet_b)
                                    .empty();
                        }))
          continue;
        any        = true;
        shortest   = result.distance;
        projection = trial;
        for (unsigned int k = 0; k < crossings.size(); ++k)
          crossings[k].taken = crossings[k].ways[way_of[k]];
    } while (next(crossings, way_of));
    return any;
  }



  template <int dim>
  void
  Crossings<dim>::clear()
  {
    crossings.clear();
    known_facets.clear();
    taken.clear();
    demanded.clear();
  }



  template <int dim>
  void
  Crossings<dim>::add(const Crossing<dim> &crossing)
  {
    if (crossing.ways.size() > 1 &&
        known_facets.emplace(crossing.facet_a, crossing.facet_b).second)
      crossings.push_back(crossing);
    else
      taken.insert(crossing.taken.begin(), crossing.taken.end());
  }



  template <int dim>
  void
  Crossings<dim>::demand(const Branch<dim> &branch)
  {
    demanded.push_back(branch);
  }



  template <int dim>
  bool
  Crossings<dim>::take_other_ways(
    const Surface<dim> &surface,
    const InverseMass<dim> &inverse_mass,
    const std::vector<Point<dim>> &predictor,
    const std::vector<Point<dim>> *middle_of,
    const std::function<double(const Branch<dim> &)> &target_of,
    const std::set<Branch<dim>> &unsettled,
    AdmissibleProjection<dim> &projection)
  {
    const auto is_settled = [&unsettled](const Crossing<dim> &crossing) {
      return std::none_of(crossing.taken.begin(),
                          crossing.taken.end(),
                          [&unsettled](const Branch<dim> &branch) {
                            return unsettled.count(branch) > 0;
                          });
    };
    const auto begin =
      std::stable_partition(crossings.begin(), crossings.end(), is_settled);
    std::vector<Crossing<dim>> open(begin, crossings.end());
    if (open.empty() || unsettled.size() > max_unsettled)
      return false;

    // What else asks for a branch keeps it.
    Set<Branch<dim>> kept = taken;
    kept.insert(demanded.begin(), demanded.end());
    std::for_each(crossings.begin(), begin, [&kept](const auto &crossing) {
      kept.insert(crossing.taken.begin(), crossing.taken.end());
    });
    std::vector<Branch<dim>> given_up;
    for (const Crossing<dim> &crossing : open)
      std::copy_if(crossing.taken.begin(),
                   crossing.taken.end(),
                   std::back_inserter(given_up),
                   [&kept](const Branch<dim> &branch) {
                     return kept.count(branch) == 0;
                   });
    auto combined = projection.without(given_up);
    if (!take_closest_combination(surface,
                                  inverse_mass,
                                  predictor,
                                  middle_of,
                                  target_of,
                                  open,
                                  combined))
      return false;
    projection = combined;
    std::copy(open.begin(), open.end(), begin);
    return true;
  }



#define RICOCHET_INSTANTIATE(dim)                       \
  template bool take_closest_combination(               \
    const Surface<dim> &,                               \
    const InverseMass<dim> &,                           \
    const std::vector<Point<dim>> &,                    \
    const std::vector<Point<dim>> *,                    \
    const std::function<double(const Branch<dim> &)> &, \
    std::vector<Crossing<dim>> &,                       \
    AdmissibleProjection<dim> &);                       \
  template class Crossings<dim>;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
