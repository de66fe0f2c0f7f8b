// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_admissible_projection_h
#define ricochet_projection_admissible_projection_h

#include <ricochet/geometry/branches.h>
#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/projection/closest_point_projection.h>
#include <ricochet/projection/number_table.h>

#include <deal.II/base/point.h>

#include <boost/container_hash/hash.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace Ricochet
{
  /**
   * The closest point to a predictor, in the norm of the mass, among all
   * configurations that respect a set of branches (Kane, Repetto, Ortiz and
   * Marsden, 1999, eqs. (3.27) to (3.29) for the explicit member, beta = 0):
   *
   *   min 1/2 (x - x~) . M (x - x~)   with   g_c(x) >= target_c.
   *
   * Sequential quadratic programming with an l1 merit function (Nocedal and
   * Wright, 2006, chapter 18): each iteration linearizes the gaps at the
   * last iterate and solves for the closest point, see project_onto_gaps(); the
   * Hessian is the mass alone. A step is taken as far as it lowers the merit
   *
   *   1/2 |x - x~|_M^2 + rho sum_c max(0, target_c - g_c(x)),
   *   rho > max_c lambda_c,
   *
   * mostly in full; from the fourth one on, iterations are mixed, see
   * AndersonMixing. Where linearized gaps contradict each other, they are
   * relaxed for the iteration (UnsolvedGroups::relax); of more than a hundred,
   * the projection is given up. At the end x = x~ + M^-1 sum_c lambda_c w_c
   * n_c.
   */
  template <int dim>
  class AdmissibleProjection
  {
  public:
    /** One point per node. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** What a projection took. */
    struct Result
    {
      /** Whether all targets are reached to round-off. */
      bool is_solved            = false;
      unsigned int n_iterations = 0;

      /** See ProjectionResult. */
      unsigned int n_large = 0, n_by_columns = 0;

      /** 1/2 (x - x~) . M (x - x~). */
      double distance = 0.;

      /** If not solved, the branches that contradict each other or whose nodes
       * have not settled. */
      std::set<Branch<dim>> unsettled;
    };

    /** Forget all branches. */
    void
    clear();

    /** The same without some branches. */
    AdmissibleProjection
    without(const std::vector<Branch<dim>> &branches) const;

    /** The same without the gaps that are marked. */
    AdmissibleProjection
    without(const std::vector<char> &is_left_out) const;

    /** Respect a branch from now on, with a gap of at least @p target (a
     * length). Whether it is new. */
    bool
    add(const Branch<dim> &branch, const double target);

    /** Whether a branch is respected. */
    bool
    has(const Branch<dim> &branch) const;

    /** Whether there is a collision of the encounter. */
    bool
    has(const Encounter &encounter) const;

    /** Keep a branch at a gap of at least @p target, relative to its length.
     * Whether that is more than before. */
    bool
    raise(const Branch<dim> &branch, const double target);

    /** Keep a collision, with its weights and normal, at a gap of at least
     * @p target; in place of the one that the encounter had. For what has no
     * branch: contacts with obstacles, and where the closest points are not on
     * the features. */
    void
    add(const Encounter &encounter,
        const Collision<dim> &collision,
        const double target);

    /**
     * Find the closest point to @p predictor.
     *
     * @param[in,out] positions Where the gaps are linearized first, if it is
     *   not empty; else at the predictor. On return the closest point.
     * @param[in] middle_of If not null, the gradients are those in the middle
     *   between these positions and the result: then x is no longer closest,
     *   but forces along the gradients keep the angular momentum of the step
     *   exactly.
     */
    Result
    project(const Surface<dim> &surface,
            const InverseMass<dim> &inverse_mass,
            const Positions &predictor,
            const Positions *middle_of,
            Positions &positions);

    /** The gaps with their gradients at some positions and their multipliers,
     * in the order in which they were added. */
    std::vector<GapConstraint<dim>>
    at(const Surface<dim> &surface, const Positions &positions) const;

    /** The sum of what is missing of the targets at some positions. */
    double
    shortfall(const Surface<dim> &surface, const Positions &positions) const;

    /** The gaps with the gradients of the last iteration and their
     * multipliers. */
    const std::vector<GapConstraint<dim>> &
    get_constraints() const
    {
      return constraints;
    }

    /** The branch of the gap with this number, if it has one. */
    const std::optional<Branch<dim>> &
    branch_of(const unsigned int k) const
    {
      return gaps[k].branch;
    }

    /** The kind of the gap with this number. */
    PairKind
    kind_of(const unsigned int k) const
    {
      return gaps[k].kind;
    }

  private:
    /** The number of the gap of a branch, or NumberTable::none. */
    unsigned int
    number_of(const Branch<dim> &branch) const;

    void
    linearize(const Surface<dim> &surface,
              const Positions &positions,
              const Positions *middle_of);

    /** What is missing of the target of a gap at some positions.
     *
     * @param[out] scratch May change. */
    double
    shortfall(const Surface<dim> &surface,
              const unsigned int k,
              const Positions &positions,
              Collision<dim> &scratch) const;

    /** The merit of positions that differ from the predictor by M^-1 times
     * @p impulses. */
    double
    merit(const Surface<dim> &surface,
          const Positions &predictor,
          const Positions &positions,
          const std::vector<dealii::Tensor<1, dim>> &impulses,
          const double penalty) const;

    /** The same at the positions of the last linearize(), which knows what is
     * missing. */
    double
    merit_of_iterate(const Positions &predictor,
                     const Positions &positions,
                     const std::vector<dealii::Tensor<1, dim>> &impulses,
                     const double penalty) const;

    /** Halve a step until it lowers the merit; whether that was necessary. */
    bool
    shorten_step(const Surface<dim> &surface,
                 const Positions &predictor,
                 const double penalty,
                 const Positions &positions,
                 const std::vector<dealii::Tensor<1, dim>> &impulses,
                 Positions &trial,
                 std::vector<dealii::Tensor<1, dim>> &trial_impulses) const;

    using ContactKey = std::tuple<PairKind, unsigned int, unsigned int>;

    struct Gap
    {
      PairKind kind;
      std::optional<Branch<dim>> branch;
      double target;
    };

    static ContactKey
    key(const Encounter &encounter)
    {
      return {encounter.kind, encounter.first, encounter.second};
    }

    std::vector<Gap> gaps;
    std::vector<GapConstraint<dim>> constraints; // one of each
    NumberTable numbers_of_branches;
    std::unordered_map<ContactKey, unsigned int, boost::hash<ContactKey>>
      number_of_contact;
  };
} // namespace Ricochet

#endif
