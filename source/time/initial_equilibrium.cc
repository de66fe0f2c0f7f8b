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
    /** Loads rise in not more parts than this. */
    constexpr unsigned int most_parts = 1024;

    /** Of Anchors: the first one and the least, relative to the stiffness of
     * cells, and how fast they fall. */
    constexpr double first_anchor = 1e-3, least_anchor = 1e-9,
                     anchor_factor = 0.1;

    /** Forces of anchors, relative to all, that are none; and how many parts
     * it may take until they are. */
    constexpr double no_anchor          = 1e-12;
    constexpr unsigned int most_anchors = 40;

    /** What is told in vain so often. */
    constexpr unsigned int most_augmentations = 30;



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
        const double mean_square = row[dim] / row[dim + 1];
        double square            = mean_square;
        for (unsigned int d = 0; d < dim; ++d)
          {
            arm[d] = x[d] - row[d] / row[dim + 1];
            square -= std::pow(row[d] / row[dim + 1], 2);
          }
        if (square > 1e-12 * mean_square) // else all are in one point
          arm /= std::sqrt(square);
        else
          arm = 0.;
        const auto motion = rigid_motions<dim>(arm, support.component);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            grams[(support.body * n + i) * n + j] += motion[i] * motion[j];
      });
      Utilities::MPI::sum(grams, solids.get_communicator(), grams);
      std::vector<std::string> result;
      for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
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



    /**
     * The way to an equilibrium, in parts. Bodies that only contact holds have
     * no stiffness until it does, and then often keep a motion that nothing
     * resists, such as one along a floor. So they are anchored: each part pulls
     * them back to where it has begun, by springs that become weaker, and do
     * nothing at last, since nobody moves any more (proximal points:
     * Rockafellar, 1976).
     */
    template <int dim>
    class WayToEquilibrium
    {
    public:
      WayToEquilibrium(const Solids<dim> &solids,
                       Contact<dim> &contact,
                       EquationSolver &solver,
                       State &state,
                       const bool with_anchors)
        : solids(solids)
        , contact(contact)
        , solver(solver)
        , state(state)
        , dt(solids.stable_time_step(state))
        , anchor(with_anchors ? first_anchor : 0.)
      {
        equations.reinit(solids, contact);
        solids.evaluate_external_forces(state.time, state.external_forces);
        copy_with_ghosts(state.positions, first);
        copy_with_ghosts(state.positions, supported);
        solids.prescribe_displacements(state.time, supported);
      }

      /** Go on to a part @p load of the loads. */
      Newton::Result
      go_to(const double load)
      {
        StepScheme scheme;
        scheme.is_static = true;
        scheme.inertia   = anchor / dt;
        copy_with_ghosts(state.external_forces, scheme.known_forces);
        copy_with_ghosts(state.external_forces, scheme.known_acceleration);
        ForestVectors guess;
        copy_with_ghosts(state.external_forces, guess);
        for (unsigned int p = 0; p < guess.size(); ++p)
          {
            scheme.known_forces[p] *= load;
            scheme.known_acceleration[p] = 0.;
            guess[p]                     = 0.;
            for (const auto &support : solids.supports(p))
              {
                const unsigned int i = support.dof;
                const double start   = first[p].local_element(i);
                const double target =
                  start + load * (supported[p].local_element(i) - start);
                guess[p].local_element(i) =
                  (target - state.positions[p].local_element(i)) / dt;
              }
          }
        equations.begin(state, dt, scheme, guess);
        Newton::Result result = solver.solve(equations);
        for (unsigned int k = 0;
             result.has_converged && contact.gives_forces() &&
             k < most_augmentations && contact.augment_forces();
             ++k)
          result = solver.solve(equations);
        if (result.has_converged)
          accept();
        return result;
      }

      /** Whether anchors do nothing. */
      bool
      is_at_rest() const
      {
        return anchor_forces <= no_anchor * equations.scale().forces;
      }

      std::string
      describe_largest_residual() const
      {
        return equations.describe_largest_residual();
      }

    private:
      void
      accept()
      {
        ForestVectors momenta;
        solids.momenta(equations.mean_velocities(), momenta);
        double square = 0.;
        for (const auto &vector : momenta)
          square += vector.norm_sqr();
        anchor_forces = anchor / dt * std::sqrt(square);
        if (anchor > 0.)
          anchor = std::max(anchor_factor * anchor, least_anchor);
        copy_with_ghosts(equations.positions(), state.positions);
        std::swap(state.histories, equations.new_histories);
        if (contact.gives_forces())
          contact.accept_equilibrium();
      }

      const Solids<dim> &solids;
      Contact<dim> &contact;
      EquationSolver &solver;
      State &state;
      const double dt;
      double anchor, anchor_forces = 0.;
      StepEquations<dim> equations;
      ForestVectors first, supported;
    };



    /** Why there is none. */
    template <int dim>
    [[noreturn]] void
    refuse(const Solids<dim> &solids,
           const std::vector<std::string> &motions,
           const std::string &largest_residual,
           const double done,
           const std::string &reason)
    {
      std::ostringstream message;
      message << "Initial equilibrium: none was found beyond " << 100. * done
              << " % of the loads: " << reason;
      for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
        require(motions[b].empty(),
                message_about(solids.body(b).name, motions[b]) +
                  " Contact does not hold it either. (" + message.str() + ".)");
      message << ". The largest part of the residual is in " << largest_residual
              << ". Loads may be more than the bodies bear: reduce body forces "
                 "or prescribed displacements, or use finer cells there.";
      throw RunError(message.str());
    }
  } // namespace



  template <int dim>
  void
  find_initial_equilibrium(const Solids<dim> &solids,
                           Contact<dim> &contact,
                           EquationSolver &solver,
                           State &state)
  {
    require(solids.rigid_bodies().empty(),
            "'Initial equilibrium' is not made for rigid bodies. Set it to "
            "false.");
    const auto motions = all_free_motions(solids);
    const bool is_held =
      std::all_of(motions.begin(), motions.end(), [](const auto &text) {
        return text.empty();
      });
    if (!contact.gives_forces())
      for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
        require(motions[b].empty(),
                message_about(solids.body(b).name, motions[b]));

    WayToEquilibrium<dim> way(solids, contact, solver, state, !is_held);
    double done = 0., part = 1.;
    for (unsigned int n_repeats = 0;;)
      {
        const double next           = std::min(1., done + part);
        const Newton::Result result = way.go_to(next);
        if (result.has_converged)
          {
            n_repeats += done == 1. ? 1 : 0;
            done = next;
            part *= 2.;
            // Contact once more from where it is now.
            if (done == 1. && way.is_at_rest() &&
                (n_repeats > 0 || !contact.gives_forces()))
              return;
          }
        else
          part *= 0.5;
        if (part * most_parts < 1. || n_repeats == most_anchors)
          refuse(solids,
                 motions,
                 way.describe_largest_residual(),
                 done,
                 result.has_converged ? "bodies go on and on" : result.reason);
      }
  }



  template void
  find_initial_equilibrium(const Solids<2> &,
                           Contact<2> &,
                           EquationSolver &,
                           State &);
  template void
  find_initial_equilibrium(const Solids<3> &,
                           Contact<3> &,
                           EquationSolver &,
                           State &);
} // namespace Ricochet
