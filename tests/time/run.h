// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_time_run_h
#define ricochet_tests_time_run_h

#include <ricochet/body/diagnostics.h>
#include <ricochet/contact.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../parse.h"

/** The section of a material with unit density. */
inline std::string
material(const std::string &law, const double modulus, const double ratio)
{
  return "subsection Material\n"
         "  set Law = " +
         law +
         "\n"
         "  set Density = 1\n"
         "  set Young's modulus = " +
         std::to_string(modulus) +
         "\n"
         "  set Poisson's ratio = " +
         std::to_string(ratio) +
         "\n"
         "end\n";
}



/** The section of a mesh of equal bricks: @p cells and corners, by commas. */
inline std::string
bricks(const std::string &cells,
       const std::string &lower,
       const std::string &upper,
       const std::string &more = "")
{
  return "subsection Mesh\n"
         "  set Grid generator = subdivided_hyper_rectangle\n"
         "  set Grid generator arguments = " +
         cells + " : " + lower + " : " + upper + " : true\n" + more + "end\n";
}



/** Bodies with contact and explicit Newmark. */
template <int dim>
class ExplicitRun
{
public:
  using ContactEntries = std::vector<std::pair<std::string, std::string>>;

  ExplicitRun(const std::vector<std::string> &bodies,
              const Ricochet::MassKind mass_kind,
              const std::vector<std::string> &motion_names = {},
              const ContactEntries &contact_entries        = {},
              const bool lumped_contact                    = false,
              const unsigned int degree                    = 1,
              const std::string &integrator_name           = "explicit Newmark")
    : solids(MPI_COMM_WORLD, mass_kind, degree)
  {
    std::vector<Ricochet::Body<dim>> all;
    for (const auto &text : bodies)
      {
        const bool has_motion =
          text.find("Prescribed motion") != std::string::npos;
        for (auto &body :
             parse_body<dim>(text,
                             has_motion ? motion_names
                                        : std::vector<std::string>())
               .create_bodies(MPI_COMM_SELF))
          all.push_back(std::move(body));
      }
    solids.reinit(std::move(all));
    state = solids.initial_state();
    make_contact(contact_entries, lumped_contact);

    using Integrators = Ricochet::Registry<Ricochet::TimeIntegrator<dim>>;
    integrator        = Integrators::create(integrator_name);
    dealii::ParameterHandler prm;
    Ricochet::declare_classes<Ricochet::TimeIntegrator<dim>>(prm);
    prm.enter_subsection(integrator_name);
    integrator->parse_parameters(prm);
  }

  /** Forces at the start; call after changes of the initial state. */
  void
  start(const double dt)
  {
    for (auto &positions : state.positions)
      positions.update_ghost_values();
    integrator->initialize(solids, state, dt);
  }

  /** The number of contacts of the step. */
  unsigned int
  step(const double dt)
  {
    integrator->step(solids, contact, state, dt, true, balance);
    const Ricochet::ContactRecord &record = contact.get_state().record;
    return record.n_node_face + record.n_edge_edge;
  }

  Ricochet::BodySums
  sums() const
  {
    Ricochet::BodySums all;
    for (const auto &body : sum_bodies(solids, state, true))
      all += body;
    return all;
  }

  /**
   * Kinetic and internal energy of central differences, K + U - dt^2/8 a.Ma,
   * with what went in and out. With v- and v+ the mid-step velocities before
   * and after contact and the potential P, of which -Ma is the gradient, the
   * kinetic energy at the ends of a step gives
   *   H_n   = v-.Mv-/2 + dt/2 v-.grad P(x_n) + P(x_n),
   *   H_n+1 = v+.Mv+/2 - dt/2 v+.grad P(x_n+1) + P(x_n+1),
   * and when P is quadratic, the difference without contact is zero exactly.
   */
  double
  shadow_energy(const double dt) const
  {
    const Ricochet::BodySums all = sums();
    return all.kinetic_energy + all.internal_energy -
           dt * dt / 8. * all.acceleration_square + balance.restitution_loss +
           balance.friction_loss -
           dealii::Utilities::MPI::sum(balance.external_work +
                                         balance.contact_work,
                                       MPI_COMM_WORLD);
  }

  /** Angular momentum without what went in and out. */
  dealii::Tensor<1, 3>
  unexplained_angular_momentum() const
  {
    return sums().angular_momentum - balance.contact_angular_momentum -
           dealii::Utilities::MPI::sum(balance.external_angular_momentum,
                                       MPI_COMM_WORLD);
  }

  /** Call @p action(reference position, index of first entry) for all owned
   * nodes of the only forest. */
  void
  for_each_node(const std::function<void(const dealii::Point<dim> &,
                                         const unsigned int)> &action) const
  {
    const auto &cells = solids.forest(0).get_cells();
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      action(cells.reference_positions[n], dim * n);
  }

  Ricochet::Solids<dim> solids;
  Ricochet::Contact<dim> contact;
  Ricochet::State state;
  Ricochet::Balance balance;
  std::unique_ptr<Ricochet::TimeIntegrator<dim>> integrator;

private:
  void
  make_contact(const ContactEntries &entries, const bool lumped)
  {
    dealii::ParameterHandler prm;
    Ricochet::Contact<dim>::declare_parameters(prm);
    for (const auto &entry : entries)
      prm.set(entry.first, entry.second);
    contact.parse_parameters(prm);

    Ricochet::ContactModel<dim> model;
    model.communicator = MPI_COMM_WORLD;
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        const auto &forest = solids.forest(p);
        model.sources.emplace_back();
        model.sources.back().dof_handler = &forest.get_dof_handler();
        model.sources.back().hanging_nodes =
          &forest.get_hanging_nodes().get_constraints();
        model.sources.back().body = [&forest](const auto &cell) {
          return forest.body_of_cell(cell);
        };
        model.inverse_masses.push_back(&solids.inverse_mass(p));
      }
    if (solids.has_consistent_mass() && !lumped)
      model.apply_inverse_mass = [this](const unsigned int p, auto &vector) {
        solids.apply_inverse_consistent_mass(p, vector);
      };
    model.may_be_idle = true; // one body alone
    contact.reinit(model);
  }
};

#endif
