// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/body/vector_pointers.h>
#include <ricochet/implicit/step_equations.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The round-off of sums of a few dozen forces, relative to these. */
    constexpr double round_off = 4. * std::numeric_limits<double>::epsilon();

    /** How slow the motion to an equilibrium is for laws with a memory: steps
     * that it takes. */
    constexpr double slowness = 1e8;



    ForestVectors
    vectors_like(const ForestVectors &layout)
    {
      ForestVectors result(layout.size());
      for (unsigned int p = 0; p < layout.size(); ++p)
        result[p].reinit(layout[p]);
      return result;
    }



    double
    norm_of(const ForestVectors &vectors)
    {
      double square = 0.;
      for (const auto &vector : vectors)
        square += vector.norm_sqr();
      return std::sqrt(square);
    }
  } // namespace



  template <int dim>
  void
  StepEquations<dim>::reinit(const Solids<dim> &new_solids,
                             Contact<dim> &new_contact)
  {
    solids  = &new_solids;
    contact = new_contact.gives_forces() ? &new_contact : nullptr;
    matrix.reinit(*solids);
    rigid_bodies.reinit(*solids, get_numbering());
    step_forces.clear();
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      step_forces.push_back(
        std::make_unique<StepForces<dim>>(solids->internal_forces(p)));
  }



  template <int dim>
  void
  StepEquations<dim>::begin(const State &state,
                            const double new_dt,
                            const StepScheme &new_scheme,
                            const ForestVectors &guess)
  {
    start               = &state;
    dt                  = new_dt;
    scheme              = new_scheme;
    stiffness_round_off = 0.;
    with_friction       = true;
    inertia_factor      = 1.;
    for (auto *vectors :
         {&end_positions, &velocities, &of_cells, &of_contact, &inertia})
      if (vectors->size() != state.positions.size() ||
          (!vectors->empty() && (*vectors)[0].get_partitioner() !=
                                  state.positions[0].get_partitioner()))
        *vectors = vectors_like(state.positions);
    new_histories.resize(solids->n_forests());
    using Kind = typename StepForces<dim>::Kind;
    on_all_ranks(solids->get_communicator(), [&]() {
      for (unsigned int p = 0; p < solids->n_forests(); ++p)
        step_forces[p]->begin(scheme.discrete_gradient ? Kind::discrete_gradient
                                                       : Kind::at_end,
                              state.positions[p].begin(),
                              scheme.is_static ? slowness * dt : dt,
                              state.histories[p]);
    });
    rigid_bodies.begin(state, dt);
    using ConstVectors = typename Contact<dim>::ConstVectors;
    const typename Contact<dim>::Motion motion{
      pointers<ConstVectors>(state.positions),
      pointers<ConstVectors>(state.velocities),
      &rigid_bodies.steps()};
    if (contact != nullptr && scheme.is_static)
      contact->begin_equilibrium({state.time, dt}, motion);
    else if (contact != nullptr)
      contact->begin_forces({state.time, dt}, motion);
    restart(guess);
  }



  template <int dim>
  void
  StepEquations<dim>::restart(const ForestVectors &guess)
  {
    for (unsigned int p = 0; p < guess.size(); ++p)
      velocities[p].copy_locally_owned_data_from(guess[p]);
    rigid_bodies.restart();
    follow_velocities();
  }



  template <int dim>
  void
  StepEquations<dim>::follow_velocities()
  {
    for (unsigned int p = 0; p < velocities.size(); ++p)
      {
        end_positions[p].zero_out_ghost_values();
        for (unsigned int i = 0; i < velocities[p].locally_owned_size(); ++i)
          end_positions[p].local_element(i) =
            start->positions[p].local_element(i) +
            dt * velocities[p].local_element(i);
        end_positions[p].update_ghost_values();
      }
    solids->distribute_to_hanging_nodes(end_positions);
  }



  template <int dim>
  void
  StepEquations<dim>::move(const VectorType &direction,
                           const double change_of_fraction)
  {
    const auto &numbering = get_numbering();
    for (unsigned int p = 0; p < velocities.size(); ++p)
      for (unsigned int i = 0; i < velocities[p].locally_owned_size(); ++i)
        velocities[p].local_element(i) +=
          change_of_fraction / dt *
          direction.local_element(numbering.begin(p) + i);
    rigid_bodies.move(direction, change_of_fraction);
    follow_velocities();
  }



  template <int dim>
  NewtonProblem::VectorType
  StepEquations<dim>::to_system(const ForestVectors &forces) const
  {
    VectorType result = get_numbering().zero_vector();
    get_numbering().gather(forces, result);
    matrix.set_constrained_to_zero(result);
    return result;
  }



  template <int dim>
  ForestVectors
  StepEquations<dim>::positions_after(const VectorType &displacement) const
  {
    ForestVectors result = vectors_like(end_positions);
    get_numbering().scatter(displacement, result);
    for (unsigned int p = 0; p < result.size(); ++p)
      result[p] += end_positions[p];
    return result;
  }



  template <int dim>
  bool
  StepEquations<dim>::evaluate_cells()
  {
    energies.reset(solids->n_bodies());
    try
      {
        on_all_ranks(solids->get_communicator(), [&]() {
          for (unsigned int p = 0; p < solids->n_forests(); ++p)
            step_forces[p]->evaluate(end_positions[p].begin(),
                                     new_histories[p],
                                     of_cells[p].begin(),
                                     &energies);
        });
      }
    catch (const RunError &)
      {
        return false;
      }
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      solids->forest(p).get_hanging_nodes().condense(of_cells[p]);
    return true;
  }



  template <int dim>
  void
  StepEquations<dim>::evaluate_contact()
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    using Vectors      = typename Contact<dim>::Vectors;
    for (auto &forces : of_contact)
      forces = 0.;
    if (contact == nullptr)
      return;
    contacts = &contact->evaluate_forces({pointers<ConstVectors>(end_positions),
                                          pointers<ConstVectors>(velocities),
                                          &rigid_bodies.steps()},
                                         pointers<Vectors>(of_contact),
                                         true);
  }



  template <int dim>
  bool
  StepEquations<dim>::evaluate(VectorType &residual)
  {
    if (!rigid_bodies.are_possible() || !evaluate_cells())
      return false;
    evaluate_contact();

    ForestVectors accelerations = vectors_like(velocities);
    for (unsigned int p = 0; p < velocities.size(); ++p)
      for (unsigned int i = 0; i < velocities[p].locally_owned_size(); ++i)
        accelerations[p].local_element(i) =
          scheme.inertia * velocities[p].local_element(i) -
          scheme.known_acceleration[p].local_element(i);
    if (solids->has_consistent_mass())
      {
        for (auto &vector : accelerations)
          vector.update_ghost_values();
        solids->distribute_to_hanging_nodes(accelerations);
      }
    solids->momenta(accelerations, inertia);

    last_residual = get_numbering().zero_vector();
    for (unsigned int p = 0; p < velocities.size(); ++p)
      for (unsigned int i = 0; i < velocities[p].locally_owned_size(); ++i)
        last_residual.local_element(get_numbering().begin(p) + i) =
          scheme.known_forces[p].local_element(i) -
          scheme.force_factor * of_cells[p].local_element(i) +
          of_contact[p].local_element(i) - inertia[p].local_element(i);
    last_scale.forces = norm_of(scheme.known_forces) + norm_of(of_cells) +
                        norm_of(of_contact) + norm_of(inertia);
    ForestVectors momenta;
    solids->momenta(velocities, momenta);
    last_scale.round_off =
      round_off * scheme.inertia * norm_of(momenta) + stiffness_round_off;
    rigid_bodies.evaluate(contact, last_residual, last_scale);
    matrix.set_constrained_to_zero(last_residual);
    residual = last_residual;
    return true;
  }



  template <int dim>
  NewtonProblem::Scale
  StepEquations<dim>::scale() const
  {
    return last_scale;
  }



  template <int dim>
  void
  StepEquations<dim>::linearize(LinearSolver &solver)
  {
    const auto of_rigid_bodies = rigid_bodies.linearize(contact, contacts);
    matrix.cover(contact != nullptr ? *contacts
                                    : std::vector<ContactElement<dim>>(),
                 contact != nullptr ? contact->get_nodes()
                                    : SurfaceNodes<dim>(),
                 of_rigid_bodies);
    matrix.clear();
    if (scheme.inertia != 0.)
      matrix.add_mass(inertia_factor * scheme.inertia / dt);
    on_all_ranks(solids->get_communicator(), [&]() {
      for (unsigned int p = 0; p < solids->n_forests(); ++p)
        step_forces[p]->stiffness(end_positions[p].begin(),
                                  [&](const CellMatrices<dim> &cells) {
                                    matrix.add_cells(p,
                                                     cells,
                                                     scheme.force_factor);
                                  });
    });
    if (contact != nullptr)
      matrix.add_contacts(*contacts, contact->get_nodes(), -1.);
    matrix.add_elements(of_rigid_bodies);
    matrix.finish();

    // What the last digit of positions does to forces.
    double square = 0.;
    for (unsigned int p = 0; p < end_positions.size(); ++p)
      for (unsigned int i = 0; i < end_positions[p].locally_owned_size(); ++i)
        {
          const double force = matrix.diagonal(get_numbering().begin(p) + i) *
                               end_positions[p].local_element(i);
          square += force * force;
        }
    square += rigid_bodies.stiffness_of_positions(matrix);
    stiffness_round_off =
      std::numeric_limits<double>::epsilon() *
      std::sqrt(Utilities::MPI::sum(square, solids->get_communicator()));

    solver.set_matrix(matrix.get(), {dim, is_symmetric(), [this]() {
                                       return rigid_modes();
                                     }});
  }



  template <int dim>
  bool
  StepEquations<dim>::is_symmetric() const
  {
    if (scheme.discrete_gradient || (contact != nullptr && !contacts->empty()))
      return false;
    for (unsigned int b = 0; b < solids->n_deformable_bodies(); ++b)
      if (solids->body(b).material->history().dissipation() ==
          Dissipation::viscous)
        return false;
    return true;
  }



  template <int dim>
  std::vector<double>
  StepEquations<dim>::rigid_modes() const
  {
    // All bodies at once: aggregates of nodes are never of two of them.
    constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
    const unsigned int n               = get_numbering().owned().n_elements();
    std::vector<double> modes((dim + n_rotations) * n, 0.);
    for (unsigned int p = 0; p < end_positions.size(); ++p)
      for (unsigned int i = 0; i < end_positions[p].locally_owned_size();
           i += dim)
        {
          const unsigned int row = get_numbering().begin(p) + i;
          for (unsigned int d = 0; d < dim; ++d)
            modes[d * n + row + d] = 1.;
          unsigned int mode = dim;
          for (unsigned int a = 0; a < dim; ++a)
            for (unsigned int b = a + 1; b < dim; ++b, ++mode)
              {
                modes[mode * n + row + a] =
                  -end_positions[p].local_element(i + b);
                modes[mode * n + row + b] =
                  end_positions[p].local_element(i + a);
              }
        }
    for (unsigned int mode = 0; mode < dim + n_rotations; ++mode)
      for (unsigned int row = 0; row < n; ++row)
        if (matrix.is_constrained_row(row))
          modes[mode * n + row] = 0.;
    return modes;
  }



  template <int dim>
  std::string
  StepEquations<dim>::describe_largest_residual() const
  {
    auto [largest, place] = rigid_bodies.largest(last_residual);
    for (unsigned int p = 0; p < end_positions.size(); ++p)
      for (unsigned int i = 0; i < end_positions[p].locally_owned_size(); ++i)
        {
          const double value =
            std::abs(last_residual.local_element(get_numbering().begin(p) + i));
          if (!(value > largest))
            continue;
          largest                 = value;
          const unsigned int node = i / dim;
          std::ostringstream text;
          text.precision(6);
          text << "body '"
               << solids->body(solids->forest(p).get_node_bodies()[node]).name
               << "' at (";
          for (unsigned int d = 0; d < dim; ++d)
            text << (d > 0 ? ", " : "")
                 << end_positions[p].local_element(dim * node + d);
          text << ")";
          place = text.str();
        }
    const auto all = Utilities::MPI::all_gather(solids->get_communicator(),
                                                std::make_pair(largest, place));
    return std::max_element(all.begin(),
                            all.end(),
                            [](const auto &a, const auto &b) {
                              return a.first < b.first;
                            })
      ->second;
  }



  template class StepEquations<2>;
  template class StepEquations<3>;
} // namespace Ricochet
