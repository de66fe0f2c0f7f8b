// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/node_groups.h>
#include <ricochet/projection/closest_point_projection.h>
#include <ricochet/projection/quadratic_program.h>
#include <ricochet/projection/sparse_quadratic_program.h>
#include <ricochet/projection/surface_flexibility.h>

#include <deal.II/base/parallel.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Of the mobility along the normal, relative to the largest one in any
     * direction: below, it is round-off of a normal along which all nodes are
     * held. */
    constexpr double held_tolerance = 1e-16;

    /** Of gaps that nothing can change, relative to the local edge length. */
    constexpr double gap_tolerance = 1e-12;



    /** Each constraint of a group may move nodes by so many times what is
     * missing of the worst one. More is no contact but a wedge of constraints
     * against each other, from which the closest way out is far away. */
    constexpr double largest_movement = 10.;



    /** Groups of more constraints are solved with sparse matrices, if nodes
     * move alone in them: from here on that is faster. */
    constexpr unsigned int largest_dense = 100;



    /** Numbers of constraints. */
    using Group = std::vector<unsigned int>;



    template <int dim>
    double
    mobility(const GapConstraint<dim> &a,
             const GapConstraint<dim> &b,
             const InverseMass<dim> &inverse_mass)
    {
      return product(a.collision.normal,
                     inverse_mass.between(a.collision, b.collision),
                     b.collision.normal);
    }



    /** How far an impulse on each node moves it, looked up once: this makes the
     * columns of a consistent mass, which threads must not do. */
    template <int dim>
    class NodeMobility
    {
    public:
      NodeMobility(const InverseMass<dim> &inverse_mass,
                   const unsigned int n_nodes)
        : inverse_mass(inverse_mass)
        , norms(n_nodes, unknown)
      {}

      double
      norm(const unsigned int node)
      {
        if (norms[node] == unknown)
          norms[node] = inverse_mass.of_node(node).norm();
        return norms[node];
      }

      /** Whether an impulse along the normal changes the gap. */
      bool
      can_move(const GapConstraint<dim> &constraint)
      {
        double largest = 0.;
        for (unsigned int i = 0; i < constraint.collision.nodes.size(); ++i)
          {
            const double weight = constraint.collision.weights[i];
            largest =
              std::max(largest,
                       weight * weight * norm(constraint.collision.nodes[i]));
          }
        return mobility(constraint, constraint, inverse_mass) >
               held_tolerance * largest;
      }

    private:
      static constexpr double unknown = -1.;

      const InverseMass<dim> &inverse_mass;
      std::vector<double> norms;
    };



    /** Numbers of nodes, mostly few. */
    using Nodes = boost::container::small_vector<unsigned int, 8>;



    /** What other constraints have in common with one that moves them: its
     * nodes with a mass or, of coupled ones, the first of their set.
     *
     * @param[in] has_mass Tells which nodes have one. */
    template <int dim, typename Predicate>
    Nodes
    moved_by(const Collision<dim> &collision,
             const InverseMass<dim> &inverse_mass,
             const Predicate &has_mass)
    {
      Nodes result;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        if (collision.weights[i] != 0. && has_mass(collision.nodes[i]))
          {
            const auto *const set = inverse_mass.set_of(collision.nodes[i]);
            result.push_back(set != nullptr ? set->get_nodes().front()
                                            : collision.nodes[i]);
          }
      std::sort(result.begin(), result.end());
      result.erase(std::unique(result.begin(), result.end()), result.end());
      return result;
    }



    /** Groups of those constraints that can move, in the order of their first
     * ones. */
    template <int dim>
    std::vector<Group>
    find_groups(const std::vector<GapConstraint<dim>> &constraints,
                const std::vector<char> &is_movable,
                const InverseMass<dim> &inverse_mass,
                const unsigned int n_nodes,
                NodeMobility<dim> &movable)
    {
      std::vector<unsigned int> first_moved(constraints.size());
      NodeGroups sets(n_nodes);
      const auto has_mass = [&movable](const unsigned int node) {
        return movable.norm(node) > 0.;
      };
      for (unsigned int c = 0; c < constraints.size(); ++c)
        if (is_movable[c] != 0)
          {
            const Nodes moved =
              moved_by(constraints[c].collision, inverse_mass, has_mass);
            sets.join(moved);
            first_moved[c] = moved.front();
          }

      constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;
      std::vector<Group> result;
      std::vector<unsigned int> number_of(n_nodes, none);
      for (unsigned int c = 0; c < constraints.size(); ++c)
        if (is_movable[c] != 0)
          {
            unsigned int &number = number_of[sets.group_of(first_moved[c])];
            if (number == none)
              {
                number = result.size();
                result.emplace_back();
              }
            result[number].push_back(c);
          }
      return result;
    }



    /** What is missing of the target. */
    template <int dim>
    double
    missing(const GapConstraint<dim> &constraint,
            const std::vector<Point<dim>> &positions)
    {
      return constraint.target - constraint.collision.normal *
                                   constraint.collision.weighted_sum(positions);
    }



    /** Sets of coupled nodes are moved as a whole if they have no more nodes
     * than so many times the constraints; pairs of constraints one by one would
     * take longer. */
    constexpr unsigned int nodes_of_constraint = 16;



    /** Whether there are coupled nodes in a group, of sets so small. Of rigid
     * bodies it takes no longer to ask for pairs. */
    template <int dim>
    bool
    moves_whole_sets(const Group &group,
                     const InverseMass<dim> &inverse_mass,
                     const std::vector<GapConstraint<dim>> &constraints)
    {
      std::set<unsigned int> known;
      unsigned int n = 0;
      for (const unsigned int c : group)
        for (const unsigned int node : constraints[c].collision.nodes)
          if (const auto *const set = inverse_mass.set_of(node))
            {
              if (inverse_mass.rigid_body_of(node) != nullptr)
                return false;
              if (known.insert(set->get_nodes().front()).second)
                n += set->get_nodes().size();
            }
      return n > 0 && n <= nodes_of_constraint * group.size();
    }



    /** The quadratic program of a group in its multipliers. */
    struct GroupProgram
    {
      template <int dim>
      GroupProgram(const Group &group,
                   const InverseMass<dim> &inverse_mass,
                   const std::vector<Point<dim>> &predictor,
                   const std::vector<GapConstraint<dim>> &constraints)
        : S(group.size(), group.size())
      {
        if (moves_whole_sets(group, inverse_mass, constraints))
          move_sets(group, inverse_mass, predictor.size(), constraints);
        else
          move_pairs(group, inverse_mass, constraints);
        for (const unsigned int c : group)
          {
            b.push_back(missing(constraints[c], predictor));
            multipliers.push_back(constraints[c].multiplier);
          }
      }

      /** Fill S by what a unit impulse at each constraint moves. */
      template <int dim>
      void
      move_sets(const Group &group,
                const InverseMass<dim> &inverse_mass,
                const unsigned int n_nodes,
                const std::vector<GapConstraint<dim>> &constraints)
      {
        std::vector<Tensor<1, dim>> changes;
        for (unsigned int i = 0; i < group.size(); ++i)
          {
            const Collision<dim> &moved = constraints[group[i]].collision;
            changes.assign(n_nodes, Tensor<1, dim>());
            inverse_mass.apply(moved, moved.normal, changes);
            for (unsigned int j = 0; j <= i; ++j)
              {
                const Collision<dim> &other = constraints[group[j]].collision;
                S(i, j) = S(j, i) = other.normal * other.weighted_sum(changes);
              }
          }
      }

      /** Fill it by the constraints that have nodes in common. */
      template <int dim>
      void
      move_pairs(const Group &group,
                 const InverseMass<dim> &inverse_mass,
                 const std::vector<GapConstraint<dim>> &constraints)
      {
        const auto has_mass = [&inverse_mass](const unsigned int node) {
          return !inverse_mass.is_fixed(node);
        };
        std::map<unsigned int, std::vector<unsigned int>> sharing;
        for (unsigned int i = 0; i < group.size(); ++i)
          {
            const GapConstraint<dim> &constraint = constraints[group[i]];
            for (const unsigned int key :
                 moved_by(constraint.collision, inverse_mass, has_mass))
              {
                sharing[key].push_back(i);
                for (const unsigned int j : sharing[key])
                  S(i, j) = S(j, i) =
                    mobility(constraint, constraints[group[j]], inverse_mass);
              }
          }
      }

      FullMatrix<double> S;
      std::vector<double> b, multipliers;
    };



    /** The same with slacks as further unknowns, each with a constraint of its
     * own to be not negative: their targets are at -rho S_ii, from where the
     * price rho drives them. */
    void
    add_slacks(GroupProgram &program)
    {
      const unsigned int n = program.b.size();
      const double price =
        largest_movement *
        *std::max_element(program.b.begin(), program.b.end());
      FullMatrix<double> S(2 * n, 2 * n);
      S.fill(program.S);
      for (unsigned int i = 0; i < n; ++i)
        {
          const double flexibility = program.S(i, i);
          S(i, i) += flexibility;
          S(i, n + i) = S(n + i, i) = S(n + i, n + i) = flexibility;
          program.b[i] += price;
        }
      program.S = S;
      program.b.resize(2 * n, price);
      program.multipliers.clear();
    }



    /** Find the multipliers of a group. */
    template <int dim>
    QuadraticProgramResult
    solve_group(const Group &group,
                GroupProgram &program,
                std::vector<GapConstraint<dim>> &constraints)
    {
      const QuadraticProgramResult result =
        solve_quadratic_program(program.S, program.b, program.multipliers);
      for (unsigned int i = 0; i < group.size(); ++i)
        constraints[group[i]].multiplier = program.multipliers[i];
      return result;
    }



    /** Whether the nodes of a group move alone. */
    template <int dim>
    bool
    all_move_alone(const Group &group,
                   const InverseMass<dim> &inverse_mass,
                   const std::vector<GapConstraint<dim>> &constraints)
    {
      return std::all_of(group.begin(), group.end(), [&](const unsigned int c) {
        const auto &nodes = constraints[c].collision.nodes;
        return std::all_of(nodes.begin(), nodes.end(), [&](unsigned int node) {
          return inverse_mass.set_of(node) == nullptr;
        });
      });
    }



    /** Add an entry to the row at the end, or to the entry there is for its
     * node. */
    template <int dim>
    void
    add_entry(const unsigned int node,
              const Tensor<1, dim> &entry,
              SparseRows<dim> &rows)
    {
      const auto before = std::find(rows.nodes.begin() + rows.begin.back(),
                                    rows.nodes.end(),
                                    node);
      if (before == rows.nodes.end())
        rows.add(node, entry);
      else
        rows.entries[before - rows.nodes.begin()] += entry;
    }



    /** Add a constraint whose nodes move alone to the rows of its group.
     *
     * @param[in,out] numbers Of the nodes in the rows; a node that can move is
     *   in no other group.
     * @param[in,out] roots Of the inverse masses of the nodes in the rows. */
    template <int dim>
    void
    add_row(const Collision<dim> &collision,
            const InverseMass<dim> &inverse_mass,
            std::vector<unsigned int> &numbers,
            std::vector<Tensor<1, dim>> &roots,
            SparseRows<dim> &rows)
    {
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        {
          unsigned int &number = numbers[collision.nodes[i]];
          if (number == dealii::numbers::invalid_unsigned_int)
            {
              const auto inverse = inverse_mass.of_node(collision.nodes[i]);
              if (inverse == Tensor<2, dim>())
                continue;
              number = rows.n_nodes++;
              roots.emplace_back();
              for (unsigned int d = 0; d < dim; ++d)
                roots.back()[d] = std::sqrt(inverse[d][d]);
            }
          Tensor<1, dim> entry;
          for (unsigned int d = 0; d < dim; ++d)
            entry[d] =
              collision.weights[i] * roots[number][d] * collision.normal[d];
          add_entry(number, entry, rows);
        }
      rows.end_row();
    }



    /** Find the multipliers of a large group. */
    template <int dim>
    QuadraticProgramResult
    solve_large_group(const Group &group,
                      const InverseMass<dim> &inverse_mass,
                      const std::vector<Point<dim>> &predictor,
                      std::vector<unsigned int> &numbers,
                      std::vector<GapConstraint<dim>> &constraints)
    {
      SparseRows<dim> rows;
      rows.begin.reserve(group.size() + 1);
      rows.nodes.reserve((dim + 1) * group.size());
      rows.entries.reserve((dim + 1) * group.size());
      std::vector<Tensor<1, dim>> roots;
      std::vector<double> b, multipliers;
      for (const unsigned int c : group)
        {
          add_row(constraints[c].collision, inverse_mass, numbers, roots, rows);
          b.push_back(missing(constraints[c], predictor));
          multipliers.push_back(constraints[c].multiplier);
        }
      const auto result =
        solve_quadratic_program(std::move(rows), b, multipliers);
      for (unsigned int i = 0; i < group.size(); ++i)
        constraints[group[i]].multiplier = multipliers[i];
      return result;
    }



    /** The same for one of bodies with stiffness; sets what it moves, if it is
     * solved. */
    template <int dim>
    QuadraticProgramResult
    solve_large_group(const Group &group,
                      SaddlePointProgram<dim> &program,
                      const std::vector<Point<dim>> &predictor,
                      std::vector<GapConstraint<dim>> &constraints,
                      std::vector<Tensor<1, dim>> &displacements)
    {
      SparseRows<dim> rows;
      rows.n_nodes = program.inverse_diagonal().size();
      std::vector<double> b, multipliers;
      for (const unsigned int c : group)
        {
          const Collision<dim> &collision = constraints[c].collision;
          for (unsigned int i = 0; i < collision.nodes.size(); ++i)
            if (collision.nodes[i] < rows.n_nodes)
              add_entry(collision.nodes[i],
                        collision.weights[i] * collision.normal,
                        rows);
          rows.end_row();
          b.push_back(missing(constraints[c], predictor));
          multipliers.push_back(constraints[c].multiplier);
        }
      const auto result = program.solve(rows, b, multipliers, displacements);
      if (result.is_solved())
        for (unsigned int i = 0; i < group.size(); ++i)
          constraints[group[i]].multiplier = multipliers[i];
      else
        displacements.clear();
      return result;
    }



    /** The same for a group that has no solution. */
    template <int dim>
    void
    relax_group(const Group &group,
                const InverseMass<dim> &inverse_mass,
                const std::vector<Point<dim>> &predictor,
                std::vector<GapConstraint<dim>> &constraints)
    {
      GroupProgram program(group, inverse_mass, predictor, constraints);
      add_slacks(program);
      if (!solve_group(group, program, constraints).is_solved())
        for (const unsigned int c : group)
          constraints[c].multiplier = 0.;
    }



    /** Solve the large groups of bodies with stiffness, and find the columns
     * for the other ones. Collective.
     *
     * @param[out] moved What each solved one moves, none of the other ones. */
    template <int dim>
    void
    solve_large_groups(const std::vector<Group> &groups,
                       SurfaceFlexibility<dim> &flexibility,
                       const std::vector<Point<dim>> &predictor,
                       std::vector<GapConstraint<dim>> &constraints,
                       std::vector<QuadraticProgramResult> &ends,
                       std::vector<std::vector<Tensor<1, dim>>> &moved,
                       ProjectionResult &result)
    {
      std::vector<GapConstraint<dim>> others;
      for (unsigned int g = 0; g < groups.size(); ++g)
        {
          if (auto *const program =
                flexibility.saddle_point_program(groups[g].size()))
            {
              ++result.n_large;
              ends[g] = solve_large_group(groups[g],
                                          *program,
                                          predictor,
                                          constraints,
                                          moved[g]);
              if (ends[g].is_solved())
                continue;
              ++result.n_by_columns;
            }
          for (const unsigned int c : groups[g])
            others.push_back(constraints[c]);
        }
      flexibility.find_columns(others);
    }



    /** Set the positions that belong to the multipliers.
     *
     * @param[in] moved What groups move whose solution knows it. */
    template <int dim>
    void
    move(const std::vector<Group> &groups,
         const std::vector<GapConstraint<dim>> &constraints,
         const InverseMass<dim> &inverse_mass,
         const std::vector<std::vector<Tensor<1, dim>>> &moved,
         const std::vector<Point<dim>> &predictor,
         std::vector<Point<dim>> &positions)
    {
      positions = predictor;
      std::vector<char> is_known(constraints.size(), 0);
      for (unsigned int g = 0; g < groups.size(); ++g)
        if (!moved[g].empty())
          {
            for (const unsigned int c : groups[g])
              is_known[c] = 1;
            for (unsigned int node = 0; node < moved[g].size(); ++node)
              positions[node] += moved[g][node];
          }
      for (unsigned int c = 0; c < constraints.size(); ++c)
        if (constraints[c].multiplier > 0. && is_known[c] == 0)
          inverse_mass.apply(constraints[c].collision,
                             constraints[c].multiplier *
                               constraints[c].collision.normal,
                             positions);
    }



    /** Whether a node of a group moves further than contacts can ask for. */
    template <int dim>
    bool
    moves_too_far(const Group &group,
                  const std::vector<GapConstraint<dim>> &constraints,
                  const std::vector<Point<dim>> &predictor,
                  const std::vector<Point<dim>> &positions)
    {
      double worst = 0., movement = 0.;
      for (const unsigned int c : group)
        {
          worst = std::max(worst, missing(constraints[c], predictor));
          for (const unsigned int node : constraints[c].collision.nodes)
            movement =
              std::max(movement,
                       (positions[node] - predictor[node]).norm_square());
        }
      return std::sqrt(movement) > largest_movement * group.size() * worst;
    }
  } // namespace



  template <int dim>
  ProjectionResult
  project_onto_gaps(std::vector<GapConstraint<dim>> &constraints,
                    const InverseMass<dim> &inverse_mass,
                    const std::vector<Point<dim>> &predictor,
                    std::vector<Point<dim>> &positions,
                    const UnsolvedGroups unsolved)
  {
    ProjectionResult result;
    auto *const flexibility = SurfaceFlexibility<dim>::behind(inverse_mass);
    const InverseMass<dim> &movable =
      flexibility != nullptr ? flexibility->of_diagonal() : inverse_mass;
    NodeMobility<dim> node_mobility(movable, predictor.size());
    std::vector<char> is_movable;
    for (GapConstraint<dim> &constraint : constraints)
      {
        is_movable.push_back(node_mobility.can_move(constraint) ? 1 : 0);
        if (is_movable.back() != 0)
          continue;
        constraint.multiplier = 0.;
        if (missing(constraint, predictor) >
            constraint.target + gap_tolerance * constraint.collision.length)
          ++result.n_infeasible;
      }

    const std::vector<Group> groups = find_groups(constraints,
                                                  is_movable,
                                                  inverse_mass,
                                                  predictor.size(),
                                                  node_mobility);
    std::vector<QuadraticProgramResult> ends(groups.size());
    std::vector<unsigned int> numbers(predictor.size(),
                                      dealii::numbers::invalid_unsigned_int);
    std::vector<std::vector<Tensor<1, dim>>> moved(groups.size());
    if (flexibility != nullptr)
      solve_large_groups(groups,
                         *flexibility,
                         predictor,
                         constraints,
                         ends,
                         moved,
                         result);
    dealii::parallel::apply_to_subranges(
      std::size_t(0),
      groups.size(),
      [&](const std::size_t first, const std::size_t last) {
        for (std::size_t g = first; g < last; ++g)
          {
            if (!moved[g].empty())
              continue;
            if (groups[g].size() > largest_dense &&
                all_move_alone(groups[g], inverse_mass, constraints))
              {
                ends[g] = solve_large_group(groups[g],
                                            inverse_mass,
                                            predictor,
                                            numbers,
                                            constraints);
                continue;
              }
            GroupProgram program(groups[g],
                                 inverse_mass,
                                 predictor,
                                 constraints);
            ends[g] = solve_group(groups[g], program, constraints);
          }
      },
      1);

    result.n_groups  = groups.size();
    result.is_solved = result.n_infeasible == 0;
    move(groups, constraints, inverse_mass, moved, predictor, positions);
    bool any_unsolved = false;
    for (unsigned int g = 0; g < groups.size(); ++g)
      {
        const Group &group = groups[g];
        result.n_iterations =
          std::max(result.n_iterations, ends[g].n_iterations);
        result.is_rough = result.is_rough || ends[g].is_rough;
        if (ends[g].is_solved() &&
            !moves_too_far(group, constraints, predictor, positions))
          continue;
        any_unsolved = true;
        moved[g].clear();
        ++result.n_infeasible;
        result.unsolved.insert(result.unsolved.end(),
                               group.begin(),
                               group.end());
        for (const unsigned int c : group)
          constraints[c].multiplier = 0.;
        if (unsolved == UnsolvedGroups::relax)
          relax_group(group, inverse_mass, predictor, constraints);
      }
    if (any_unsolved)
      {
        result.is_solved = false;
        move(groups, constraints, inverse_mass, moved, predictor, positions);
      }
    return result;
  }



  template ProjectionResult
  project_onto_gaps(std::vector<GapConstraint<2>> &,
                    const InverseMass<2> &,
                    const std::vector<Point<2>> &,
                    std::vector<Point<2>> &,
                    const UnsolvedGroups);
  template ProjectionResult
  project_onto_gaps(std::vector<GapConstraint<3>> &,
                    const InverseMass<3> &,
                    const std::vector<Point<3>> &,
                    std::vector<Point<3>> &,
                    const UnsolvedGroups);
} // namespace Ricochet
