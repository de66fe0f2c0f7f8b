// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/admissible_projection.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "anderson_mixing.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    constexpr unsigned int max_iterations = 50;

    /** An iterate has settled if it moves by less, relative to the local edge
     * length. */
    constexpr double step_tolerance = 1e-12;

    /** The same relative to the positions themselves. */
    constexpr double round_off = 16. * std::numeric_limits<double>::epsilon();

    /** Of nearly dependent gaps (vertex on vertex) the multipliers are
     * round-off, and iterates keep moving by so much at most, in the same
     * units. That counts as none once it does not become less. */
    constexpr double largest_noise = 1e3;

    /** Of projections onto linear gaps that are rough, an iterate has settled
     * if it moves by less, relative to the whole way from the predictor. */
    constexpr double rough_part = 3e-2;

    /** More contradictory gaps than these are bodies that have passed into each
     * other: no iteration will do, and each would take long. */
    constexpr unsigned int max_relaxed = 100;

    /** Longer steps, in units of what counts as none, have to lower the merit.
     */
    constexpr double smallest_search = 1e6;

    /** From this iteration on, convergence is linear: without the curvature of
     * the gaps in the Hessian, the worse, the larger the forces are. */
    constexpr unsigned int first_mixed = 4;

    /** Steps are halved so often at most. */
    constexpr unsigned int max_halvings = 10;



    /** Where the gradients of the gaps are taken. */
    template <int dim>
    std::vector<Point<dim>>
    middle(const std::vector<Point<dim>> &a, const std::vector<Point<dim>> &b)
    {
      std::vector<Point<dim>> result(b);
      for (unsigned int k = 0; k < a.size(); ++k)
        result[k] = a[k] + 0.5 * (b[k] - a[k]);
      return result;
    }



    /** The largest movement of a node of a gap, over what counts as none. */
    template <int dim>
    double
    movement(const GapConstraint<dim> &constraint,
             const std::vector<Point<dim>> &from,
             const std::vector<Point<dim>> &to)
    {
      const Collision<dim> &collision = constraint.collision;
      double result                   = 0.;
      for (const unsigned int node : collision.nodes)
        result = std::max(result,
                          (to[node] - from[node]).norm() /
                            (step_tolerance * collision.length +
                             round_off * Tensor<1, dim>(to[node]).norm()));
      return result;
    }



    /** 1/2 (x - x~) . M (x - x~), of which M (x - x~) are the impulses. */
    template <int dim>
    double
    distance(const std::vector<Point<dim>> &predictor,
             const std::vector<Point<dim>> &positions,
             const std::vector<Tensor<1, dim>> &impulses)
    {
      double sum = 0.;
      for (unsigned int k = 0; k < impulses.size(); ++k)
        sum += 0.5 * (impulses[k] * (positions[k] - predictor[k]));
      return sum;
    }



    /** The sums of lambda w n at the nodes, and the largest multiplier. */
    template <int dim>
    double
    sum_up(const std::vector<GapConstraint<dim>> &constraints,
           std::vector<Tensor<1, dim>> &impulses)
    {
      double largest = 0.;
      std::fill(impulses.begin(), impulses.end(), Tensor<1, dim>());
      for (const GapConstraint<dim> &c : constraints)
        {
          largest = std::max(largest, c.multiplier);
          for (unsigned int i = 0; i < c.collision.nodes.size(); ++i)
            impulses[c.collision.nodes[i]] +=
              c.multiplier * c.collision.weights[i] * c.collision.normal;
        }
      return largest;
    }
  } // namespace



  template <int dim>
  void
  AdmissibleProjection<dim>::clear()
  {
    gaps.clear();
    constraints.clear();
    numbers_of_branches.clear();
    number_of_contact.clear();
  }



  template <int dim>
  bool
  AdmissibleProjection<dim>::add(const Branch<dim> &branch, const double target)
  {
    if (has(branch))
      return false;
    numbers_of_branches.insert(hash_value(branch), gaps.size());
    gaps.push_back({branch.kind, branch, target});
    constraints.emplace_back();
    return true;
  }



  template <int dim>
  AdmissibleProjection<dim>
  AdmissibleProjection<dim>::without(
    const std::vector<Branch<dim>> &branches) const
  {
    std::vector<char> is_left_out(gaps.size(), 0);
    for (const Branch<dim> &branch : branches)
      {
        const unsigned int k = number_of(branch);
        if (k != NumberTable::none)
          is_left_out[k] = 1;
      }
    return without(is_left_out);
  }



  template <int dim>
  AdmissibleProjection<dim>
  AdmissibleProjection<dim>::without(const std::vector<char> &is_left_out) const
  {
    AdmissibleProjection result;
    std::vector<unsigned int> new_number(gaps.size());
    for (unsigned int k = 0; k < gaps.size(); ++k)
      {
        new_number[k] = result.gaps.size();
        if (is_left_out[k] != 0)
          continue;
        if (gaps[k].branch)
          result.numbers_of_branches.insert(hash_value(*gaps[k].branch),
                                            new_number[k]);
        result.gaps.push_back(gaps[k]);
        result.constraints.push_back(constraints[k]);
      }
    for (const auto &[contact, number] : number_of_contact)
      if (is_left_out[number] == 0)
        result.number_of_contact.emplace(contact, new_number[number]);
    return result;
  }



  template <int dim>
  bool
  AdmissibleProjection<dim>::has(const Encounter &encounter) const
  {
    return number_of_contact.count(key(encounter)) > 0;
  }



  template <int dim>
  bool
  AdmissibleProjection<dim>::has(const Branch<dim> &branch) const
  {
    return number_of(branch) != NumberTable::none;
  }



  template <int dim>
  unsigned int
  AdmissibleProjection<dim>::number_of(const Branch<dim> &branch) const
  {
    return numbers_of_branches.find(hash_value(branch),
                                    [&](const unsigned int k) {
                                      return *gaps[k].branch == branch;
                                    });
  }



  template <int dim>
  bool
  AdmissibleProjection<dim>::raise(const Branch<dim> &branch,
                                   const double target)
  {
    const unsigned int k = number_of(branch);
    const double length  = constraints[k].collision.length;
    const bool is_more   = target * length > gaps[k].target;
    if (is_more)
      gaps[k].target = target * length;
    return is_more;
  }



  template <int dim>
  std::vector<GapConstraint<dim>>
  AdmissibleProjection<dim>::at(const Surface<dim> &surface,
                                const Positions &positions) const
  {
    auto result = constraints;
    for (unsigned int k = 0; k < gaps.size(); ++k)
      if (gaps[k].branch)
        evaluate_branch(surface,
                        *gaps[k].branch,
                        positions,
                        result[k].collision);
    return result;
  }



  template <int dim>
  void
  AdmissibleProjection<dim>::add(const Encounter &encounter,
                                 const Collision<dim> &collision,
                                 const double target)
  {
    const auto entry = number_of_contact.emplace(key(encounter), gaps.size());
    if (entry.second)
      {
        gaps.push_back({encounter.kind, {}, target});
        constraints.emplace_back();
      }
    constraints[entry.first->second] = {collision, target, 0.};
  }



  template <int dim>
  void
  AdmissibleProjection<dim>::linearize(const Surface<dim> &surface,
                                       const Positions &positions,
                                       const Positions *middle_of)
  {
    Positions middle_positions;
    if (middle_of != nullptr)
      middle_positions = middle(*middle_of, positions);
    for (unsigned int k = 0; k < gaps.size(); ++k)
      if (gaps[k].branch)
        {
          GapConstraint<dim> &constraint = constraints[k];
          Collision<dim> &collision      = constraint.collision;
          // A branch without a normal keeps the last one it had.
          evaluate_branch(surface, *gaps[k].branch, positions, collision);
          constraint.target = gaps[k].target;
          if (middle_of == nullptr)
            continue;
          const double gap = collision.gap;
          evaluate_branch(surface,
                          *gaps[k].branch,
                          middle_positions,
                          collision);
          constraint.target +=
            collision.normal * collision.weighted_sum(positions) - gap;
          collision.gap = gap;
        }
  }



  template <int dim>
  double
  AdmissibleProjection<dim>::shortfall(const Surface<dim> &surface,
                                       const unsigned int k,
                                       const Positions &positions,
                                       Collision<dim> &scratch) const
  {
    const Collision<dim> &linear = constraints[k].collision;
    double gap                   = linear.gap; // without a normal, the last one
    if (!gaps[k].branch)
      gap = linear.normal * linear.weighted_sum(positions);
    else if (evaluate_branch(surface, *gaps[k].branch, positions, scratch))
      gap = scratch.gap;
    return std::max(0., gaps[k].target - gap);
  }



  template <int dim>
  double
  AdmissibleProjection<dim>::shortfall(const Surface<dim> &surface,
                                       const Positions &positions) const
  {
    double sum = 0.;
    Collision<dim> scratch;
    for (unsigned int k = 0; k < gaps.size(); ++k)
      sum += shortfall(surface, k, positions, scratch);
    return sum;
  }



  template <int dim>
  double
  AdmissibleProjection<dim>::merit(const Surface<dim> &surface,
                                   const Positions &predictor,
                                   const Positions &positions,
                                   const std::vector<Tensor<1, dim>> &impulses,
                                   const double penalty) const
  {
    double sum = distance(predictor, positions, impulses);
    Collision<dim> scratch;
    for (unsigned int k = 0; k < gaps.size(); ++k)
      sum += penalty * shortfall(surface, k, positions, scratch);
    return sum;
  }



  template <int dim>
  double
  AdmissibleProjection<dim>::merit_of_iterate(
    const Positions &predictor,
    const Positions &positions,
    const std::vector<Tensor<1, dim>> &impulses,
    const double penalty) const
  {
    double sum = distance(predictor, positions, impulses);
    for (unsigned int k = 0; k < gaps.size(); ++k)
      {
        const Collision<dim> &linear = constraints[k].collision;
        const double gap             = gaps[k].branch
                                         ? linear.gap
                                         : linear.normal * linear.weighted_sum(positions);
        sum += penalty * std::max(0., gaps[k].target - gap);
      }
    return sum;
  }



  template <int dim>
  typename AdmissibleProjection<dim>::Result
  AdmissibleProjection<dim>::project(const Surface<dim> &surface,
                                     const InverseMass<dim> &inverse_mass,
                                     const Positions &predictor,
                                     const Positions *middle_of,
                                     Positions &positions)
  {
    Result result;
    Positions trial;
    // The change of positions is M^-1 times these.
    std::vector<Tensor<1, dim>> impulses(predictor.size()),
      trial_impulses(predictor.size());
    // How far a guess is from the predictor in terms of impulses is not known,
    // so that it has no merit.
    bool is_guess = !positions.empty();
    if (!is_guess)
      positions = predictor;
    bool is_settled = false;
    double last     = std::numeric_limits<double>::infinity();
    std::vector<unsigned int> unsettled;
    AndersonMixing<dim> mixing;
    while (!is_settled && result.n_iterations < max_iterations)
      {
        ++result.n_iterations;
        linearize(surface, positions, middle_of);
        const bool is_small = constraints.size() <= max_relaxed;
        const ProjectionResult step =
          project_onto_gaps(constraints,
                            inverse_mass,
                            predictor,
                            trial,
                            is_small ? UnsolvedGroups::relax
                                     : UnsolvedGroups::leave);
        result.n_large += step.n_large;
        result.n_by_columns += step.n_by_columns;
        if (!step.is_solved && !is_small)
          break;
        const double penalty = 2. * sum_up(constraints, trial_impulses);

        unsettled      = step.unsolved;
        double largest = 0., whole = 0.;
        for (unsigned int k = 0; k < constraints.size(); ++k)
          {
            const double of_gap = movement(constraints[k], positions, trial);
            largest             = std::max(largest, of_gap);
            if (step.is_rough)
              whole =
                std::max(whole, movement(constraints[k], predictor, trial));
            if (of_gap > 1.)
              unsettled.push_back(k);
          }
        is_settled = largest <= std::max(step.n_large > 0 ? largest_noise : 1.,
                                         rough_part * whole) ||
                     (largest <= largest_noise && largest >= last);
        result.is_solved = is_settled && step.is_solved;
        // Of small steps the merit is round-off. Of steps along curved gaps it
        // may grow although they lead on, as those that become shorter do.
        const bool is_falling =
          result.n_iterations >= first_mixed && largest < last;
        last                = largest;
        const bool is_whole = is_guess || is_falling ||
                              largest <= smallest_search ||
                              !shorten_step(surface,
                                            predictor,
                                            penalty,
                                            positions,
                                            impulses,
                                            trial,
                                            trial_impulses);
        if (!is_whole || step.n_infeasible > 0)
          mixing.clear();
        else if (result.n_iterations >= first_mixed && !is_settled)
          mixing.mix(positions, trial, trial_impulses);
        is_guess = false;
        positions.swap(trial);
        impulses.swap(trial_impulses);
      }
    result.distance = distance(predictor, positions, impulses);
    if (!result.is_solved)
      for (const unsigned int k : unsettled)
        if (gaps[k].branch)
          result.unsettled.insert(*gaps[k].branch);
    return result;
  }



  template <int dim>
  bool
  AdmissibleProjection<dim>::shorten_step(
    const Surface<dim> &surface,
    const Positions &predictor,
    const double penalty,
    const Positions &positions,
    const std::vector<Tensor<1, dim>> &impulses,
    Positions &trial,
    std::vector<Tensor<1, dim>> &trial_impulses) const
  {
    const double limit =
      merit_of_iterate(predictor, positions, impulses, penalty);
    unsigned int n = 0;
    for (; n < max_halvings &&
           merit(surface, predictor, trial, trial_impulses, penalty) >
             limit * (1. + round_off);
         ++n)
      for (unsigned int k = 0; k < trial.size(); ++k)
        {
          trial[k]          = positions[k] + 0.5 * (trial[k] - positions[k]);
          trial_impulses[k] = 0.5 * (impulses[k] + trial_impulses[k]);
        }
    return n > 0;
  }



  template class AdmissibleProjection<2>;
  template class AdmissibleProjection<3>;
} // namespace Ricochet
