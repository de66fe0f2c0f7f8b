// SPDX-License-Identifier: LGPL-2.1-or-later

#include "rigid_fit.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Vector;

  namespace
  {
    /** Directions with less than this part of the largest inertia have none. */
    constexpr double rank_tolerance = 1e-10;

    /** How far prescribed velocities may be from rigid ones, relative to the
     * largest velocity. */
    constexpr double rigidity_tolerance = 1e-9;



    /** The inverse of a symmetric matrix on its range. */
    FullMatrix<double>
    pseudo_inverse(const FullMatrix<double> &matrix)
    {
      FullMatrix<double> result(matrix.m(), matrix.n());
      if (matrix.linfty_norm() > 0.)
        {
          dealii::LAPACKFullMatrix<double> svd(matrix.m(), matrix.n());
          svd = matrix;
          svd.compute_inverse_svd(rank_tolerance);
          Vector<double> unit(matrix.m()), column(matrix.m());
          for (unsigned int j = 0; j < matrix.n(); ++j)
            {
              unit    = 0.;
              unit[j] = 1.;
              svd.vmult(column, unit);
              for (unsigned int i = 0; i < matrix.m(); ++i)
                result(i, j) = column[i];
            }
        }
      return result;
    }
  } // namespace



  template <int dim>
  RigidFit<dim>::RigidFit(const std::vector<unsigned int> &nodes,
                          const ContactState<dim> &state)
    : mass(nodes, state.inverse_mass, state.start_positions.size())
    , nodes(nodes)
    , state(state)
    , rigid(nodes, state.start_positions)
    , inertia(n, n)
    , held(n, n)
    , momentum(n)
    , held_velocity(n)
    , motion(n)
  {
    for (unsigned int d = 0; d < dim; ++d)
      add(d);
  }



  template <int dim>
  bool
  RigidFit<dim>::solve()
  {
    // Prescribed components first, momenta with what freedom is left.
    const FullMatrix<double> held_inverse = pseudo_inverse(held);
    held_inverse.vmult(motion, held_velocity);
    FullMatrix<double> freedom{dealii::IdentityMatrix(n)}, part(n, n);
    held_inverse.mmult(part, held);
    freedom.add(-1., part);

    Vector<double> missing(n), projected(n);
    inertia.vmult(missing, motion);
    missing.sadd(-1., momentum);
    freedom.Tvmult(projected, missing);
    FullMatrix<double> free_inertia(n, n);
    free_inertia.triple_product(inertia, freedom, freedom, true, false);
    // Where everything is prescribed, only round-off is left.
    if (free_inertia.linfty_norm() > rank_tolerance * inertia.linfty_norm())
      pseudo_inverse(free_inertia).vmult_add(motion, projected);

    double largest = 0., error = 0.;
    for (unsigned int i = 0; i < nodes.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        if (mass.is_held(i, d))
          {
            const double v = prescribed_velocity(nodes[i], d);
            error   = std::max(error, std::abs(velocity(nodes[i], d) - v));
            largest = std::max(largest, std::abs(v));
          }
        else
          largest = std::max(largest, std::abs(state.velocities[nodes[i]][d]));
    return error <= rigidity_tolerance * largest;
  }



  template <int dim>
  double
  RigidFit<dim>::velocity(const unsigned int node, const unsigned int d) const
  {
    const auto row = rigid.row(d, state.start_positions[node]);
    double sum     = 0.;
    for (unsigned int k = 0; k < n; ++k)
      sum += row[k] * motion[k];
    return sum;
  }



  template <int dim>
  double
  RigidFit<dim>::prescribed_velocity(const unsigned int node,
                                     const unsigned int d) const
  {
    return (state.end_positions[node][d] - state.start_positions[node][d]) /
           state.dt;
  }



  template <int dim>
  void
  RigidFit<dim>::add(const unsigned int d)
  {
    // Momenta are those of the present positions.
    FullMatrix<double> momenta(nodes.size(), n), momenta_now(nodes.size(), n);
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const auto row     = rigid.row(d, state.start_positions[nodes[i]]);
        const auto row_now = rigid.row(d, state.end_positions[nodes[i]]);
        std::copy(row.begin(), row.end(), &momenta(i, 0));
        std::copy(row_now.begin(), row_now.end(), &momenta_now(i, 0));
      }
    mass.multiply(d, momenta);
    mass.multiply(d, momenta_now);

    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const auto row = rigid.row(d, state.start_positions[nodes[i]]);
        const bool is_prescribed = mass.is_held(i, d);
        const double v = is_prescribed ? prescribed_velocity(nodes[i], d)
                                       : state.velocities[nodes[i]][d];
        for (unsigned int k = 0; k < n; ++k)
          {
            (is_prescribed ? held_velocity : momentum)[k] +=
              (is_prescribed ? row[k] : momenta_now(i, k)) * v;
            for (unsigned int l = 0; l < n; ++l)
              (is_prescribed ? held : inertia)(k, l) +=
                (is_prescribed ? row[k] : momenta(i, k)) * row[l];
          }
      }
  }



  template class RigidFit<2>;
  template class RigidFit<3>;
} // namespace Ricochet
