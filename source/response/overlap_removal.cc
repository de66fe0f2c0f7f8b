// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/overlap_removal.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;
  using dealii::SymmetricTensor;
  using dealii::Tensor;

  namespace
  {
    /** How far bodies are shrunk, relative to the deepest overlap: first, and
     * by how much more in the next trial. */
    constexpr double first_trial = 0.6, trial_factor = 1.5;

    constexpr unsigned int max_trials = 8;



    Tensor<1, 2>
    scaled_normal(const std::array<Point<2>, 2> &x)
    {
      return Tensor<1, 2>({x[1][1] - x[0][1], x[0][0] - x[1][0]});
    }



    Tensor<1, 3>
    scaled_normal(const std::array<Point<3>, 3> &x)
    {
      return cross_product_3d(x[1] - x[0], x[2] - x[0]);
    }



    /**
     * The shortest vector d with n . d = 1 for all normals n, given the sums
     * over n n^T and n: a body shrinks by the same distance at all facets, and
     * planes stay planes. Where they leave no such vector, as at a spike, the
     * normals nearly cancel each other in some directions, which do not count.
     */
    template <int dim>
    Tensor<1, dim>
    common_direction(const SymmetricTensor<2, dim> &products,
                     const Tensor<1, dim> &normals)
    {
      constexpr double relative_to_trace = 0.02;
      Tensor<1, dim> direction;
      for (const auto &[value, vector] : eigenvectors(products))
        if (value > relative_to_trace * trace(products))
          direction += (vector * normals / value) * vector;
      return direction;
    }



    /** Vectors of about unit length that point into the given bodies, for each
     * node; zero for nodes of other bodies. */
    template <int dim>
    std::vector<Tensor<1, dim>>
    inward_directions(const Surface<dim> &surface,
                      const std::vector<Point<dim>> &positions,
                      const std::vector<char> &is_of_interest)
    {
      std::vector<Tensor<1, dim>> directions(surface.n_nodes);
      std::vector<SymmetricTensor<2, dim>> products(surface.n_nodes);
      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        {
          if (!is_of_interest[surface.facet_body[f]])
            continue;
          std::array<Point<dim>, dim> x;
          for (unsigned int i = 0; i < dim; ++i)
            x[i] = positions[surface.facets[f][i]];
          Tensor<1, dim> n = scaled_normal(x);
          n /= -n.norm();
          for (const unsigned int v : surface.facets[f])
            for (unsigned int k = surface.node_begin[v];
                 k < surface.node_begin[v + 1];
                 ++k)
              {
                const unsigned int node = surface.vertex_nodes[k];
                directions[node] += surface.node_weights[k] * n;
                products[node] +=
                  surface.node_weights[k] * symmetrize(outer_product(n, n));
              }
        }
      for (unsigned int node = 0; node < surface.n_nodes; ++node)
        directions[node] = common_direction(products[node], directions[node]);
      return directions;
    }
  } // namespace



  template <int dim>
  bool
  remove_overlaps(const Surface<dim> &surface,
                  const std::vector<Overlap<dim>> &overlaps,
                  const SearchSettings &search,
                  Settling<dim> &settling,
                  ContactState<dim> &state)
  {
    std::vector<char> is_of_interest(surface.n_bodies, 0);
    double depth = 0.;
    for (const Overlap<dim> &overlap : overlaps)
      {
        depth = std::max(depth, overlap.depth);
        for (const unsigned int b : overlap.bodies)
          is_of_interest[b] = 1;
      }
    std::vector<Point<dim>> buffer;
    const auto is_free = [&](const std::vector<Point<dim>> &nodes) {
      return find_overlaps(surface,
                           surface.vertex_positions(nodes, buffer),
                           search)
        .empty();
    };

    const std::vector<Point<dim>> predictor = state.end_positions;
    const auto inward =
      inward_directions(surface,
                        surface.vertex_positions(predictor, buffer),
                        is_of_interest);
    double distance = first_trial * depth;
    bool is_done    = false;
    for (unsigned int trial = 0; !is_done && trial < max_trials; ++trial)
      {
        state.start_positions = state.end_positions = predictor;
        for (unsigned int node = 0; node < surface.n_nodes; ++node)
          state.start_positions[node] += distance * inward[node];
        for (auto *field : {&state.velocities, &state.position_impulses})
          std::fill(field->begin(), field->end(), Tensor<1, dim>());
        is_done = is_free(state.start_positions) &&
                  settling.project_groups(state) &&
                  is_free(state.end_positions);
        distance *= trial_factor;
      }
    if (!is_done)
      state.end_positions = predictor;
    state.start_positions = state.end_positions;
    return is_done;
  }



  template bool
  remove_overlaps(const Surface<2> &,
                  const std::vector<Overlap<2>> &,
                  const SearchSettings &,
                  Settling<2> &,
                  ContactState<2> &);
  template bool
  remove_overlaps(const Surface<3> &,
                  const std::vector<Overlap<3>> &,
                  const SearchSettings &,
                  Settling<3> &,
                  ContactState<3> &);
} // namespace Ricochet
