// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/surface_flexibility.h>

#include <algorithm>
#include <set>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  FlexibleNodes<dim>::move(const unsigned int j,
                           const double weight,
                           const Tensor<1, dim> &impulse,
                           double *const field) const
  {
    if (columns[j].empty())
      find_column(j);
    const auto &nodes = this->get_nodes();
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const Tensor<2, dim> &block = columns[j][i];
        for (unsigned int d = 0; d < dim; ++d)
          field[nodes[i] * dim + d] += weight * (block[d] * impulse);
      }
  }



  template <int dim>
  SurfaceFlexibility<dim>::SurfaceFlexibility(
    const SurfaceNodes<dim> &nodes,
    const std::vector<unsigned int> &body_of_node,
    const SurfaceExchange<dim> &exchange,
    const MPI_Comm communicator,
    const Inverse &inverse)
    : nodes(nodes)
    , body_of_node(body_of_node)
    , exchange(exchange)
    , communicator(communicator)
    , inverse(inverse)
  {
    const unsigned int n_nodes = nodes.nodes.size();
    flexibility.reinit(std::vector<Tensor<1, dim>>(n_nodes));
    std::vector<std::vector<unsigned int>> members;
    for (unsigned int node = 0; node < n_nodes; ++node)
      {
        const unsigned int body = body_of_node[node];
        if (body >= members.size())
          members.resize(body + 1);
        place_of_node.push_back(members[body].size());
        members[body].push_back(node);
      }
    for (const auto &of_one : members)
      {
        of_body.push_back(std::make_shared<FlexibleNodes<dim>>(
          of_one,
          [this, of_one](const unsigned int j) {
            find_columns(std::vector<unsigned int>{of_one[j]});
          }));
        if (!of_one.empty())
          flexibility.couple(of_body.back());
      }
  }



  template <int dim>
  void
  SurfaceFlexibility<dim>::find_columns(
    const std::vector<GapConstraint<dim>> &gaps)
  {
    std::vector<std::set<unsigned int>> wanted(of_body.size());
    for (const GapConstraint<dim> &gap : gaps)
      for (const unsigned int node : gap.collision.nodes)
        if (flexibility.is_of_body(node) &&
            of_body[body_of_node[node]]->column(place_of_node[node]).empty())
          wanted[body_of_node[node]].insert(node);
    while (true)
      {
        std::vector<unsigned int> at_once;
        for (auto &of_one : wanted)
          if (!of_one.empty())
            {
              at_once.push_back(*of_one.begin());
              of_one.erase(of_one.begin());
            }
        if (at_once.empty())
          break;
        find_columns(at_once);
      }
  }



  template <int dim>
  void
  SurfaceFlexibility<dim>::find_columns(
    const std::vector<unsigned int> &nodes_at_once)
  {
    unsigned int n = 0;
    for (const unsigned int node : nodes_at_once)
      n += of_body[body_of_node[node]]->get_nodes().size();
    std::vector<double> values(n * dim * dim, 0.);
    for (unsigned int e = 0; e < dim; ++e)
      {
        std::vector<VectorType> vectors;
        for (unsigned int s = 0; s < exchange.n_sources(); ++s)
          vectors.push_back(exchange.zero_vector(s));
        for (const unsigned int node : nodes_at_once)
          {
            const auto &location = nodes.nodes[node];
            if (vectors[location.source].in_local_range(location.dofs[e]))
              vectors[location.source](location.dofs[e]) = 1.;
          }
        inverse(vectors);
        unsigned int k = 0;
        for (const unsigned int node : nodes_at_once)
          for (const unsigned int other :
               of_body[body_of_node[node]]->get_nodes())
            {
              const auto &location = nodes.nodes[other];
              for (unsigned int d = 0; d < dim; ++d, ++k)
                if (vectors[location.source].in_local_range(location.dofs[d]))
                  values[k * dim + e] =
                    vectors[location.source](location.dofs[d]);
            }
      }
    Utilities::MPI::sum(values, communicator, values);
    auto value = values.begin();
    for (const unsigned int node : nodes_at_once)
      {
        FlexibleNodes<dim> &body = *of_body[body_of_node[node]];
        auto &column             = body.column(place_of_node[node]);
        column.resize(body.get_nodes().size());
        for (Tensor<2, dim> &block : column)
          for (unsigned int d = 0; d < dim; ++d)
            for (unsigned int e = 0; e < dim; ++e)
              block[d][e] = *value++;
      }
  }



  template class FlexibleNodes<2>;
  template class FlexibleNodes<3>;
  template class SurfaceFlexibility<2>;
  template class SurfaceFlexibility<3>;
} // namespace Ricochet
