// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_make_vertex_and_facet_h
#define ricochet_tests_response_make_vertex_and_facet_h

#include <ricochet/response/contact_correction.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * One facet, body 0, nodes 0 to dim - 1, and a point without facets, body 1,
   * node dim, that has gone through it.
   */
  template <int dim>
  struct VertexAndFacet
  {
    /**
     * @param[in] start Where the point was at the start of the step; the facet
     *   is where it was.
     */
    VertexAndFacet(const std::vector<dealii::Tensor<1, dim>> &positions,
                   const std::vector<dealii::Tensor<1, dim>> &velocities,
                   const std::vector<double> &inverse_masses,
                   const dealii::Point<dim> &start)
    {
      surface.n_nodes  = dim + 1;
      surface.n_bodies = 2;
      surface.facets.resize(1);
      for (unsigned int i = 0; i < dim; ++i)
        surface.facets[0][i] = i;
      surface.facet_body         = {0};
      surface.facet_boundary_id  = {0};
      surface.vertex_body        = std::vector<unsigned int>(dim, 0);
      surface.vertices_are_nodes = true;
      for (const auto &x : positions)
        state.end_positions.emplace_back(x);
      surface.build_edges(
        {state.end_positions.begin(), state.end_positions.begin() + dim});
      surface.vertex_body.push_back(1);
      surface.vertex_length.push_back(std::numeric_limits<double>::infinity());
      surface.vertex_area.push_back(0.);
      surface.neighbor_begin.push_back(surface.neighbor_begin.back());
      surface.vertex_facets.reinit(surface.facets, surface.n_vertices());

      std::vector<dealii::Tensor<1, dim>> lumped;
      for (const double w : inverse_masses)
        {
          lumped.emplace_back();
          for (unsigned int d = 0; d < dim; ++d)
            lumped.back()[d] = w;
        }
      state.inverse_mass.reinit(lumped);
      state.start_positions      = state.end_positions;
      state.start_positions[dim] = start;
      state.velocities           = velocities;
      state.dt                   = 1.;
      state.predicted_velocities = velocities;
      state.accelerations.resize(dim + 1);
      state.debts.resize(dim + 1);
      state.impulses.resize(dim + 1);
      state.position_impulses.resize(dim + 1);
      state.normal_impulses.resize(dim + 1);
      state.status.resize(dim + 1);
    }

    /** One pass of a response. Moves the point to the surface, with no
     * clearance. */
    bool
    correct(const std::string &name,
            const std::map<std::string, std::string> &entries,
            const double restitution,
            const double friction)
    {
      using Responses = Registry<ContactCorrection<dim>>;
      dealii::ParameterHandler prm;
      Responses::entries().at(name).declare_parameters(prm);
      for (const auto &entry : entries)
        prm.set(entry.first, entry.second);
      const auto response = Responses::create(name);
      response->parse_parameters(prm);
      response->set_bodies({"master", "slave"});
      response->reinit(surface, SearchSettings(), {1., 1.});

      PassSettings settings;
      settings.restitution = restitution;
      settings.friction    = friction;
      settings.eta = settings.delta = 0.;
      Encounter encounter;
      encounter.time     = 0.5;
      encounter.kind     = PairKind::vertex_facet;
      encounter.first    = dim;
      encounter.second   = 0;
      encounter.crossing = true;
      return response->correct(surface, {encounter}, settings, state);
    }

    Surface<dim> surface;
    ContactState<dim> state;
  };
} // namespace Ricochet

#endif
