// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/contact_writer.h>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "temporary_directory.h"
#include "vtu_file.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  using namespace dealii;

  template <int dim>
  void
  make_vertices_nodes(Surface<dim> &surface, const unsigned int n)
  {
    surface.n_nodes            = n;
    surface.vertices_are_nodes = true;
    surface.node_begin         = {0};
    for (unsigned int v = 0; v < n; ++v)
      {
        surface.vertex_nodes.push_back(v);
        surface.node_weights.push_back(1.);
        surface.node_begin.push_back(v + 1);
      }
  }



  /** A contact state without contact. */
  template <int dim>
  ContactState<dim>
  empty_state(const unsigned int n_nodes)
  {
    ContactState<dim> state;
    state.end_positions.resize(n_nodes);
    state.impulses.resize(n_nodes);
    state.normal_impulses.resize(n_nodes, 0.);
    state.status.resize(n_nodes, ContactStatus::open);
    return state;
  }



  TEST(ContactInterval, SumsUpTheSteps)
  {
    ContactInterval<3> interval;
    interval.reset(3, 2.);
    EXPECT_EQ(interval.begin, 2.);

    // Node 1: impulses (3,4,0) and (3,-4,0) with normals along x.
    auto state               = empty_state<3>(3);
    state.touched_nodes      = {1, 1}; // once, though named twice
    state.impulses[1]        = Tensor<1, 3>({3., 4., 0.});
    state.normal_impulses[1] = 3.;
    state.status[1]          = ContactStatus::slip;
    interval.add(state);
    state.impulses[1] = Tensor<1, 3>({3., -4., 0.});
    interval.add(state);

    // Round-off: the normal part is not larger than the whole.
    state.touched_nodes      = {2};
    state.impulses[2]        = Tensor<1, 3>({0.1, 0.2, 0.3});
    state.normal_impulses[2] = state.impulses[2].norm() * (1. + 1e-15);
    state.status[2]          = ContactStatus::stick;
    interval.add(state);

    EXPECT_EQ(interval.impulses[1], (Tensor<1, 3>({6., 0., 0.})));
    EXPECT_EQ(interval.normal_impulses,
              (std::vector<double>{0., 6., state.normal_impulses[2]}));
    EXPECT_EQ(interval.tangential_impulses[0], 0.);
    EXPECT_EQ(interval.tangential_impulses[1], 8.);
    EXPECT_EQ(interval.tangential_impulses[2], 0.);
    EXPECT_EQ(interval.status, (std::vector<double>{0., 1., 2.}));

    // Moved, but not pushed: the status remains.
    state.status[1]     = ContactStatus::open;
    state.touched_nodes = {1};
    interval.add(state);
    EXPECT_EQ(interval.status[1], 1.);

    interval.reset(3, 4.);
    EXPECT_EQ(interval.impulses[1].norm(), 0.);
    EXPECT_EQ(interval.tangential_impulses[1], 0.);
    EXPECT_EQ(interval.status[1], 0.);
    EXPECT_TRUE(std::isnan(interval.gaps[1]));
  }



  TEST(ContactInterval, KeepsTheSmallestGapOfTheLastStep)
  {
    ContactInterval<2> interval;
    interval.reset(4, 0.);

    // Node 0 at height h above the segment of nodes 1 and 2.
    auto state             = empty_state<2>(4);
    state.end_positions[1] = Point<2>(-1., 0.);
    state.end_positions[2] = Point<2>(1., 0.);
    Collision<2> collision;
    collision.nodes   = {0, 1, 2};
    collision.weights = {1., -0.5, -0.5};
    collision.normal  = Tensor<1, 2>({0., 1.});

    state.handled          = {collision};
    state.end_positions[0] = Point<2>(0., 0.25);
    interval.add(state);
    EXPECT_EQ(interval.gaps[0], 0.25);
    EXPECT_EQ(interval.gaps[2], 0.25);
    EXPECT_TRUE(std::isnan(interval.gaps[3]));

    // The next step counts, also if its gap is larger. Of two contact points
    // in one step, the smaller gap.
    state.end_positions[0] = Point<2>(0., 0.5);
    state.end_positions[3] = Point<2>(0., 0.75);
    Collision<2> other     = collision;
    other.nodes            = {3, 1, 2};
    state.handled          = {collision, other};
    interval.add(state);
    EXPECT_EQ(interval.gaps[0], 0.5);
    EXPECT_EQ(interval.gaps[1], 0.5);
    EXPECT_EQ(interval.gaps[3], 0.75);

    state.handled.clear();
    interval.add(state);
    EXPECT_EQ(interval.gaps[0], 0.5);
  }



  TEST(ContactWriter, PressuresOfATriangle)
  {
    // A square of area 4 from two triangles; two vertices in both.
    Surface<3> surface;
    surface.facets      = {{{0, 1, 2}}, {{0, 2, 3}}};
    surface.facet_body  = {5, 5};
    surface.vertex_body = {5, 5, 5, 5};
    make_vertices_nodes(surface, 4);
    const std::vector<Point<3>> positions = {{1., 0., 0.1},
                                             {3., 0., 0.1},
                                             {3., 2., 0.1},
                                             {1., 2., 0.1}};

    ContactInterval<3> interval;
    interval.reset(4, 0.5);
    interval.impulses[1]            = Tensor<1, 3>({0.25, 0., 1.});
    interval.normal_impulses[1]     = 1.;
    interval.tangential_impulses[1] = 0.25;
    interval.gaps[1]                = 0.125;
    interval.status[1]              = 1.;
    interval.normal_impulses[2]     = 1.;
    interval.status[2]              = 2.;

    const TemporaryDirectory directory;
    ContactWriter<3> writer(directory.output(), surface);
    writer.write(0.75, 10, positions, interval);

    const auto entries = read_pvd(directory.file("contact.pvd"));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].time, "0.75");
    EXPECT_EQ(entries[0].file, "contact-00000.vtu");

    const VtuFile file(directory.file("contact-00000.vtu"));
    EXPECT_EQ(file.field_data.at("TIME"), 0.75);
    ASSERT_EQ(file.n_cells, 2U);
    ASSERT_EQ(file.n_points, 6U);
    EXPECT_EQ(file.types, std::vector<std::uint8_t>(2, 5));
    const std::vector<unsigned int> vertices = {0, 1, 2, 0, 2, 3};
    for (unsigned int p = 0; p < 6; ++p)
      {
        const unsigned int v = vertices[p];
        for (unsigned int d = 0; d < 3; ++d)
          {
            EXPECT_EQ(file.points[3 * p + d], positions[v][d]);
            EXPECT_FLOAT_EQ(file.data.at("contact_impulse")[3 * p + d],
                            interval.impulses[v][d]);
          }
        EXPECT_EQ(file.data.at("body")[p], 5.f);
        EXPECT_EQ(file.data.at("status")[p], float(interval.status[v]));

        // Vertex 1 has a third of one triangle, vertex 2 of both; 0.25 seconds.
        EXPECT_FLOAT_EQ(file.data.at("normal_pressure")[p],
                        v == 1   ? 1. / (2. / 3. * 0.25)
                        : v == 2 ? 1. / (4. / 3. * 0.25)
                                 : 0.);
        EXPECT_FLOAT_EQ(file.data.at("tangential_pressure")[p],
                        v == 1 ? 0.25 / (2. / 3. * 0.25) : 0.);
        if (v == 1)
          EXPECT_EQ(file.data.at("gap")[p], 0.125f);
        else
          EXPECT_TRUE(std::isnan(file.data.at("gap")[p]));
      }
  }



  TEST(ContactWriter, SegmentsWithAVertexBetweenNodes)
  {
    // Vertices 0, 1, 2 on a line of length 2; vertex 1 hangs in the middle of
    // nodes 0 and 1.
    Surface<2> surface;
    surface.facets                        = {{{0, 1}}, {{1, 2}}};
    surface.facet_body                    = {0, 1};
    surface.vertex_body                   = {0, 0, 0};
    surface.n_nodes                       = 2;
    surface.node_begin                    = {0, 1, 3, 4};
    surface.vertex_nodes                  = {0, 0, 1, 1};
    surface.node_weights                  = {1., 0.5, 0.5, 1.};
    const std::vector<Point<2>> positions = {{0., 1.}, {2., 1.}};

    // A constant pressure 3 for 2 seconds: each node carries 1 of length.
    ContactInterval<2> interval;
    interval.reset(2, 0.);
    for (unsigned int n = 0; n < 2; ++n)
      {
        interval.impulses[n]        = Tensor<1, 2>({0., 6.});
        interval.normal_impulses[n] = 6.;
      }
    interval.gaps[1]   = -0.5;
    interval.status[1] = 2.;

    const TemporaryDirectory directory;
    ContactWriter<2> writer(directory.output(), surface);
    writer.write(2., 1, positions, interval);
    const VtuFile file(directory.file("contact-00000.vtu"));
    ASSERT_EQ(file.n_cells, 2U);
    ASSERT_EQ(file.n_points, 4U);
    EXPECT_EQ(file.types, std::vector<std::uint8_t>(2, 3));
    const std::vector<float> x = {0.f, 1.f, 1.f, 2.f};

    // The vertices' shares of the length are 1/2, 1, 1/2.
    const std::vector<float> impulse = {3.f, 6.f, 6.f, 3.f};
    const std::vector<float> status  = {0.f, 2.f, 2.f, 2.f};
    for (unsigned int p = 0; p < 4; ++p)
      {
        EXPECT_EQ(file.points[3 * p], x[p]);
        EXPECT_EQ(file.points[3 * p + 1], 1.f);
        EXPECT_EQ(file.points[3 * p + 2], 0.f);
        EXPECT_EQ(file.data.at("body")[p], float(p / 2));
        EXPECT_FLOAT_EQ(file.data.at("normal_pressure")[p], 3.f);
        EXPECT_FLOAT_EQ(file.data.at("contact_impulse")[3 * p + 1], impulse[p]);
        EXPECT_EQ(file.data.at("status")[p], status[p]);
        if (p == 0)
          EXPECT_TRUE(std::isnan(file.data.at("gap")[p]));
        else
          EXPECT_EQ(file.data.at("gap")[p], -0.5f);
      }
  }



  TEST(ContactWriter, IntervalWithoutLengthHasNoPressure)
  {
    Surface<2> surface;
    surface.facets      = {{{0, 1}}};
    surface.facet_body  = {0};
    surface.vertex_body = {0, 0};
    make_vertices_nodes(surface, 2);
    ContactInterval<2> interval;
    interval.reset(2, 1.);

    const TemporaryDirectory directory;
    ContactWriter<2> writer(directory.output(), surface);
    writer.write(1., 0, {{0., 0.}, {1., 0.}}, interval);
    writer.write(2., 1, {{0., 0.}, {1., 0.}}, interval);
    const VtuFile file(directory.file("contact-00000.vtu"));
    EXPECT_EQ(file.data.at("normal_pressure")[0], 0.f);

    // The first output is kept by a restart at its time, the second is not.
    const ParaviewSeries series(directory.output(),
                                "contact",
                                ResumePoint{0, 1.});
    EXPECT_EQ(series.next_number(), 1U);
  }
} // namespace
