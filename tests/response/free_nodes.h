// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_free_nodes_h
#define ricochet_tests_response_free_nodes_h

#include <ricochet/base/moment.h>
#include <ricochet/response/contact_forces.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Facets, body 0, and points without facets, body 1, which come after the
   * vertices of the facets; no forces between nodes but contact. Steps of the
   * energy-momentum method with Newton's method and the stiffness of contact:
   *
   *   R(d) = M 2/dt ((d - d_0)/dt - v_0) - f_c = 0.
   */
  template <int dim>
  struct FreeNodes
  {
    using Vectors = std::vector<dealii::Tensor<1, dim>>;

    /** @param[in] areas Of the points. */
    FreeNodes(const std::vector<std::array<unsigned int, dim>> &facets,
              const Vectors &positions,
              const Vectors &velocities,
              const std::vector<double> &masses,
              const std::vector<double> &areas,
              const double dt)
      : masses(masses)
    {
      const unsigned int n_nodes    = positions.size();
      const unsigned int n_vertices = n_nodes - areas.size();
      surface.facets                = facets;
      surface.facet_body.assign(facets.size(), 0);
      surface.facet_boundary_id.assign(facets.size(), 0);
      surface.vertex_body.assign(n_vertices, 0);
      surface.n_nodes            = n_nodes;
      surface.n_bodies           = 2;
      surface.vertices_are_nodes = true;
      for (const auto &x : positions)
        state.start_positions.emplace_back(x);
      surface.build_edges({state.start_positions.begin(),
                           state.start_positions.begin() + n_vertices});
      for (const double area : areas)
        {
          surface.vertex_body.push_back(1);
          surface.vertex_length.push_back(
            std::numeric_limits<double>::infinity());
          surface.vertex_area.push_back(area);
          surface.neighbor_begin.push_back(surface.neighbor_begin.back());
        }
      surface.vertex_facets.reinit(surface.facets, surface.n_vertices());

      Vectors lumped(n_nodes);
      for (unsigned int i = 0; i < n_nodes; ++i)
        for (unsigned int d = 0; d < dim; ++d)
          lumped[i][d] = 1. / masses[i];
      state.inverse_mass.reinit(lumped);
      state.resize(n_nodes);
      state.end_positions = state.start_positions;
      state.velocities = start_velocities = velocities;
      state.dt                            = dt;
      for (unsigned int v = n_vertices; v < n_nodes; ++v)
        for (unsigned int f = 0; f < facets.size(); ++f)
          pairs.push_back({1., PairKind::vertex_facet, v, f, false});
    }

    /** Make the response "energy-momentum" with these entries. */
    void
    create(const std::map<std::string, std::string> &entries)
    {
      using Responses = Registry<ContactForces<dim>>;
      dealii::ParameterHandler prm;
      Responses::entries().at("energy-momentum").declare_parameters(prm);
      for (const auto &entry : entries)
        prm.set(entry.first, entry.second);
      response = Responses::create("energy-momentum");
      response->parse_parameters(prm);
      response->set_bodies({"master", "slave"});
      response->reinit(surface, SearchSettings(), {1., 1.});
    }

    /** The forces on all nodes, and their derivatives if wanted. */
    Vectors
    forces(const bool with_friction              = true,
           dealii::FullMatrix<double> *stiffness = nullptr)
    {
      if (detect)
        detect();
      PassSettings pass = settings;
      if (!with_friction)
        pass.friction = 0.;
      std::vector<ContactElement<dim>> elements;
      response
        ->evaluate(surface, pairs, pass, state, stiffness != nullptr, elements);
      Vectors result(state.end_positions.size());
      const auto has_mass = [&](const unsigned int node) {
        return node < masses.size(); // else of an obstacle
      };
      for (const auto &element : elements)
        for (unsigned int i = 0; i < element.nodes.size(); ++i)
          {
            result[element.nodes[i]] += element.forces[i];
            if (stiffness == nullptr || !has_mass(element.nodes[i]))
              continue;
            for (unsigned int j = 0; j < element.nodes.size(); ++j)
              if (has_mass(element.nodes[j]))
                for (unsigned int d = 0; d < dim; ++d)
                  for (unsigned int e = 0; e < dim; ++e)
                    (*stiffness)(dim * element.nodes[i] + d,
                                 dim * element.nodes[j] + e) +=
                      element.stiffness(dim * i + d, dim * j + e);
          }
      return result;
    }

    /** R at the end positions, and its derivatives if wanted. */
    dealii::Vector<double>
    residual(const bool with_friction,
             dealii::FullMatrix<double> *matrix = nullptr)
    {
      const unsigned int n = dim * masses.size();
      dealii::FullMatrix<double> stiffness(n, n);
      const auto f =
        forces(with_friction, matrix != nullptr ? &stiffness : nullptr);
      dealii::Vector<double> result(n);
      const double dt = state.dt;
      for (unsigned int i = 0; i < n; ++i)
        {
          const unsigned int node = i / dim, d = i % dim;
          result(i) =
            masses[node] * 2. / dt *
              ((state.end_positions[node][d] - state.start_positions[node][d]) /
                 dt -
               start_velocities[node][d]) -
            f[node][d];
          if (matrix != nullptr)
            {
              for (unsigned int j = 0; j < n; ++j)
                (*matrix)(i, j) = -stiffness(i, j);
              (*matrix)(i, i) += 2. * masses[node] / (dt * dt);
            }
        }
      return result;
    }

    /** Newton's method with backtracking; the norms of all residuals. */
    std::vector<double>
    iterate(const bool with_friction, const double tolerance)
    {
      const unsigned int n = dim * masses.size();
      std::vector<double> norms;
      for (unsigned int iteration = 0; iteration < 60; ++iteration)
        {
          dealii::FullMatrix<double> matrix(n, n);
          const auto before = residual(with_friction, &matrix);
          norms.push_back(before.l2_norm());
          if (norms.back() <= tolerance)
            break;
          matrix.gauss_jordan();
          dealii::Vector<double> change(n);
          matrix.vmult(change, before);
          const auto x = state.end_positions;
          for (double share = 1.; share > 1e-3; share *= 0.5)
            {
              for (unsigned int i = 0; i < n; ++i)
                state.end_positions[i / dim][i % dim] =
                  x[i / dim][i % dim] - share * change(i);
              if (residual(with_friction).l2_norm() < before.l2_norm())
                break;
            }
        }
      return norms;
    }

    /** Solve the equations of a step; the norms of all residuals of the last
     * iteration. The velocities are those before the update. */
    std::vector<double>
    solve()
    {
      double scale = 0.;
      for (unsigned int i = 0; i < masses.size(); ++i)
        {
          state.end_positions[i] =
            state.start_positions[i] + state.dt * start_velocities[i];
          scale += masses[i] / state.dt * start_velocities[i].norm();
        }
      response->begin_step(surface, state);
      iterate(false, 1e-2 * scale);
      const auto norms = iterate(true, 1e-13 * scale);
      for (unsigned int i = 0; i < masses.size(); ++i)
        state.velocities[i] =
          2. / state.dt * (state.end_positions[i] - state.start_positions[i]) -
          start_velocities[i];
      return norms;
    }

    /** End the step. */
    void
    accept()
    {
      response->accept_step(surface, pairs, settings, state);
    }

    /** Start the next one where this one ended. */
    void
    advance()
    {
      state.clear_response();
      state.touched_nodes.clear();
      state.start_positions = state.end_positions;
      start_velocities      = state.velocities;
    }

    double
    kinetic_energy(const Vectors &velocities) const
    {
      double sum = 0.;
      for (unsigned int i = 0; i < masses.size(); ++i)
        sum += 0.5 * masses[i] * velocities[i].norm_square();
      return sum;
    }

    dealii::Tensor<1, dim>
    momentum(const Vectors &velocities) const
    {
      dealii::Tensor<1, dim> sum;
      for (unsigned int i = 0; i < masses.size(); ++i)
        sum += masses[i] * velocities[i];
      return sum;
    }

    dealii::Tensor<1, 3>
    angular_momentum(const std::vector<dealii::Point<dim>> &positions,
                     const Vectors &velocities) const
    {
      dealii::Tensor<1, 3> sum;
      for (unsigned int i = 0; i < masses.size(); ++i)
        sum += moment(dealii::Tensor<1, dim>(positions[i]),
                      masses[i] * velocities[i]);
      return sum;
    }

    /** Called before forces, to find contacts with obstacles. */
    std::function<void()> detect;

    Surface<dim> surface;
    ContactState<dim> state;
    Vectors start_velocities;
    std::vector<Encounter> pairs;
    PassSettings settings;
    std::unique_ptr<ContactForces<dim>> response;
    const std::vector<double> masses;
  };
} // namespace Ricochet

#endif
