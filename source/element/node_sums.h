// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_node_sums_h
#define ricochet_source_element_node_sums_h

#include <deal.II/base/aligned_vector.h>
#include <deal.II/base/parallel.h>

#include <algorithm>
#include <vector>

#include "cell_forces.h"

namespace Ricochet
{
  /**
   * Sums over the cells at each owned node of a table, in the order of the
   * batches.
   *
   * Batches leave what they have in a buffer for one block of them, which stays
   * in the second-level cache, and after each block its nodes go on with their
   * sums. Since each sum adds one part after the other, it is the same to the
   * last bit for any blocks and threads.
   */
  template <int dim>
  class NodeSums
  {
  public:
    /** Choose the blocks; @p cell_forces must outlive this object. */
    void
    reinit(const CellForces<dim> &cell_forces);

    /** Where a batch leaves the values of its nodes, see
     * CellKernels::scatter(). */
    double *
    places(const unsigned int batch) const
    {
      return buffer.data() +
             (batch % batches_per_block) * cell_forces->batch_places();
    }

    /**
     * Call @p evaluate(begin, end) for ranges of batches, perhaps at the same
     * time, which fills the places of each of them; and give the @p sums, dim
     * per owned node.
     */
    template <typename Function>
    void
    sum(const Function &evaluate, double *sums) const;

    std::size_t
    memory_consumption() const;

  private:
    /** Nodes that some cells of a block share, by the numbers of their places:
     * entries begin[i] to begin[i+1]. */
    struct Nodes
    {
      std::vector<unsigned int> nodes, begin = {0}, places;

      /** Where those of each block begin. */
      std::vector<unsigned int> blocks = {0};
    };

    /** Append the nodes of one block. */
    void
    add_block(const unsigned int begin_batch,
              const unsigned int end_batch,
              std::vector<unsigned int> &number_of_node,
              std::vector<char> &has_begun);

    void
    sum_at(const Nodes &nodes,
           const unsigned int block,
           const bool go_on,
           double *sums) const;

    const CellForces<dim> *cell_forces = nullptr;
    unsigned int batches_per_block     = 1;

    /** Those whose first cells are in a block, and those that go on. */
    Nodes first, others;

    mutable dealii::AlignedVector<double> buffer;
  };



  template <int dim>
  template <typename Function>
  void
  NodeSums<dim>::sum(const Function &evaluate, double *sums) const
  {
    // Batches per task: enough to pay for a task, few enough to balance.
    constexpr unsigned int grain_size = 32;

    const unsigned int n_batches = cell_forces->batches().n_batches();
    for (unsigned int block = 0; block + 1 < first.blocks.size(); ++block)
      {
        dealii::parallel::apply_to_subranges(
          std::min(n_batches, block * batches_per_block),
          std::min(n_batches, (block + 1) * batches_per_block),
          evaluate,
          grain_size);
        sum_at(first, block, false, sums);
        sum_at(others, block, true, sums);
      }
  }
} // namespace Ricochet

#endif
