// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/implicit/step_equations.h>
#include <ricochet/time/initial_equilibrium.h>
#include <ricochet/time/step_start.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** How slow the motion is for laws with a memory: steps that it takes. */
    constexpr double slowness = 1e8;

    /** Loads rise in not more parts than this. */
    constexpr unsigned int most_parts = 1024;

    template <int dim>
    constexpr unsigned int n_rigid_motions = dim + dim *(dim - 1) / 2;



    /** Component @p c of the rigid motions at a point @p x from a centre:
     * translations, then rotations about z, or x, y, and z. */
    template <int dim>
    std::array<double, n_rigid_motions<dim>>
    rigid_motions(const Tensor<1, dim> &x, const unsigned int c)
    {
      std::array<double, n_rigid_motions<dim>> result{};
      result[c] = 1.;
      for (unsigned int axis = dim == 2 ? 2 : 0; axis < 3; ++axis)
        {
          const unsigned int a = (axis + 1) % 3, b = (axis + 2) % 3;
          const unsigned int mode = dim + (dim == 2 ? 0 : axis);
          if (c == a)
            result[mode] = -x[b];
          else if (c == b)
            result[mode] = x[a];
        }
      return result;
    }



    template <int dim>
    std::string
    name_of_motion(const unsigned int mode)
    {
      static const char axes[] = "xyz";
      if (mode < dim)
        return std::string("translation along ") + axes[mode];
      return dim == 2 ? std::string("rotation")
                      : std::string("rotation about ") + axes[mode - dim];
    }



    /** The rigid motions of a body that its supports leave free, as text; empty
     * if there are none. */
    template <int dim>
    std::string
    free_motions(const FullMatrix<double> &gram)
    {
      constexpr unsigned int n = n_rigid_motions<dim>;
      LAPACKFullMatrix<double> matrix(n);
      matrix = gram;
      Vector<double> eigenvalues(n);
      FullMatrix<double> eigenvectors(n);
      matrix.compute_eigenvalues_symmetric(-1.,
                                           1e30,
                                           0.,
                                           eigenvalues,
                                           eigenvectors);
      const double largest =
        std::max(1., *std::max_element(eigenvalues.begin(), eigenvalues.end()));
      // How much of each motion the free ones span.
      std::vector<double> share(n, 0.);
      unsigned int n_free = 0;
      for (unsigned int k = 0; k < eigenvalues.size(); ++k)
        if (eigenvalues[k] < 1e-9 * largest)
          {
            ++n_free;
            for (unsigned int mode = 0; mode < n; ++mode)
              share[mode] += eigenvectors(mode, k) * eigenvectors(mode, k);
          }
      if (n_free == 0)
        return "";
      std::string text;
      for (unsigned int mode = 0; mode < n; ++mode)
        if (share[mode] > 0.1)
          text += (text.empty() ? "" : ", ") + name_of_motion<dim>(mode) +
                  (share[mode] < 0.999 ? " (with others)" : "");
      return text;
    }



    /** For each body what its supports leave free. Collective. */
    template <int dim>
    std::vector<std::string>
    all_free_motions(const Solids<dim> &solids)
    {
      constexpr unsigned int n = n_rigid_motions<dim>;
      // Supports' mean positions and spread first, to scale rotations.
      std::vector<double> sums(solids.n_bodies() * (dim + 2), 0.);
      const auto for_each = [&](const auto &visit) {
        for (unsigned int p = 0; p < solids.n_forests(); ++p)
          for (const auto &support : solids.supports(p))
            visit(support,
                  solids.forest(p).get_cells().reference_positions[support.dof /
                                                                   dim]);
      };
      for_each([&](const auto &support, const Point<dim> &x) {
        double *const row = &sums[support.body * (dim + 2)];
        for (unsigned int d = 0; d < dim; ++d)
          row[d] += x[d];
        row[dim] += x.square();
        row[dim + 1] += 1.;
      });
      Utilities::MPI::sum(sums, solids.get_communicator(), sums);
      std::vector<double> grams(solids.n_bodies() * n * n, 0.);
      for_each([&](const auto &support, const Point<dim> &x) {
        const double *const row = &sums[support.body * (dim + 2)];
        Tensor<1, dim> arm;
        double square = row[dim] / row[dim + 1];
        for (unsigned int d = 0; d < dim; ++d)
          {
            arm[d] = x[d] - row[d] / row[dim + 1];
            square -= std::pow(row[d] / row[dim + 1], 2);
          }
        if (square > 0.)
          arm /= std::sqrt(square);
        const auto motion = rigid_motions<dim>(arm, support.component);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            grams[(support.body * n + i) * n + j] += motion[i] * motion[j];
      });
      Utilities::MPI::sum(grams, solids.get_communicator(), grams);
      std::vector<std::string> result;
      for (unsigned int b = 0; b < solids.n_bodies(); ++b)
        result.push_back(
          free_motions<dim>(FullMatrix<double>(n, n, &grams[b * n * n])));
      return result;
    }



    std::string
    message_about(const std::string &name, const std::string &motions)
    {
      return "Initial equilibrium: nothing holds body '" + name +
             "' in these rigid motions: " + motions +
             ". Give it a 'Prescribed motion', or set 'Initial equilibrium = "
             "false'.";
    }
  } // namespace



  template <int dim>
  void
  find_initial_equilibrium(const Solids<dim> &solids,
                           Contact<dim> &contact,
                           const double dt,
                           EquationSolver &solver,
                           State &state)
  {
    const auto motions = all_free_motions(solids);
    if (!contact.gives_forces())
      for (unsigned int b = 0; b < solids.n_bodies(); ++b)
        require(motions[b].empty(),
                message_about(solids.body(b).name, motions[b]));

    StepEquations<dim> equations;
    equations.reinit(solids, contact);
    solids.evaluate_external_forces(state.time, state.external_forces);
    ForestVectors loads, supported, guess;
    copy_with_ghosts(state.external_forces, loads);
    copy_with_ghosts(state.positions, supported);
    solids.prescribe_displacements(state.time, supported);
    const ForestVectors first = [&]() {
      ForestVectors positions;
      copy_with_ghosts(state.positions, positions);
      return positions;
    }();

    double done = 0., part = 1.;
    std::string reason;
    while (done < 1.)
      {
        const double next = std::min(1., done + part);
        StepScheme scheme;
        copy_with_ghosts(loads, scheme.known_forces);
        copy_with_ghosts(loads, scheme.known_acceleration);
        copy_with_ghosts(loads, guess);
        for (unsigned int p = 0; p < loads.size(); ++p)
          {
            scheme.known_forces[p] *= next;
            scheme.known_acceleration[p] = 0.;
            guess[p]                     = 0.;
            for (const auto &support : solids.supports(p))
              {
                const unsigned int i = support.dof;
                const double target  = first[p].local_element(i) +
                                      next * (supported[p].local_element(i) -
                                              first[p].local_element(i));
                guess[p].local_element(i) =
                  (target - state.positions[p].local_element(i)) /
                  (slowness * dt);
              }
          }
        equations.begin(state, slowness * dt, scheme, guess);
        const Newton::Result result = solver.solve(equations);
        if (result.has_converged)
          {
            copy_with_ghosts(equations.positions(), state.positions);
            std::swap(state.histories, equations.new_histories);
            done = next;
            part *= 2.;
            continue;
          }
        reason = result.reason;
        part *= 0.5;
        if (part * most_parts < 1.)
          {
            for (unsigned int b = 0; b < solids.n_bodies(); ++b)
              require(motions[b].empty(),
                      message_about(solids.body(b).name, motions[b]) +
                        " Contact does not hold it either.");
            std::ostringstream message;
            message << "Initial equilibrium: none was found beyond "
                    << 100. * done << " % of the loads: " << reason
                    << ". The largest part of the residual is in "
                    << equations.describe_largest_residual()
                    << ". Loads may be more than the bodies bear.";
            throw RunError(message.str());
          }
      }
  }



  template void
  find_initial_equilibrium(const Solids<2> &,
                           Contact<2> &,
                           const double,
                           EquationSolver &,
                           State &);
  template void
  find_initial_equilibrium(const Solids<3> &,
                           Contact<3> &,
                           const double,
                           EquationSolver &,
                           State &);
} // namespace Ricochet
