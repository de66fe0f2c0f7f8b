// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

#include <array>
#include <map>
#include <utility>

namespace Ricochet
{
  using dealii::Tensor;

  /**
   * reactions.csv: what supports give to bodies, as mean forces over the time
   * since the last row. The reaction on a boundary id is that on the nodes
   * whose motion is prescribed there; a node on several boundaries counts for
   * the first one that the user names.
   */
  template <int dim>
  class ReactionsTable : public TableObserver<dim, ReactionRow>
  {
  public:
    ReactionsTable()
      : TableObserver<dim, ReactionRow>("reactions.csv", reaction_columns())
    {}

    void
    prepare(const RunView<dim> &run) override;

    void
    serialize(CheckpointArchive &archive) override
    {
      archive("time of the last row", last_time);
      for (unsigned int i = 0; i < supports.size(); ++i)
        archive("impulse until the last row of '" + supports[i].body +
                  "' at boundary " + supports[i].boundary,
                last_impulses[i]);
    }

  protected:
    bool
    is_wanted(const RunView<dim> &) const override
    {
      return !supports.empty();
    }

    std::vector<ReactionRow>
    rows(const RunView<dim> &run) override;

  private:
    /** A part of the boundary of a body with prescribed motion, by name. */
    struct Support
    {
      std::string body, boundary;
    };

    /** Of each support since the start. */
    std::vector<Tensor<1, 3>>
    impulses(const RunView<dim> &run) const;

    /** All that are named, of which the parts of other ranks may have more than
     * this rank's. */
    std::vector<Support> supports;

    /** The number of the support of each of Solids::supports(). */
    std::vector<std::vector<unsigned int>> support_of;

    double last_time = 0.;
    std::vector<Tensor<1, 3>> last_impulses;
  };



  template <int dim>
  void
  ReactionsTable<dim>::prepare(const RunView<dim> &run)
  {
    supports.clear();
    support_of.clear();
    std::map<std::pair<unsigned int, std::string>, unsigned int> number;
    for (unsigned int b = 0; b < run.solids.n_deformable_bodies(); ++b)
      for (const auto &motion : run.solids.body(b).prescribed_motions)
        for (const auto &boundary : motion.boundaries)
          if (number.emplace(std::make_pair(b, boundary.first), supports.size())
                .second)
            supports.push_back({run.settings.names[b], boundary.first});
    last_impulses.resize(supports.size());

    for (unsigned int p = 0; p < run.solids.n_forests() && !supports.empty();
         ++p)
      {
        // The first boundary of a motion that a node is on.
        const Forest<dim> &forest = run.solids.forest(p);
        std::map<std::array<unsigned int, 3>, unsigned int> number_of_node;
        for (const unsigned int b : forest.get_bodies())
          {
            const auto &motions = run.solids.body(b).prescribed_motions;
            for (unsigned int m = 0; m < motions.size(); ++m)
              for (const auto &[boundary, ids] : motions[m].boundaries)
                for (const unsigned int node : forest.nodes_on_boundary(b, ids))
                  number_of_node.emplace(
                    std::array<unsigned int, 3>{{b, m, node}},
                    number.at({b, boundary}));
          }
        support_of.emplace_back();
        for (const auto &support : run.solids.supports(p))
          support_of.back().push_back(number_of_node.at(
            {{support.body, support.motion, support.dof / dim}}));
      }
  }



  template <int dim>
  std::vector<Tensor<1, 3>>
  ReactionsTable<dim>::impulses(const RunView<dim> &run) const
  {
    const auto &of_dofs = run.balance.support_impulses;
    std::vector<Tensor<1, 3>> sums(supports.size());
    if (!of_dofs.empty())
      for (unsigned int p = 0; p < support_of.size(); ++p)
        for (unsigned int s = 0; s < support_of[p].size(); ++s)
          {
            const auto &support = run.solids.supports(p)[s];
            sums[support_of[p][s]][support.component] +=
              of_dofs[p][support.dof];
          }
    for (auto &sum : sums)
      sum = dealii::Utilities::MPI::sum(sum, run.communicator());
    return sums;
  }



  template <int dim>
  std::vector<ReactionRow>
  ReactionsTable<dim>::rows(const RunView<dim> &run)
  {
    const double dt    = run.state.time - last_time;
    const double scale = dt > 0. ? 1. / dt : 0.;
    const auto sums    = impulses(run);
    std::vector<ReactionRow> result;
    for (unsigned int i = 0; i < supports.size(); ++i)
      result.push_back({supports[i].body,
                        supports[i].boundary,
                        scale * (sums[i] - last_impulses[i])});
    last_time     = run.state.time;
    last_impulses = sums;
    return result;
  }



  RICOCHET_REGISTER_OBSERVER(
    ReactionsTable,
    "reactions",
    "reactions.csv: force of each support on its body.")
} // namespace Ricochet
