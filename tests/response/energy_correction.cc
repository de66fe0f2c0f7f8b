// SPDX-License-Identifier: LGPL-2.1-or-later

// The energy correction of Decomposition Contact Response: the impulse gives
// back the work W that moving a pair apart did against the potential. With
// the accelerations a = -M^-1 grad P it is W = -(M a).(x - x~), and with the
// closing velocity u and the effective mass m of the pair,
//   K+ - K- = -W - (1 - e^2)/2 m u^2                                  (*)
// as long as the normal motion has that much: e^2 m u^2 / 2 >= W.

#include <ricochet/response/contact_response.h>

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /**
   * A vertex that has gone through a facet, up to a random depth, with random
   * masses, velocities and accelerations.
   */
  template <int dim>
  class Pair
  {
  public:
    Pair(const unsigned int seed, const double acceleration)
      : generator(seed)
    {
      // The facet of one body looks up; another body comes with its first
      // vertex first.
      std::vector<Point<dim>> &x = state.begin;
      x.resize(2 * dim);
      for (unsigned int i = 0; i < dim; ++i)
        {
          x[i]       = corner(i);
          x[dim + i] = corner(dim - 1 - i);
          x[dim + i][dim - 1] += i == 0 ? 0.1 : 1.;
        }
      for (unsigned int d = 0; d + 1 < dim; ++d)
        x[dim][d] = uniform(-0.2, 0.2);
      state.end = x;
      state.end[dim][dim - 1] -= uniform(0.11, 0.2);

      std::array<unsigned int, dim> first, second;
      for (unsigned int i = 0; i < dim; ++i)
        {
          first[i]  = i;
          second[i] = dim + i;
        }
      surface.facets            = {first, second};
      surface.facet_body        = {0, 1};
      surface.facet_boundary_id = {0, 0};
      surface.vertex_body.assign(dim, 0);
      surface.vertex_body.resize(2 * dim, 1);
      surface.n_nodes            = 2 * dim;
      surface.n_bodies           = 2;
      surface.vertices_are_nodes = true;
      surface.build_edges(x);

      std::vector<Tensor<1, dim>> inverse_mass;
      for (unsigned int i = 0; i < 2 * dim; ++i)
        {
          masses.push_back(std::exp(uniform(-1., 1.)));
          inverse_mass.emplace_back();
          for (unsigned int d = 0; d < dim; ++d)
            inverse_mass[i][d] = 1. / masses[i];
          state.velocities.push_back(vector(1.));
          state.accelerations.push_back(vector(acceleration));
        }
      state.velocities[dim][dim - 1] -= 3.; // closing
      state.inverse_mass.reinit(inverse_mass);
      state.impulses.resize(2 * dim);
      state.position_impulses.resize(2 * dim);
      state.normal_impulses.resize(2 * dim);
      state.status.resize(2 * dim);
      state.dt = 0.1;
    }

    /** Resolve the pair. */
    void
    correct(const bool energy_correction, const double e, const double mu)
    {
      using Responses = Registry<ContactResponse<dim>>;
      dealii::ParameterHandler prm;
      Responses::entries().at("dcr").declare_parameters(prm);
      prm.set("Energy correction", energy_correction);
      const auto response = Responses::create("dcr");
      response->parse_parameters(prm);
      auto &correction = dynamic_cast<ContactCorrection<dim> &>(*response);
      EXPECT_EQ(correction.needs_accelerations(), energy_correction);

      const double height = state.begin[dim][dim - 1];
      const double depth  = -state.end[dim][dim - 1];
      PassSettings settings;
      settings.restitution = e;
      settings.friction    = mu;
      EXPECT_TRUE(correction.correct(
        surface,
        {{height / (height + depth), PairKind::vertex_facet, dim, 0, true}},
        settings,
        state));
      ASSERT_EQ(state.handled.size(), 1u);
    }

    /** -(M a).(x - before). */
    double
    work_since(const std::vector<Point<dim>> &before) const
    {
      double work = 0.;
      for (unsigned int i = 0; i < 2 * dim; ++i)
        work -=
          masses[i] * (state.accelerations[i] * (state.end[i] - before[i]));
      return work;
    }

    double
    kinetic_energy() const
    {
      double energy = 0.;
      for (unsigned int i = 0; i < 2 * dim; ++i)
        energy += 0.5 * masses[i] * state.velocities[i].norm_square();
      return energy;
    }

    /** Of the handled pair. */
    double
    effective_mass() const
    {
      double inverse = 0.;
      for (unsigned int i = 0; i < state.handled[0].nodes.size(); ++i)
        inverse += state.handled[0].weights[i] * state.handled[0].weights[i] /
                   masses[state.handled[0].nodes[i]];
      return 1. / inverse;
    }

    double
    normal_velocity(const std::vector<Tensor<1, dim>> &velocities) const
    {
      return state.handled[0].normal *
             state.handled[0].weighted_sum(velocities);
    }

    ContactState<dim> state;

  private:
    double
    uniform(const double a, const double b)
    {
      return a + (b - a) * std::generate_canonical<double, 53>(generator);
    }

    Tensor<1, dim>
    vector(const double size)
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = uniform(-size, size);
      return result;
    }

    /** Corners of a facet around the origin with the normal in the last
     * direction. */
    static Point<dim>
    corner(const unsigned int i)
    {
      const double x[3] = {1., -1., -1.}, y[3] = {-1., 1., -1.};
      if constexpr (dim == 2)
        return Point<2>(x[i], 0.);
      else
        return Point<3>(x[i], y[i] + 0.5 * (i == 0), 0.);
    }

    std::mt19937_64 generator;
    Surface<dim> surface;
    std::vector<double> masses;
  };



  template <int dim>
  void
  check_returned_work()
  {
    unsigned int n_positive = 0, n_negative = 0;
    for (unsigned int seed = 0; seed < 200; ++seed)
      for (const double e : {0.5, 1.})
        {
          Pair<dim> pair(seed, 1.);
          const auto end        = pair.state.end;
          const auto velocities = pair.state.velocities;
          const double before   = pair.kinetic_energy();
          pair.correct(true, e, 0.);
          const double u    = pair.normal_velocity(velocities);
          const double m    = pair.effective_mass();
          const double work = pair.work_since(end);
          (work > 0. ? n_positive : n_negative) += 1;
          EXPECT_LT(u, 0.);
          ASSERT_GT(0.5 * e * e * m * u * u, work);
          EXPECT_NEAR(pair.kinetic_energy() - before,
                      -work - 0.5 * (1. - e * e) * m * u * u,
                      1e-13 * before);
          EXPECT_NEAR(before - pair.kinetic_energy(),
                      pair.state.record.restitution_loss,
                      1e-13 * before);
          EXPECT_GT(std::abs(work), 1e-8);
        }
    EXPECT_GT(n_positive, 50u);
    EXPECT_GT(n_negative, 50u);
  }



  /** More work than the normal motion has: it just ends. */
  template <int dim>
  void
  check_too_much_work()
  {
    unsigned int n = 0;
    for (unsigned int seed = 0; seed < 50; ++seed)
      {
        Pair<dim> pair(seed, 1e3);
        const auto end        = pair.state.end;
        const auto velocities = pair.state.velocities;
        pair.correct(true, 1., 0.);
        const double u = pair.normal_velocity(velocities);
        if (pair.work_since(end) < 0.5 * pair.effective_mass() * u * u)
          continue;
        ++n;
        EXPECT_NEAR(pair.normal_velocity(pair.state.velocities), 0., 1e-13);
      }
    EXPECT_GT(n, 10u);
  }



  /** Friction only takes, and what it takes is written down. */
  template <int dim>
  void
  check_friction()
  {
    for (unsigned int seed = 0; seed < 50; ++seed)
      {
        Pair<dim> pair(seed, 1.);
        const auto end        = pair.state.end;
        const auto velocities = pair.state.velocities;
        const double before   = pair.kinetic_energy();
        pair.correct(true, 1., 0.3);
        EXPECT_GT(pair.state.record.friction_loss, 0.);
        EXPECT_NEAR(before - pair.kinetic_energy(),
                    pair.work_since(end) + pair.state.record.friction_loss,
                    1e-13 * before);
      }
  }



  template <int dim>
  void
  check_without()
  {
    Pair<dim> pair(1, 1.);
    const auto end      = pair.state.end;
    const double before = pair.kinetic_energy();
    pair.correct(false, 1., 0.);
    EXPECT_NEAR(pair.kinetic_energy(), before, 1e-14 * before);
    EXPECT_GT(std::abs(pair.work_since(end)), 1e-8);
  }
} // namespace



TEST(EnergyCorrection, ReturnsTheWorkOfTheProjection)
{
  check_returned_work<2>();
  check_returned_work<3>();
}



TEST(EnergyCorrection, StopsAtTheEndOfTheNormalMotion)
{
  check_too_much_work<2>();
  check_too_much_work<3>();
}



TEST(EnergyCorrection, GoesWithFriction)
{
  check_friction<2>();
  check_friction<3>();
}



TEST(EnergyCorrection, IsOffUnlessAsked)
{
  check_without<2>();
  check_without<3>();
}
