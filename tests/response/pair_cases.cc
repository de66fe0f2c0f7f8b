// SPDX-License-Identifier: LGPL-2.1-or-later

// Decomposition Contact Response of single pairs against values from an
// independent dense implementation (pair_cases.json).

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/impulse.h>

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "case_file.h"
#include "couple_nodes.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  /** One pair set up as a ContactState and a Collision. */
  template <int dim>
  struct Pair
  {
    explicit Pair(const Tree &c)
      : velocities(rows<dim>(c.get_child("v")))
      , normal(vector<dim>(c.get_child("normal", Tree())))
      , n(velocities.size())
    {
      for (const auto &x : rows<dim>(c.get_child("x")))
        positions.emplace_back(x);
      const std::vector<double> weights = numbers_in(c.get_child("delta_N"));
      for (unsigned int i = 0; i < n; ++i)
        {
          collision.nodes.push_back(i);
          collision.weights.push_back(-weights[i]);
        }
      if (const auto matrix = c.get_child_optional("mass_matrix"))
        set_mass_matrix(*matrix);
      else
        {
          std::vector<Tensor<1, dim>> lumped(n);
          const auto values = numbers_in(c.get_child("inv_mass"));
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int d = 0; d < dim; ++d)
              lumped[i][d] = values[i];
          inverse_mass.reinit(lumped);
        }
    }

    void
    set_mass_matrix(const Tree &tree)
    {
      dealii::FullMatrix<double> matrix(n, n);
      unsigned int i = 0;
      for (const auto &child : tree)
        {
          const auto row = numbers_in(child.second);
          for (unsigned int j = 0; j < n; ++j)
            matrix(i, j) = row[j];
          ++i;
        }
      matrix.gauss_jordan();
      std::vector<unsigned int> nodes(n);
      std::iota(nodes.begin(), nodes.end(), 0u);
      inverse_mass.reinit(std::vector<Tensor<1, dim>>(n));
      couple_nodes(inverse_mass, nodes, matrix);
    }

    std::vector<dealii::Point<dim>> positions;
    std::vector<Tensor<1, dim>> velocities;
    Tensor<1, dim> normal;
    unsigned int n;
    Collision<dim> collision;
    InverseMass<dim> inverse_mass;
  };



  /** Move apart along the whole separation vector, as the cases were made. */
  template <int dim>
  void
  close_gap(Pair<dim> &pair)
  {
    const Tensor<1, dim> separation =
      pair.collision.weighted_sum(pair.positions);
    const double effective = pair.inverse_mass.effective(pair.collision)[0][0];
    pair.inverse_mass.apply(pair.collision,
                            -1. / effective * separation,
                            pair.positions);
  }



  template <int dim>
  void
  check(const Tree &c)
  {
    SCOPED_TRACE("case " + c.get<std::string>("id") + ", " +
                 c.get<std::string>("type") + ", " +
                 c.get<std::string>("flavour", ""));
    Pair<dim> pair(c);
    if (c.get<std::string>("method") == "dcr_depth")
      {
        close_gap(pair);
        const auto expected = rows<dim>(c.get_child("x_projected_mass"));
        for (unsigned int i = 0; i < pair.n; ++i)
          {
            EXPECT_LE(
              (pair.positions[i] - dealii::Point<dim>(expected[i])).norm(),
              1e-12 * std::max(1., expected[i].norm()));
          }
        pair.normal = vector<dim>(c.get_child("normal_projected"));
      }

    const PairImpulse<dim> result =
      pair_impulse(pair.inverse_mass.effective(pair.collision),
                   pair.normal,
                   pair.collision.weighted_sum(pair.velocities),
                   c.get<double>("e"),
                   c.get<double>("mu"));
    pair.inverse_mass.apply(pair.collision, result.impulse, pair.velocities);

    double speed = 0.;
    for (const auto &v : rows<dim>(c.get_child("v")))
      speed = std::max(speed, v.norm());
    const std::string flavour = c.get<std::string>("flavour", "");
    const double tolerance =
      (flavour == "offset" || flavour == "mass_ratio" ? 1e-8 : 1e-10) * speed;
    const auto expected = rows<dim>(c.get_child("v_plus"));
    for (unsigned int i = 0; i < pair.n; ++i)
      EXPECT_LE((pair.velocities[i] - expected[i]).norm(), tolerance);

    // The losses are what the kinetic energy loses.
    if (const auto energies = c.get_child_optional("invariants"))
      {
        EXPECT_NEAR(result.restitution_loss + result.friction_loss,
                    energies->get<double>("dissipation"),
                    1e-10 * energies->get<double>("K_before"));
      }

    const std::string regime = c.get<std::string>("regime", "");
    const std::map<std::string, ContactStatus> status{
      {"stick", ContactStatus::stick},
      {"separating", ContactStatus::open},
      {"slip", ContactStatus::slip}};
    if (flavour != "no_slip_velocity" && status.count(regime) > 0)
      {
        EXPECT_EQ(result.status, status.at(regime));
      }
  }
} // namespace



TEST(PairCases, AgreeWithIndependentImplementation)
{
  Tree tree;
  boost::property_tree::read_json(RICOCHET_TEST_DIR "/pair_cases.json", tree);
  unsigned int n_cases = 0;
  for (const auto &child : tree.get_child("cases"))
    {
      const std::string type = child.second.get<std::string>("type");
      if (type == "particles_1d" || type == "node_edge_2d")
        check<2>(child.second);
      else
        check<3>(child.second);
      ++n_cases;
    }
  EXPECT_EQ(n_cases, 143u);
}
