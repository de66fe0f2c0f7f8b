// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_nonsmooth_model_h
#define ricochet_tests_response_nonsmooth_model_h

#include <ricochet/projection/admissible_projection.h>
#include <ricochet/projection/closest_way.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** Facets and masses, to be projected onto the admissible set without a
   * motion that led there. */
  template <int dim>
  struct NonsmoothModel
  {
    using Positions = std::vector<dealii::Point<dim>>;

    NonsmoothModel(const Positions &positions,
                   const std::vector<std::array<unsigned int, dim>> &facets,
                   const std::vector<unsigned int> &body_of_vertex,
                   const std::vector<double> &masses)
      : predictor(positions)
      , positions(positions)
      , masses(masses)
    {
      surface.facets      = facets;
      surface.vertex_body = body_of_vertex;
      for (const auto &facet : facets)
        surface.facet_body.push_back(body_of_vertex[facet[0]]);
      surface.facet_boundary_id.assign(facets.size(), 0);
      surface.n_nodes            = positions.size();
      surface.n_bodies           = 1 + body_of_vertex.back();
      surface.vertices_are_nodes = true;
      surface.build_edges(positions);
      std::vector<dealii::Tensor<1, dim>> lumped(masses.size());
      for (unsigned int k = 0; k < masses.size(); ++k)
        for (unsigned int d = 0; d < dim; ++d)
          lumped[k][d] = 1. / masses[k];
      inverse_mass.reinit(lumped);
    }

    /** Pairs of facets of different bodies that cross, with the ways to end
     * this. */
    std::vector<std::vector<BranchSet<dim>>>
    crossings() const
    {
      std::vector<std::vector<BranchSet<dim>>> result;
      for (unsigned int a = 0; a < surface.n_facets(); ++a)
        for (unsigned int b = a + 1; b < surface.n_facets(); ++b)
          if (surface.facet_body[a] != surface.facet_body[b])
            {
              const auto ways = ways_out(surface, positions, a, b);
              if (!ways.empty())
                result.push_back(ways);
            }
      return result;
    }

    /** Project the predictor until nothing crosses. Whether that was possible.
     */
    bool
    project()
    {
      for (unsigned int round = 0; round < 10; ++round)
        {
          bool any = false;
          for (const auto &ways : crossings())
            for (const auto &branch :
                 closest_way(surface, ways, inverse_mass, positions))
              any |= projection.add(branch, 0.);
          if (!any)
            return crossings().empty();
          result = projection.project(surface,
                                      inverse_mass,
                                      predictor,
                                      nullptr,
                                      positions);
          if (!result.is_solved)
            return false;
        }
      return false;
    }

    double
    kinetic_distance_square() const
    {
      double sum = 0.;
      for (unsigned int k = 0; k < masses.size(); ++k)
        sum += masses[k] * positions[k].distance_square(predictor[k]);
      return sum;
    }

    Surface<dim> surface;
    Positions predictor, positions;
    std::vector<double> masses;
    InverseMass<dim> inverse_mass;
    AdmissibleProjection<dim> projection;
    typename AdmissibleProjection<dim>::Result result;
  };
} // namespace Ricochet

#endif
