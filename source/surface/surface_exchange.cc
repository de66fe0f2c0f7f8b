// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/surface/surface_exchange.h>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  SurfaceExchange<dim>::reinit(const SurfaceNodes<dim> &new_nodes,
                               const ConstVectors &samples,
                               const MPI_Comm new_communicator)
  {
    nodes        = &new_nodes;
    communicator = new_communicator;
    layouts.clear();
    for (const VectorType *vector : samples)
      layouts.push_back(vector->get_partitioner());
    owned_nodes.clear();
    for (const unsigned int node :
         nodes->nodes_of_rank[Utilities::MPI::this_mpi_process(communicator)])
      {
        const auto &location = nodes->nodes[node];
        owned_nodes.push_back({node, location.source, {}});
        for (unsigned int d = 0; d < dim; ++d)
          owned_nodes.back().entries[d] =
            layouts[location.source]->global_to_local(location.dofs[d]);
      }
  }



  template <int dim>
  void
  SurfaceExchange<dim>::copy(const NodalField &field) const
  {
    std::vector<const double *> values;
    for (const VectorType *vector : field.vectors)
      values.push_back(vector->begin());
    for_each_range(
      owned_nodes.size(),
      [&](const std::size_t begin, const std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          for (unsigned int d = 0; d < dim; ++d)
            field.values[owned_nodes[k].node * dim + d] =
              values[owned_nodes[k].source][owned_nodes[k].entries[d]];
      });
  }



  template <int dim>
  void
  SurfaceExchange<dim>::gather(const std::vector<NodalField> &fields) const
  {
    if (nodes->nodes_of_rank.size() == 1)
      {
        for (const NodalField &field : fields)
          copy(field);
        return;
      }
    send_buffer.clear();
    for (const OwnedNode &owned : owned_nodes)
      for (const NodalField &field : fields)
        for (unsigned int d = 0; d < dim; ++d)
          send_buffer.push_back(
            field.vectors[owned.source]->local_element(owned.entries[d]));

    std::vector<int> counts, offsets;
    int total = 0;
    for (const auto &nodes_of_one : nodes->nodes_of_rank)
      {
        counts.push_back(nodes_of_one.size() * fields.size() * dim);
        offsets.push_back(total);
        total += counts.back();
      }
    receive_buffer.resize(total);
    const int ierr = MPI_Allgatherv(send_buffer.data(),
                                    send_buffer.size(),
                                    MPI_DOUBLE,
                                    receive_buffer.data(),
                                    counts.data(),
                                    offsets.data(),
                                    MPI_DOUBLE,
                                    communicator);
    AssertThrowMPI(ierr);

    const double *value = receive_buffer.data();
    for (const auto &nodes_of_one : nodes->nodes_of_rank)
      for (const unsigned int node : nodes_of_one)
        for (const NodalField &field : fields)
          for (unsigned int d = 0; d < dim; ++d)
            field.values[node * dim + d] = *value++;
  }



  template class SurfaceExchange<2>;
  template class SurfaceExchange<3>;
} // namespace Ricochet
