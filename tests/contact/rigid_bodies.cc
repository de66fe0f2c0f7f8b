// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid bodies in explicit contact: what is conserved, and what an impact does.

#include <ricochet/overlap/intersections.h>

#include <gtest/gtest.h>

#include "make_obstacle.h"
#include "rigid_scene.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  using Vector = Tensor<1, 3>;

  /** Two boxes that turn and fly towards each other. */
  template <int dim>
  void
  make_pair(const unsigned int seed, RigidScene<dim> &scene)
  {
    Random random(seed);
    for (const double side : {-1., 1.})
      {
        Tensor<1, dim> edges;
        for (unsigned int d = 0; d < dim; ++d)
          edges[d] = random.uniform(0.5, 1.5);
        Point<dim> centre;
        for (unsigned int d = 1; d < dim; ++d)
          centre[d] = random.uniform(-0.3, 0.3);
        centre[0] = side * 1.5;
        Vector velocity, omega, turn;
        velocity[0] = -side;
        for (unsigned int d = dim == 2 ? 2 : 0; d < 3; ++d)
          {
            omega[d] = random.uniform(-1., 1.);
            turn[d]  = random.uniform(-1., 1.);
          }
        scene.add(rigid_box(edges), centre, velocity, omega, turn);
      }
  }



  template <int dim>
  void
  check_pair(const unsigned int seed,
             const std::string &response,
             const double restitution,
             const double friction)
  {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + response);
    RigidScene<dim> scene;
    make_pair(seed, scene);
    const double mass = scene.motions[0].mass.mass + scene.motions[1].mass.mass;
    scene.start({{"Response", response},
                 {"Restitution", std::to_string(restitution)},
                 {"Friction coefficient", std::to_string(friction)}});
    const Vector p = scene.momentum(), l = scene.angular_momentum();
    double energy       = scene.kinetic_energy();
    const double start  = energy;
    unsigned int n_acts = 0;
    for (unsigned int n = 0; n < 300; ++n)
      {
        scene.step(0.01);
        const double now = scene.kinetic_energy();
        EXPECT_LT(now,
                  energy + (response == "nonsmooth" ? 1e-3 : 1e-12) * start);
        energy = now;
        n_acts += scene.contact.get_state().has_acted();
        EXPECT_LT((scene.momentum() - p).norm(), 1e-13 * mass);
        // Impulses at the end of a step act where bodies were before the
        // last pass: only 'nonsmooth' has these.
        EXPECT_LT((scene.angular_momentum() - l).norm(),
                  (response == "nonsmooth" ? 1e-3 : 1e-13) * mass);
        EXPECT_TRUE(intersecting_facets(scene.contact.get_surface(),
                                        scene.contact.vertex_positions())
                      .empty());
      }
    EXPECT_GT(n_acts, 0u);
    EXPECT_EQ(scene.n_cuts, 0u);
    if (restitution == 1. && friction == 0. && response != "nonsmooth")
      {
        EXPECT_NEAR(energy, start, 1e-12 * start);
      }
  }



  template <int dim>
  void
  check_pairs()
  {
    for (unsigned int seed = 0; seed < 20; ++seed)
      {
        check_pair<dim>(seed, "dcr", 1., 0.);
        check_pair<dim>(seed, "dcr", 0., 0.3);
        check_pair<dim>(seed, "barycentric", 0.5, 0.3);
        check_pair<dim>(seed, "nonsmooth", 1., 0.);
      }
  }

  TEST(RigidBodies, Pairs2D)
  {
    check_pairs<2>();
  }

  TEST(RigidBodies, Pairs3D)
  {
    check_pairs<3>();
  }
} // namespace
