// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/surface_flexibility.h>

#include <algorithm>
#include <set>

#include "source_vectors.h"

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
  void
  FlexibleNodes<dim>::find_column(const unsigned int j) const
  {
    if (columns[j].empty())
      whole.find_columns(std::vector<unsigned int>{this->get_nodes()[j]});
  }



  template <int dim>
  SurfaceFlexibility<dim>::SurfaceFlexibility(
    const SurfaceNodes<dim> &nodes,
    const std::vector<unsigned int> &body_of_node,
    const SurfaceExchange<dim> &exchange,
    const MPI_Comm communicator,
    StepMatrix &matrix,
    const unsigned int most_by_columns)
    : nodes(nodes)
    , body_of_node(body_of_node)
    , exchange(exchange)
    , communicator(communicator)
    , matrix(matrix)
    , most_by_columns(most_by_columns)
    , is_symmetric(matrix.is_symmetric())
    , program(std::make_unique<SaddlePointProgram<dim>>(matrix,
                                                        exchange,
                                                        nodes.nodes.size()))
  {
    diagonal.reinit(program->inverse_diagonal());
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
        of_body.push_back(std::make_shared<FlexibleNodes<dim>>(of_one, *this));
        if (!of_one.empty())
          flexibility.couple(of_body.back());
      }
  }



  template <int dim>
  SurfaceFlexibility<dim> *
  SurfaceFlexibility<dim>::behind(const InverseMass<dim> &inverse)
  {
    // All sets are of one kind.
    if (inverse.coupled_sets().empty())
      return nullptr;
    const auto *const nodes = dynamic_cast<const FlexibleNodes<dim> *>(
      inverse.coupled_sets().front().get());
    return nodes != nullptr ? &nodes->get_whole() : nullptr;
  }



  template <int dim>
  void
  SurfaceFlexibility<dim>::move(const std::vector<GapConstraint<dim>> &gaps,
                                std::vector<Point<dim>> &positions) const
  {
    std::vector<Tensor<1, dim>> forces(nodes.nodes.size());
    for (const GapConstraint<dim> &gap : gaps)
      for (unsigned int i = 0; i < gap.collision.nodes.size(); ++i)
        if (flexibility.is_of_body(gap.collision.nodes[i]))
          forces[gap.collision.nodes[i]] +=
            gap.multiplier * gap.collision.weights[i] * gap.collision.normal;
    auto vectors     = zero_vectors(exchange);
    const auto parts = pointers_to(vectors);
    exchange.add(forces, parts);
    matrix.solve(parts);
    exchange.gather({{parts, forces}});
    for (unsigned int node = 0; node < forces.size(); ++node)
      positions[node] += forces[node];
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
        auto vectors     = zero_vectors(exchange);
        const auto parts = pointers_to(vectors);
        for (const unsigned int node : nodes_at_once)
          {
            const auto &location = nodes.nodes[node];
            if (vectors[location.source].in_local_range(location.dofs[e]))
              vectors[location.source](location.dofs[e]) = 1.;
          }
        matrix.solve(parts);
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
