// SPDX-License-Identifier: LGPL-2.1-or-later

// An implicit integrator and a contact response by forces, both from outside:
// linear bodies that meet with springs between them, in the midpoint rule. They
// take what the library offers to such methods, and nothing else.

#include <ricochet/base/error.h>
#include <ricochet/search/closest_points.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <utility>

#include "run.h"

using namespace Ricochet;
using dealii::FullMatrix;
using dealii::Point;
using dealii::Tensor;
using dealii::Vector;

namespace
{
  constexpr double spring = 50.;

  /** Energy of a spring that acts where a gap is negative. */
  double
  energy(const double gap)
  {
    return gap < 0. ? 0.5 * spring * gap * gap : 0.;
  }



  /**
   * Springs between vertices and facets of bodies that stand side by side, each
   * vertex with the point that it faces at the start. The force is the
   * difference quotient of the energy over the step, which makes its work
   * exact.
   */
  template <int dim>
  class Springs : public ContactForces<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    double
    reach() const override
    {
      return 0.5;
    }

    void
    begin_step(const Surface<dim> &surface,
               const ContactState<dim> &state) override
    {
      if (!springs.empty())
        return;
      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        for (unsigned int v = 0; v < surface.n_vertices(); ++v)
          if (Collision<dim> spring;
              surface.vertex_body[v] != surface.facet_body[f] &&
              attach(surface, v, f, state.start_positions, spring))
            springs.emplace(std::make_pair(v, f), spring);
    }

    void
    evaluate(const Surface<dim> &,
             const std::vector<Encounter> &pairs,
             const PassSettings &,
             const ContactState<dim> &state,
             const bool with_stiffness,
             std::vector<ContactElement<dim>> &elements) const override
    {
      for (const Encounter &pair : pairs)
        {
          const auto entry =
            springs.find(std::make_pair(pair.first, pair.second));
          if (pair.kind != PairKind::vertex_facet || entry == springs.end())
            continue;
          const Collision<dim> &collision = entry->second;
          const Tensor<1, dim> &n         = collision.normal;
          const double g_0 = n * collision.weighted_sum(state.start_positions);
          const double g_1 = n * collision.weighted_sum(state.end_positions);
          if (!(std::min(g_0, g_1) < 0.) || g_0 == g_1)
            continue;
          const double force = -(energy(g_1) - energy(g_0)) / (g_1 - g_0);
          const double slope =
            (-force - spring * std::min(g_1, 0.)) / (g_1 - g_0);

          ContactElement<dim> element;
          const auto &w = collision.weights;
          element.nodes.assign(collision.nodes.begin(), collision.nodes.end());
          for (unsigned int i = 0; i < w.size(); ++i)
            element.forces.push_back(w[i] * force * n);
          if (with_stiffness)
            {
              element.stiffness.reinit(dim * w.size(), dim * w.size());
              for (unsigned int i = 0; i < dim * w.size(); ++i)
                for (unsigned int j = 0; j < dim * w.size(); ++j)
                  element.stiffness(i, j) =
                    slope * w[i / dim] * n[i % dim] * w[j / dim] * n[j % dim];
            }
          elements.push_back(element);
        }
    }

    void
    accept_step(const Surface<dim> &,
                const std::vector<Encounter> &pairs,
                const PassSettings &,
                ContactState<dim> &state) override
    {
      state.record.n_node_face = pairs.size();
    }

  private:
    /** The vertex and its closest point on an upright facet; whether it is
     * inside. */
    static bool
    attach(const Surface<dim> &surface,
           const unsigned int vertex,
           const unsigned int facet,
           const std::vector<Point<dim>> &positions,
           Collision<dim> &spring)
    {
      std::array<Point<dim>, dim> x;
      spring.nodes.assign({vertex});
      for (unsigned int i = 0; i < dim; ++i)
        {
          x[i] = positions[surface.facets[facet][i]];
          if (std::abs(x[i][0] - x[0][0]) > 0.1)
            return false;
          spring.nodes.push_back(surface.facets[facet][i]);
        }
      const auto closest = closest_point_on_facet(positions[vertex], x);
      spring.weights.assign({1.});
      for (const double weight : closest.weights)
        spring.weights.push_back(-weight);
      spring.normal[0] = surface.facet_body[facet] == 0 ? 1. : -1.;
      return closest.is_inside &&
             std::abs(positions[vertex][0] - x[0][0]) < reach_at_start;
    }

    /** Of the sides that face each other. */
    static constexpr double reach_at_start = 0.1;

    std::map<std::pair<unsigned int, unsigned int>, Collision<dim>> springs;
  };



  /** The implicit midpoint rule for small linear bodies on one rank. */
  template <int dim>
  class Midpoint : public TimeIntegrator<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    bool
    takes_contact_forces() const override
    {
      return true;
    }

    double
    stable_step(const Solids<dim> &, const State &) const override
    {
      return std::numeric_limits<double>::infinity();
    }

    void
    initialize(const Solids<dim> &solids, State &state, const double) override
    {
      // The columns of the stiffness, from displacements that are small enough
      // to leave all cells as they should be.
      const double shift   = 1. / 128.;
      const unsigned int n = state.positions[0].locally_owned_size();
      stiffness.reinit(n, n);
      solids.evaluate_forces(state, true);
      const auto at_start = state.internal_forces[0];
      for (unsigned int j = 0; j < n; ++j)
        {
          const double reference = state.positions[0](j);
          state.positions[0](j) += shift;
          solids.evaluate_forces(state, false);
          state.positions[0](j) = reference;
          for (unsigned int i = 0; i < n; ++i)
            stiffness(i, j) =
              (state.internal_forces[0](i) - at_start(i)) / shift;
        }
      solids.evaluate_forces(state, true);
    }

    StepTaken
    step(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         const double dt,
         const bool with_energies,
         Balance &balance) override
    {
      auto &x        = state.positions[0];
      auto &v        = state.velocities[0];
      const auto x_0 = x, v_0 = v;
      const auto f_0       = state.internal_forces[0];
      const auto &mass     = solids.mass(0);
      const unsigned int n = x.locally_owned_size();
      contact.begin_forces({state.time, dt}, {{&x_0}, {&v_0}});
      Vector<double> residual(n), change(n), contact_forces(n);
      unsigned int n_iterations = 0;
      do
        {
          for (unsigned int i = 0; i < n; ++i)
            x(i) = x_0(i) + 0.5 * dt * (v_0(i) + v(i));
          auto forces = x;
          forces      = 0.;
          const auto &elements =
            contact.evaluate_forces({{&x}, {&v}}, {&forces}, true);
          FullMatrix<double> matrix(n, n);
          matrix.add(0.25 * dt * dt, stiffness);
          for (unsigned int i = 0; i < n; ++i)
            {
              matrix(i, i) += mass(i);
              double elastic = f_0(i);
              for (unsigned int j = 0; j < n; ++j)
                elastic += 0.5 * stiffness(i, j) * (x(j) - x_0(j));
              residual(i) =
                dt * (forces(i) - elastic) - mass(i) * (v(i) - v_0(i));
            }
          add(elements, contact.get_nodes(), -0.5 * dt * dt, matrix);
          matrix.gauss_jordan();
          matrix.vmult(change, residual);
          for (unsigned int i = 0; i < n; ++i)
            v(i) += change(i);
          ++n_iterations;
      } while (change.linfty_norm() > 1e-13 && n_iterations < 20);
      largest_n_iterations = std::max(largest_n_iterations, n_iterations);
      for (unsigned int i = 0; i < n; ++i)
        x(i) = x_0(i) + 0.5 * dt * (v_0(i) + v(i));
      contact.accept_forces({&v});
      x.update_ghost_values();
      state.advance(dt);
      solids.evaluate_forces(state, with_energies, dt);
      balance.last_step = dt;
      return {dt, {}};
    }

    static unsigned int largest_n_iterations;

  private:
    static void
    add(const std::vector<ContactElement<dim>> &elements,
        const SurfaceNodes<dim> &nodes,
        const double factor,
        FullMatrix<double> &matrix)
    {
      for (const auto &element : elements)
        {
          std::vector<unsigned int> dofs;
          for (const unsigned int node : element.nodes)
            for (unsigned int d = 0; d < dim; ++d)
              dofs.push_back(nodes.nodes[node].dofs[d]);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            for (unsigned int j = 0; j < dofs.size(); ++j)
              matrix(dofs[i], dofs[j]) += factor * element.stiffness(i, j);
        }
    }

    FullMatrix<double> stiffness;
  };

  template <int dim>
  unsigned int Midpoint<dim>::largest_n_iterations = 0;

  RICOCHET_REGISTER_CONTACT_FORCES(Springs, "springs", "Of a test.")
  RICOCHET_REGISTER_TIME_INTEGRATOR(Midpoint, "midpoint", "Of a test.")



  template <int dim>
  std::string
  block(const std::string &lower,
        const std::string &upper,
        const std::string &velocity)
  {
    return bricks(dim == 2 ? "2, 2" : "2, 2, 2", lower, upper) +
           "set Initial velocity = " + velocity + "\n" +
           material("small-strain linear", 10., 0.3);
  }



  /** Two blocks, one of them a bit to the side, in a collision from approach to
   * separation at twice the step that would be stable. */
  template <int dim>
  void
  check()
  {
    const auto corner = [](const double x, const double y, const double z) {
      const std::string xy = std::to_string(x) + ", " + std::to_string(y);
      return dim == 2 ? xy : xy + ", " + std::to_string(z);
    };
    const auto velocity = [](const double v) {
      return std::to_string(v) + (dim == 2 ? "; 0" : "; 0; 0");
    };
    ExplicitRun<dim> run(
      {block<dim>(corner(0., 0., 0.), corner(1., 1., 1.), velocity(0.5)),
       block<dim>(corner(1.03, 0.04, 0.03),
                  corner(2.03, 0.9, 0.8),
                  velocity(-0.5))},
      MassKind::lumped,
      {},
      {{"Response", "springs"}},
      false,
      1,
      "midpoint");
    ASSERT_TRUE(run.contact.gives_forces());
    const double dt = 2. * run.solids.stable_time_step(run.state);
    run.start(dt);
    const auto before      = run.sums();
    unsigned int n_touched = 0;
    for (unsigned int n = 0; n < 60; ++n)
      {
        run.step(dt);
        const auto now = run.sums();
        EXPECT_LE((now.momentum - before.momentum).norm(),
                  1e-12 * before.momentum_scale);
        n_touched += now.internal_energy > 1e-6 ? 1 : 0;
      }
    const auto after = run.sums();
    EXPECT_GT(n_touched, 5u);
    EXPECT_LE(Midpoint<dim>::largest_n_iterations, 12u);
    // They are apart again, and springs keep nothing.
    EXPECT_NEAR(after.kinetic_energy + after.internal_energy,
                before.kinetic_energy,
                1e-11 * before.kinetic_energy);
    const auto bodies = sum_bodies(run.solids, run.state, true);
    EXPECT_LT(bodies[0].momentum[0], 0.);
    EXPECT_GT(bodies[1].momentum[0], 0.);
  }
} // namespace



TEST(ImplicitContact, ForcesConserveEnergyAndMomentumInTwoDimensions)
{
  check<2>();
}



TEST(ImplicitContact, ForcesConserveEnergyAndMomentumInThreeDimensions)
{
  check<3>();
}



// Explicit Newmark would leave the forces out in silence.
TEST(ImplicitContact, IntegratorAndResponseMustBeOfOneKind)
{
  Contact<2> contact;
  dealii::ParameterHandler prm;
  Contact<2>::declare_parameters(prm);
  for (const std::string response : {"springs", "dcr"})
    for (const std::string integrator : {"midpoint", "explicit Newmark"})
      {
        prm.set("Response", response);
        contact.parse_parameters(prm);
        const auto chosen = Registry<TimeIntegrator<2>>::create(integrator);
        if ((response == "springs") == (integrator == "midpoint"))
          EXPECT_NO_THROW(chosen->check_contact(contact));
        else
          EXPECT_THROW(chosen->check_contact(contact), UserError);
      }
}
