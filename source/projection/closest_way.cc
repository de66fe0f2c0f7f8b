// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/closest_way.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** How far behind each other features that were open may be at the start of
     * a step, relative to the local length: projections are as exact as their
     * iteration. */
    constexpr double open_tolerance = 1e-9;



    template <int dim>
    double
    kinetic_distance_square(const Surface<dim> &surface,
                            const BranchSet<dim> &way,
                            const InverseMass<dim> &inverse_mass,
                            const std::vector<Point<dim>> &positions)
    {
      double result = 0.;
      Collision<dim> collision;
      for (const Branch<dim> &branch : way)
        {
          if (!evaluate_branch(surface, branch, positions, collision))
            return std::numeric_limits<double>::infinity();
          const double flexibility = product(collision.normal,
                                             inverse_mass.effective(collision),
                                             collision.normal);
          result                   = std::max(result,
                            flexibility > 0.
                                                ? collision.gap * collision.gap / flexibility
                                                : std::numeric_limits<double>::infinity());
        }
      return result;
    }



    template <int dim>
    bool
    leads_back(const Surface<dim> &surface,
               const BranchSet<dim> &way,
               const std::vector<Point<dim>> &begin,
               const std::vector<Point<dim>> &end,
               const Branch<dim> *met)
    {
      return std::all_of(way.begin(), way.end(), [&](const Branch<dim> &b) {
        Collision<dim> collision;
        return (b.kind == PairKind::vertex_facet ||
                (met != nullptr && !(b < *met) && !(*met < b))) &&
               evaluate_branch(surface, b, begin, collision) &&
               collision.gap >= -open_tolerance * collision.length &&
               is_on_features(surface, b, end);
      });
    }
  } // namespace



  template <int dim>
  std::vector<BranchSet<dim>>
  ways_back(const Surface<dim> &surface,
            const std::vector<BranchSet<dim>> &ways,
            const std::vector<Point<dim>> &begin,
            const std::vector<Point<dim>> &end,
            const Branch<dim> *met)
  {
    std::vector<BranchSet<dim>> result;
    std::copy_if(ways.begin(),
                 ways.end(),
                 std::back_inserter(result),
                 [&](const BranchSet<dim> &way) {
                   return leads_back(surface, way, begin, end, met);
                 });
    return result;
  }



  template <int dim>
  const BranchSet<dim> &
  closest_way(const Surface<dim> &surface,
              const std::vector<BranchSet<dim>> &ways,
              const InverseMass<dim> &inverse_mass,
              const std::vector<Point<dim>> &end)
  {
    const BranchSet<dim> *best = nullptr;
    double shortest            = 0.;
    for (const BranchSet<dim> &way : ways)
      {
        const double distance =
          kinetic_distance_square(surface, way, inverse_mass, end);
        if (best == nullptr || distance < (1. - same_distance) * shortest ||
            (distance <= (1. + same_distance) * shortest && way < *best))
          {
            best     = &way;
            shortest = distance;
          }
      }
    return *best;
  }



#define RICOCHET_INSTANTIATE(dim)                 \
  template std::vector<BranchSet<dim>> ways_back( \
    const Surface<dim> &,                         \
    const std::vector<BranchSet<dim>> &,          \
    const std::vector<Point<dim>> &,              \
    const std::vector<Point<dim>> &,              \
    const Branch<dim> *);                         \
  template const BranchSet<dim> &closest_way(     \
    const Surface<dim> &,                         \
    const std::vector<BranchSet<dim>> &,          \
    const InverseMass<dim> &,                     \
    const std::vector<Point<dim>> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
