// SPDX-License-Identifier: LGPL-2.1-or-later

#include "node_sums.h"

#include <deal.II/base/memory_consumption.h>
#include <deal.II/base/multithread_info.h>

#include <utility>

namespace Ricochet
{
  namespace
  {
    /** The buffer per thread: so that it stays in the second-level cache with
     * what else is there. */
    constexpr std::size_t bytes_per_block = 1 << 18;

    /** Nodes per task. */
    constexpr unsigned int node_grain_size = 1024;
  } // namespace



  template <int dim>
  void
  NodeSums<dim>::reinit(const CellForces<dim> &new_cell_forces)
  {
    cell_forces                      = &new_cell_forces;
    const unsigned int n_batches     = cell_forces->batches().n_batches();
    const unsigned int n_owned_nodes = cell_forces->table().n_owned_nodes;
    batches_per_block =
      std::max<std::size_t>(1,
                            bytes_per_block /
                              (cell_forces->batch_places() * sizeof(double))) *
      dealii::MultithreadInfo::n_threads();
    buffer.resize_fast(std::min(batches_per_block, n_batches) *
                       cell_forces->batch_places());

    first = others = Nodes();
    std::vector<unsigned int> number_of_node(n_owned_nodes, 0);
    std::vector<char> has_begun(n_owned_nodes, 0);
    for (unsigned int begin = 0; begin < n_batches; begin += batches_per_block)
      add_block(begin,
                std::min(n_batches, begin + batches_per_block),
                number_of_node,
                has_begun);
    for (Nodes *all : {&first, &others})
      for (auto *numbers : {&all->nodes, &all->begin, &all->places})
        numbers->shrink_to_fit();
  }



  template <int dim>
  void
  NodeSums<dim>::add_block(const unsigned int begin_batch,
                           const unsigned int end_batch,
                           std::vector<unsigned int> &number_of_node,
                           std::vector<char> &has_begun)
  {
    const CellBatches<dim> &batches = cell_forces->batches();
    const unsigned int n_per_batch =
      cell_forces->kernels().n_nodes * batch_size;

    // The places with their owned nodes, in the order of the cells.
    std::vector<std::pair<unsigned int, unsigned int>> parts;
    for (unsigned int b = begin_batch; b < end_batch; ++b)
      for (unsigned int lane = 0; lane < batches.n_filled[b]; ++lane)
        for (unsigned int i = lane; i < n_per_batch; i += batch_size)
          {
            const unsigned int node = batches.nodes[b * n_per_batch + i];
            if (node < number_of_node.size())
              parts.emplace_back(node,
                                 ((b - begin_batch) * n_per_batch + i) *
                                   place_size(dim));
          }

    std::vector<unsigned int> nodes;
    for (const auto &part : parts)
      if (number_of_node[part.first]++ == 0)
        nodes.push_back(part.first);
    std::sort(nodes.begin(), nodes.end());

    // From here on number_of_node is where the next place of a node goes.
    for (const unsigned int node : nodes)
      {
        Nodes &all = has_begun[node] ? others : first;
        all.nodes.push_back(node);
        all.begin.push_back(all.begin.back() + number_of_node[node]);
        number_of_node[node] = all.begin[all.begin.size() - 2];
      }
    for (Nodes *all : {&first, &others})
      {
        all->places.resize(all->begin.back());
        all->blocks.push_back(all->nodes.size());
      }
    for (const auto &[node, place] : parts)
      (has_begun[node] ? others : first).places[number_of_node[node]++] = place;
    for (const unsigned int node : nodes)
      {
        number_of_node[node] = 0;
        has_begun[node]      = 1;
      }
  }



  template <int dim>
  void
  NodeSums<dim>::sum_at(const Nodes &all,
                        const unsigned int block,
                        const bool go_on,
                        double *sums) const
  {
    dealii::parallel::apply_to_subranges(
      all.blocks[block],
      all.blocks[block + 1],
      [&](const unsigned int begin, const unsigned int end) {
        cell_forces->kernels().sum_at_nodes(end - begin,
                                            all.nodes.data() + begin,
                                            all.begin.data() + begin,
                                            all.places.data(),
                                            buffer.data(),
                                            go_on,
                                            sums);
      },
      node_grain_size);
  }



  template <int dim>
  std::size_t
  NodeSums<dim>::memory_consumption() const
  {
    using dealii::MemoryConsumption::memory_consumption;
    std::size_t result = buffer.memory_consumption();
    for (const Nodes *all : {&first, &others})
      for (const auto *numbers :
           {&all->nodes, &all->begin, &all->places, &all->blocks})
        result += memory_consumption(*numbers);
    return result;
  }



  template class NodeSums<2>;
  template class NodeSums<3>;
} // namespace Ricochet
