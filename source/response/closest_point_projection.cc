// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/closest_point_projection.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  bool
  project_onto_gaps(std::vector<GapConstraint<dim>> &constraints,
                    const InverseMass<dim> &inverse_mass,
                    const std::vector<Point<dim>> &predictor,
                    std::vector<Point<dim>> &positions,
                    const double tolerance,
                    const unsigned int max_sweeps)
  {
    positions = predictor;
    std::vector<double> flexibility; // n . (w^T M^-1 w) n
    for (const GapConstraint<dim> &c : constraints)
      {
        const Tensor<1, dim> C = inverse_mass.effective(c.collision);
        const Tensor<1, dim> n = c.collision.normal;
        double sum             = 0.;
        for (unsigned int d = 0; d < dim; ++d)
          sum += n[d] * C[d] * n[d];
        flexibility.push_back(sum);
        inverse_mass.apply(c.collision, c.multiplier * n, positions);
      }

    for (unsigned int sweep = 0; sweep < max_sweeps; ++sweep)
      {
        bool is_solved = true;
        for (unsigned int k = 0; k < constraints.size(); ++k)
          {
            GapConstraint<dim> &c  = constraints[k];
            const Tensor<1, dim> n = c.collision.normal;
            const double missing =
              c.target - n * c.collision.weighted_sum(positions);
            const double length = tolerance * c.collision.length;
            if (!(flexibility[k] > 0.))
              {
                is_solved = is_solved && missing <= length;
                continue;
              }
            const double change =
              std::max(-c.multiplier, missing / flexibility[k]);
            is_solved =
              is_solved && std::abs(change) * flexibility[k] <= length;
            c.multiplier += change;
            inverse_mass.apply(c.collision, change * n, positions);
          }
        if (is_solved)
          return true;
      }
    return false;
  }



  template bool
  project_onto_gaps(std::vector<GapConstraint<2>> &,
                    const InverseMass<2> &,
                    const std::vector<Point<2>> &,
                    std::vector<Point<2>> &,
                    const double,
                    const unsigned int);
  template bool
  project_onto_gaps(std::vector<GapConstraint<3>> &,
                    const InverseMass<3> &,
                    const std::vector<Point<3>> &,
                    std::vector<Point<3>> &,
                    const double,
                    const unsigned int);
} // namespace Ricochet
