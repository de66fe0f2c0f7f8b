// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_contact_rigid_scene_h
#define ricochet_tests_contact_rigid_scene_h

#include <ricochet/base/embedding.h>
#include <ricochet/contact.h>

#include <deal.II/base/mpi.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "model.h"
#include "scenes.h"

/** A rigid body about its centre of mass. */
template <int dim>
struct RigidShape
{
  Ricochet::RigidSurface<dim> surface;
  Ricochet::RigidMass mass;
};



/** A box of unit density with these edges. */
inline RigidShape<3>
rigid_box(const dealii::Tensor<1, 3> &edges)
{
  RigidShape<3> shape;
  for (unsigned int v = 0; v < 8; ++v)
    {
      dealii::Point<3> X;
      for (unsigned int d = 0; d < 3; ++d)
        X[d] = ((v >> d) % 2 ? 0.5 : -0.5) * edges[d];
      shape.surface.vertices.push_back(X);
    }
  for (const auto &q : {std::array<unsigned int, 4>{{0, 4, 6, 2}},
                        {{1, 3, 7, 5}},
                        {{0, 1, 5, 4}},
                        {{2, 6, 7, 3}},
                        {{0, 2, 3, 1}},
                        {{4, 5, 7, 6}}})
    {
      shape.surface.facets.push_back({{q[0], q[1], q[2]}});
      shape.surface.facets.push_back({{q[0], q[2], q[3]}});
    }
  shape.mass.mass = edges[0] * edges[1] * edges[2];
  for (unsigned int d = 0; d < 3; ++d)
    shape.mass.inertia[d][d] =
      shape.mass.mass / 12. * (edges.norm_square() - edges[d] * edges[d]);
  return shape;
}



/** A rectangle of unit density. */
inline RigidShape<2>
rigid_box(const dealii::Tensor<1, 2> &edges)
{
  RigidShape<2> shape;
  for (const auto &c : {std::array<double, 2>{{-0.5, -0.5}},
                        {{0.5, -0.5}},
                        {{0.5, 0.5}},
                        {{-0.5, 0.5}}})
    shape.surface.vertices.emplace_back(c[0] * edges[0], c[1] * edges[1]);
  for (unsigned int i = 0; i < 4; ++i)
    shape.surface.facets.push_back({{i, (i + 1) % 4}});
  shape.mass.mass          = edges[0] * edges[1];
  shape.mass.inertia[2][2] = shape.mass.mass / 12. * edges.norm_square();
  return shape;
}



/** Bodies that only contact pushes. */
template <int dim>
class RigidScene
{
public:
  using Vector = dealii::Tensor<1, 3>;

  unsigned int
  add(const RigidShape<dim> &shape,
      const dealii::Point<dim> &centre,
      const Vector &velocity         = Vector(),
      const Vector &angular_velocity = Vector(),
      const Vector &turn             = Vector())
  {
    surfaces.push_back(shape.surface);
    surfaces.back().body = surfaces.size() - 1;
    Ricochet::RigidMotion motion(shape.mass,
                                 dealii::Point<3>(Ricochet::in_space(
                                   dealii::Tensor<1, dim>(centre))));
    motion.displace(Vector(), turn);
    motion.velocity = velocity;
    motion.set_angular_velocity(angular_velocity);
    motions.push_back(motion);
    return surfaces.back().body;
  }

  /** Take over all that was added. */
  void
  start(const std::vector<std::pair<std::string, std::string>> &entries)
  {
    std::vector<std::string> names;
    for (unsigned int k = 0; k < motions.size(); ++k)
      names.push_back("body " + std::to_string(k));
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      names.push_back("obstacle " + std::to_string(k));
    parse(contact, entries, names);
    Ricochet::ContactModel<dim> model;
    model.communicator  = MPI_COMM_WORLD;
    model.obstacles     = obstacles;
    model.rigid_bodies  = surfaces;
    model.rigid_motions = motions;
    contact.reinit(model);
  }

  /** One step of explicit Newmark, shorter if it must be. */
  void
  step(const double wanted_dt)
  {
    double dt = wanted_dt;
    for (unsigned int n_cuts = 0;; ++n_cuts)
      {
        auto end = motions;
        for (Ricochet::RigidMotion &motion : end)
          motion.push(0.5 * dt * motion.mass.mass * gravity, Vector());
        contact.correct(
          {time, dt},
          {{},
           {},
           {},
           {},
           &end,
           std::vector<Ricochet::RigidAcceleration>(motions.size(),
                                                    {gravity, Vector()})});
        if (!contact.must_repeat())
          {
            for (Ricochet::RigidMotion &motion : end)
              motion.push(0.5 * dt * motion.mass.mass * gravity, Vector());
            motions = end;
            time += dt;
            return;
          }
        this->n_cuts += 1;
        dt *= 0.5;
        AssertThrow(n_cuts < 20,
                    dealii::ExcMessage(contact.reason_to_repeat()));
      }
  }

  double
  kinetic_energy() const
  {
    double sum = 0.;
    for (const auto &motion : motions)
      sum += motion.kinetic_energy();
    return sum;
  }

  Vector
  momentum() const
  {
    Vector sum;
    for (const auto &motion : motions)
      sum += motion.momentum();
    return sum;
  }

  Vector
  angular_momentum() const
  {
    Vector sum;
    for (const auto &motion : motions)
      sum +=
        dealii::cross_product_3d(Vector(motion.centre), motion.momentum()) +
        motion.spin();
    return sum;
  }

  std::vector<Ricochet::RigidSurface<dim>> surfaces;
  std::vector<Ricochet::RigidMotion> motions;
  std::vector<Ricochet::PlacedObstacle<dim>> obstacles;
  Ricochet::Contact<dim> contact;
  Vector gravity;
  double time         = 0.;
  unsigned int n_cuts = 0;
};

#endif
