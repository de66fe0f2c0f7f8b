// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid regions of bodies that deform: one surface with nodes of both kinds.

#include <ricochet/base/embedding.h>

#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/mapping_q1.h>

#include <map>

#include "rigid_scene.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A bar of three cells of unit size along x, of which the first one is
   * rigid: body 1 with body 0 as its host. */
  template <int dim>
  class Bar
  {
  public:
    using VectorType = typename Contact<dim>::VectorType;

    Bar()
      : fe(dealii::FE_Q<dim>(1), dim)
      , dof_handler(triangulation)
    {
      std::vector<unsigned int> repetitions(dim, 1);
      repetitions[0] = 3;
      Point<dim> lower, upper;
      for (unsigned int d = 0; d < dim; ++d)
        {
          lower[d] = d == 0 ? 0. : -0.5;
          upper[d] = d == 0 ? 3. : 0.5;
        }
      dealii::GridGenerator::subdivided_hyper_rectangle(triangulation,
                                                        repetitions,
                                                        lower,
                                                        upper);
      dof_handler.distribute_dofs(fe);
      dealii::DoFTools::map_dofs_to_support_points(dealii::MappingQ1<dim>(),
                                                   dof_handler,
                                                   places);
      positions.reinit(dof_handler.n_dofs());
      for (auto *vector : {&end, &velocities, &accelerations, &inverse_mass})
        vector->reinit(positions);
      unsigned int component = 0;
      for (const auto &cell : dof_handler.active_cell_iterators())
        for (const unsigned int v : cell->vertex_indices())
          for (component = 0; component < dim; ++component)
            {
              const auto dof = cell->vertex_dof_index(v, component);
              positions(dof) = places.at(dof)[component];
              if (!is_rigid(dof))
                inverse_mass(dof) = 1. / node_mass;
            }
      end = positions;
    }

    /** With another rigid body 2, and contact as the entries say. */
    void
    start(Contact<dim> &contact,
          const RigidSurface<dim> &other,
          const std::vector<RigidMotion> &motions,
          const std::vector<std::pair<std::string, std::string>> &entries)
    {
      parse(contact, entries, {"bar", "bar.rigid", "other"});
      ContactModel<dim> model;
      model.sources.emplace_back();
      model.sources[0].dof_handler = &dof_handler;
      model.sources[0].body        = [](const auto &) { return 0u; };
      model.sources[0].rigid_point = [&](const auto dof) {
        return is_rigid(dof)
                 ? RigidPoint<dim>{1, Point<dim>(places.at(dof) - centre())}
                 : RigidPoint<dim>();
      };
      model.inverse_masses = {&inverse_mass};
      model.communicator   = MPI_COMM_SELF;
      RigidSurface<dim> region;
      region.body         = 1;
      region.host         = 0;
      region.vertices     = rigid_box(edges()).surface.vertices;
      model.rigid_bodies  = {region, other};
      model.rigid_motions = motions;
      contact.reinit(model);
    }

    static Tensor<1, dim>
    edges()
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = 1.;
      return result;
    }

    /** Of the rigid cell. */
    static Point<dim>
    centre()
    {
      return Point<dim>(0.5 * dealii::Point<dim>::unit_vector(0));
    }

    bool
    is_rigid(const dealii::types::global_dof_index dof) const
    {
      return places.at(dof)[0] < 1.1;
    }

    static constexpr double node_mass = 0.3;

    dealii::Triangulation<dim> triangulation;
    dealii::FESystem<dim> fe;
    dealii::DoFHandler<dim> dof_handler;
    std::map<dealii::types::global_dof_index, Point<dim>> places;
    VectorType positions, end, velocities, accelerations, inverse_mass;
  };



  RigidMotion
  motion_of(const RigidMass &mass, const Tensor<1, 3> &centre)
  {
    return RigidMotion(mass, Point<3>(centre));
  }



  template <int dim>
  void
  check_surface()
  {
    Bar<dim> bar;
    const auto box          = rigid_box(Bar<dim>::edges());
    RigidSurface<dim> other = box.surface;
    other.body              = 2;
    Tensor<1, 3> far;
    far[1]                                 = 10.;
    const std::vector<RigidMotion> motions = {
      motion_of(box.mass, in_space(Tensor<1, dim>(bar.centre()))),
      motion_of(box.mass, far)};
    Contact<dim> contact;
    bar.start(contact, other, motions, {});
    const Surface<dim> &surface = contact.get_surface();
    const auto x                = contact.vertex_positions();

    // The nodes of the bar that deform, and those that hold both bodies.
    const unsigned int n_free = dim == 2 ? 4 : 8;
    EXPECT_EQ(contact.get_nodes().nodes.size(), n_free);
    EXPECT_EQ(surface.n_nodes, n_free + 2 * (dim + 1));
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      {
        double sum = 0.;
        for (unsigned int k = surface.node_begin[v];
             k < surface.node_begin[v + 1];
             ++k)
          sum += surface.node_weights[k];
        EXPECT_NEAR(sum, 1., 1e-14);
        if (surface.vertex_body[v] == 2)
          continue;
        EXPECT_EQ(surface.vertex_body[v], x[v][0] < 1.1 ? 1u : 0u);
        EXPECT_NEAR(std::abs(x[v][1]), 0.5, 1e-14);
        EXPECT_NEAR(x[v][0], std::round(x[v][0]), 1e-14);
        if (v > 0)
          {
            EXPECT_LE(surface.vertex_body[v - 1], surface.vertex_body[v]);
          }
      }
    std::array<unsigned int, 3> n_facets{};
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        ++n_facets[surface.facet_body[f]];
        if (f > 0)
          {
            EXPECT_LE(surface.facet_body[f - 1], surface.facet_body[f]);
          }
        double largest = 0.;
        for (const unsigned int v : surface.facets[f])
          largest = std::max(largest, x[v][0]);
        if (surface.facet_body[f] < 2)
          {
            EXPECT_EQ(surface.facet_body[f], largest < 1.1 ? 1u : 0u);
          }
      }
    const unsigned int n_around = dim == 2 ? 2 : 8, n_end = dim == 2 ? 1 : 2;
    EXPECT_EQ(n_facets[0], 2 * n_around + n_end);
    EXPECT_EQ(n_facets[1], n_around + n_end);
    // Where both parts meet, the surface has neither gaps nor fewer edges,
    // though the edge is in a plane: what is next to it deforms.
    unsigned int n_rim = 0;
    for (unsigned int e = 0; e < surface.n_edges(); ++e)
      {
        EXPECT_NE(surface.edge_facets[e][1], Surface<dim>::none);
        const auto bodies =
          std::minmax(surface.facet_body[surface.edge_facets[e][0]],
                      surface.facet_body[surface.edge_facets[e][1]]);
        n_rim += bodies.first == 0 && bodies.second == 1;
      }
    EXPECT_EQ(n_rim, dim == 2 ? 0u : 4u);
  }

  TEST(RigidRegions, SurfaceOfOnePiece)
  {
    check_surface<2>();
    check_surface<3>();
  }



  /** A rectangle hits a segment between the rigid cell and the next node with
   * its lower corner, below its centre. */
  TEST(RigidRegions, ImpactBetweenBothKindsOfNodes)
  {
    for (const std::string response : {"dcr", "barycentric"})
      for (const double share : {0.25, 0.5, 0.875}) // of the free node
        {
          Bar<2> bar;
          const auto box = rigid_box(Bar<2>::edges());
          RigidMass head = box.mass;
          head.mass *= 3.;
          head.inertia *= 3.;
          const double half = std::sqrt(0.5), gap = 0.01, dt = 0.1, speed = 1.;
          RigidSurface<2> other            = box.surface;
          other.body                       = 2;
          std::vector<RigidMotion> motions = {
            motion_of(head, in_space(Tensor<1, 2>(bar.centre()))),
            motion_of(box.mass,
                      Tensor<1, 3>({1. + share, 0.5 + gap + half, 0.}))};
          motions[1].displace({}, Tensor<1, 3>({0., 0., M_PI / 4.}));
          Contact<2> contact;
          bar.start(contact, other, motions, {{"Response", response}});
          motions[1].velocity[1] = -speed;
          const auto before      = motions;
          bar.end                = bar.positions;
          contact.correct({0., dt},
                          {{&bar.positions},
                           {&bar.end},
                           {&bar.velocities},
                           {&bar.accelerations},
                           &motions});

          // By hand: the arm of the rigid end of the segment is 0.5 along x.
          const double to_head = 1. - share;
          const double inverse =
            1. / box.mass.mass + share * share / bar.node_mass +
            to_head * to_head * (1. / head.mass + 0.25 / head.inertia[2][2]);
          const double impulse = 2. * speed / inverse;
          EXPECT_NEAR(motions[1].velocity[1],
                      -speed + impulse / box.mass.mass,
                      1e-12);
          EXPECT_NEAR(motions[0].velocity[1],
                      -to_head * impulse / head.mass,
                      1e-12);
          double momentum = 0., moment = 0., energy = 0.;
          for (const auto &[dof, place] : bar.places)
            if (!bar.is_rigid(dof) && dof % 2 == 1)
              {
                const double v = bar.velocities(dof);
                momentum += bar.node_mass * v;
                moment += bar.node_mass * place[0] * v;
                energy += 0.5 * bar.node_mass * v * v;
                const bool is_hit = place[0] < 2.1 && place[1] > 0.;
                EXPECT_NEAR(v,
                            is_hit ? -share * impulse / bar.node_mass : 0.,
                            1e-12);
              }
          for (unsigned int k = 0; k < 2; ++k)
            {
              energy +=
                motions[k].kinetic_energy() - before[k].kinetic_energy();
              momentum += motions[k].momentum()[1] - before[k].momentum()[1];
              moment += motions[k].centre[0] * motions[k].momentum()[1] -
                        before[k].centre[0] * before[k].momentum()[1] +
                        motions[k].spin()[2];
            }
          EXPECT_NEAR(momentum, 0., 1e-13);
          EXPECT_NEAR(moment, 0., 1e-13);
          EXPECT_NEAR(energy, 0., 1e-13);
        }
  }
} // namespace
