// SPDX-License-Identifier: LGPL-2.1-or-later

// What an impact must do to positions, momenta and energy whatever the bodies
// look like.

#include <ricochet/overlap/intersections.h>

#include <gtest/gtest.h>

#include "scenes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** The part of the full angle under which a facet is seen from the origin. */
  double
  angle_of_facet(const std::array<Tensor<1, 2>, 2> &x)
  {
    return std::atan2(moment(x[0], x[1])[2], x[0] * x[1]) /
           (2. * dealii::numbers::PI);
  }

  double
  angle_of_facet(const std::array<Tensor<1, 3>, 3> &x)
  {
    const std::array<double, 3> r{{x[0].norm(), x[1].norm(), x[2].norm()}};
    return std::atan2(x[0] * moment(x[1], x[2]),
                      r[0] * r[1] * r[2] + (x[0] * x[1]) * r[2] +
                        (x[1] * x[2]) * r[0] + (x[2] * x[0]) * r[1]) /
           (2. * dealii::numbers::PI);
  }



  /** The number of vertices that are inside another body. */
  template <int dim>
  unsigned int
  n_inside(const Surface<dim> &surface, const std::vector<Point<dim>> &x)
  {
    unsigned int result = 0;
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      {
        std::vector<double> winding(surface.n_bodies, 0.);
        for (unsigned int f = 0; f < surface.n_facets(); ++f)
          if (surface.facet_body[f] != surface.vertex_body[v])
            {
              std::array<Tensor<1, dim>, dim> facet;
              for (unsigned int i = 0; i < dim; ++i)
                facet[i] = x[surface.facets[f][i]] - x[v];
              winding[surface.facet_body[f]] += angle_of_facet(facet);
            }
        for (const double w : winding)
          result += w > 0.5;
      }
    return result;
  }



  /** One of the ways to resolve contact. */
  struct Method
  {
    double restitution, friction;
    std::string correction;
  };

  std::vector<Method>
  methods()
  {
    std::vector<Method> result;
    for (const double e : {0., 0.5, 1.})
      for (const double mu : {0., 0.4})
        for (const std::string correction : {"projection", "roll back"})
          result.push_back({e, mu, correction});
    return result;
  }

  template <int dim>
  void
  parse(Contact<dim> &contact, const Method &method)
  {
    ::parse(contact,
            {{"Restitution", std::to_string(method.restitution)},
             {"Friction coefficient", std::to_string(method.friction)},
             {"Position correction", method.correction}});
  }

  std::string
  describe(const Method &method, const unsigned int seed)
  {
    return method.correction + ", e = " + std::to_string(method.restitution) +
           ", mu = " + std::to_string(method.friction) + ", seed " +
           std::to_string(seed);
  }



  /** What must hold for all methods and numbers of contact points. */
  template <int dim>
  void
  expect_balances(const Sums<dim> &before,
                  const Sums<dim> &after,
                  const ContactRecord &record)
  {
    expect_momenta(before, after, record);
    EXPECT_NEAR(before.kinetic_energy - after.kinetic_energy,
                record.restitution_loss + record.friction_loss,
                1e-13 * before.kinetic_energy);
    EXPECT_GE(record.restitution_loss, -1e-13 * before.kinetic_energy);
    EXPECT_GE(record.friction_loss, -1e-13 * before.kinetic_energy);
  }



  template <int dim>
  void
  check_impact(const Layout layout,
               const Method &method,
               const unsigned int seed)
  {
    SCOPED_TRACE(describe(method, seed));
    Model<dim> model(MPI_COMM_WORLD, cubes_in_a_row<dim>(2, seed), layout);
    Contact<dim> contact;
    parse(contact, method);
    model.reinit(contact);
    const auto &surface = contact.get_surface();
    const auto &nodes   = contact.get_nodes();
    EXPECT_EQ(n_inside(surface, model.at_nodes(model.begin, nodes)), 0u);

    model.predict(impact_step);
    EXPECT_GT(n_inside(surface, model.at_nodes(model.end, nodes)), 0u);
    const Sums<dim> before     = model.sums();
    const ContactRecord record = model.correct(contact, impact_step);
    const Sums<dim> after      = model.sums();

    const auto positions = model.at_nodes(model.end, nodes);
    EXPECT_EQ(n_inside(surface, positions), 0u);
    EXPECT_TRUE(intersecting_facets(surface, positions).empty());
    EXPECT_FALSE(record.unsettled);
    EXPECT_GT(record.n_node_face, 0u);
    EXPECT_GT(record.min_gap, 0.);

    expect_balances(before, after, record);
    if (method.restitution == 1. && method.friction == 0.)
      {
        EXPECT_NEAR(after.kinetic_energy,
                    before.kinetic_energy,
                    1e-13 * before.kinetic_energy);
      }
    else
      {
        EXPECT_LT(after.kinetic_energy, before.kinetic_energy);
      }
  }



  /** The only contact point. */
  template <int dim>
  void
  check_corner(const Method &method, const unsigned int seed)
  {
    SCOPED_TRACE(describe(method, seed));
    Model<dim> model(MPI_COMM_WORLD, corner_on_face<dim>(seed));
    Contact<dim> contact;
    parse(contact, method);
    model.reinit(contact);
    const auto &nodes = contact.get_nodes();

    model.predict(corner_step);
    const Sums<dim> before     = model.sums();
    const auto predicted       = model.at_nodes(model.end, nodes);
    const auto speeds_before   = model.at_nodes(model.velocities, nodes);
    const ContactRecord record = model.correct(contact, corner_step);
    const Sums<dim> after      = model.sums();
    const auto positions       = model.at_nodes(model.end, nodes);
    const auto speeds_after    = model.at_nodes(model.velocities, nodes);

    EXPECT_EQ(record.n_edge_edge, 0u);
    EXPECT_EQ(record.n_node_face, 1u);
    EXPECT_EQ(record.n_passes, 1u);
    const auto &handled = contact.get_state().handled;
    if (handled.size() != 1)
      return;
    const Collision<dim> &pair    = handled[0];
    const double depth            = -pair.normal * pair.weighted_sum(predicted);
    const double gap              = pair.normal * pair.weighted_sum(positions);
    const Tensor<1, dim> dv       = pair.weighted_sum(speeds_before);
    const Tensor<1, dim> dv_after = pair.weighted_sum(speeds_after);
    const double u                = pair.normal * dv;
    EXPECT_GT(depth, 0.);
    EXPECT_LT(u, -1.);
    // The way of the last contact: after a roll back without restitution that
    // is the projection to the clearance, not the impulse.
    if (method.correction == "projection" || method.restitution > 0.)
      {
        EXPECT_NEAR(pair.normal * dv_after, -method.restitution * u, 1e-13);

        // Friction: either the sliding ends, or it is slowed down by mu times
        // the change of the normal velocity.
        const Tensor<1, dim> sliding = dv - u * pair.normal;
        const Tensor<1, dim> sliding_after =
          dv_after - (pair.normal * dv_after) * pair.normal;
        const double change =
          std::min(sliding.norm(),
                   -method.friction * (1. + method.restitution) * u);
        EXPECT_NEAR(
          (sliding_after - (1. - change / sliding.norm()) * sliding).norm(),
          0.,
          1e-13);
      }

    expect_balances(before, after, record);
    if (method.correction == "projection")
      {
        EXPECT_NEAR(gap, 1e-4 * pair.length, 1e-14);
      }
    else if (method.restitution > 0.)
      {
        // Flown apart since the impact, and nothing else happened.
        EXPECT_NEAR(gap, method.restitution * depth, 0.1 * depth);
        EXPECT_LE((after.angular_momentum - before.angular_momentum).norm(),
                  1e-13 * before.angular_momentum_scale);
      }
  }
} // namespace



TEST(Conservation, RandomImpacts2D)
{
  for (unsigned int seed = 0; seed < 10; ++seed)
    for (const Method &method : methods())
      check_impact<2>(Layout::one_forest, method, seed);
}



TEST(Conservation, RandomImpacts3D)
{
  for (unsigned int seed = 0; seed < 4; ++seed)
    for (const Method &method : methods())
      check_impact<3>(Layout::one_forest, method, seed);
}



TEST(Conservation, RandomImpactsOfSimplices)
{
  for (unsigned int seed = 20; seed < 23; ++seed)
    for (const Method &method : methods())
      check_impact<2>(Layout::simplices, method, seed);
  for (const Method &method : methods())
    check_impact<3>(Layout::simplices, method, 20);
}



TEST(Conservation, OneContactPoint)
{
  for (unsigned int seed = 0; seed < 5; ++seed)
    for (const Method &method : methods())
      {
        check_corner<2>(method, seed);
        check_corner<3>(method, seed);
      }
}
