// SPDX-License-Identifier: LGPL-2.1-or-later

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
    rank         = Utilities::MPI::this_mpi_process(communicator);
    layouts.clear();
    for (const VectorType *vector : samples)
      layouts.push_back(vector->get_partitioner());
  }



  template <int dim>
  void
  SurfaceExchange<dim>::gather(const std::vector<NodalField> &fields) const
  {
    send_buffer.clear();
    for_each_owned([&](const unsigned int, const auto &location) {
      for (const NodalField &field : fields)
        for (unsigned int d = 0; d < dim; ++d)
          send_buffer.push_back(
            (*field.vectors[location.source])(location.dofs[d]));
    });

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
