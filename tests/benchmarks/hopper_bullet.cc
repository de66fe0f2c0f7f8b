// SPDX-License-Identifier: LGPL-2.1-or-later

// The grains of prm/rigid/hopper.prm with the Bullet library, for hopper.py:
//
//   benchmark_hopper_bullet STEP END GRAINS...
//
// with three files, each with a line x y z for each grain: balls, cubes and
// cylinders. All is in units of 1 dm: Bullet's margins and thresholds are made
// for sizes near 1. Prints a line for each tenth of the time: the time,
// nanoseconds of the processor per grain and step in that part, and up to then
// the deepest penetration in m, the largest gain of kinetic and potential
// energy in a step, and the change of momentum in a step that the forces of
// gravity and contact do not explain, both relative to the whole work of
// gravity and the impulse of the weight in a step.

#include <algorithm>
#include <array>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
  /** Units of length in a metre. */
  constexpr double scale = 10.;

  constexpr double gravity = 9.81 * scale, restitution = 0.2, friction = 0.3,
                   density = 2500. / (scale * scale * scale);

  btScalar
  length(const double metres)
  {
    return scale * metres;
  }

  btVector3
  point(const double x, const double y, const double z)
  {
    return {length(x), length(y), length(z)};
  }



  class Hopper
  {
  public:
    Hopper()
      : dispatcher(&configuration)
      , world(&dispatcher, &broadphase, &solver, &configuration)
    {
      world.setGravity(btVector3(0, 0, -gravity));
      add_plane({0, 1, 0}, -0.06);
      add_plane({0, -1, 0}, -0.06);
      add_plane({0, 0, 1}, -0.05);
      add_plane({1, 0, 0}, -0.12);
      add_plane({-1, 0, 0}, -0.12);
      for (const int side : {-1, 1})
        {
          add(std::make_unique<btBoxShape>(point(0.005, 0.07, 0.125)),
              0.,
              point(side * 0.065, 0, 0.175),
              btQuaternion::getIdentity());
          auto slope = std::make_unique<btConvexHullShape>();
          for (const double y : {-0.07, 0.07})
            {
              slope->addPoint(point(side * 0.08, y, 0.08));
              slope->addPoint(point(side * 0.035, y, 0.035));
              slope->addPoint(point(side * 0.07, y, 0.09));
              slope->addPoint(point(side * 0.025, y, 0.045));
            }
          add(std::move(slope),
              0.,
              btVector3(0, 0, 0),
              btQuaternion::getIdentity());
        }
    }

    ~Hopper()
    {
      for (const auto &body : bodies)
        world.removeRigidBody(body.get());
    }

    /** @param[in] kind 0 for balls, 1 for cubes, 2 for cylinders. */
    void
    add_grains(const std::string &file, const unsigned int kind)
    {
      std::ifstream in(file);
      std::normal_distribution<double> normal;
      double x, y, z;
      while (in >> x >> y >> z)
        {
          btQuaternion turn(normal(random),
                            normal(random),
                            normal(random),
                            normal(random));
          turn.normalize();
          std::unique_ptr<btCollisionShape> shape;
          double volume = 0.;
          if (kind == 0)
            {
              shape  = std::make_unique<btSphereShape>(length(0.006));
              volume = 4. / 3. * M_PI * std::pow(length(0.006), 3);
            }
          else if (kind == 1)
            {
              shape  = std::make_unique<btBoxShape>(point(0.005, 0.005, 0.005));
              volume = std::pow(length(0.01), 3);
            }
          else
            {
              shape =
                std::make_unique<btCylinderShapeZ>(point(0.005, 0.005, 0.006));
              volume = M_PI * std::pow(length(0.005), 2) * length(0.012);
            }
          add(std::move(shape), density * volume, point(x, y, z), turn);
          ++n_grains;
        }
      if (n_grains == 0)
        throw std::runtime_error("No grains in " + file);
    }

    void
    run(const double step, const double end)
    {
      const int n_steps = std::lround(end / step);
      double weight     = 0.;
      for (const auto &body : bodies)
        weight += body->getMass() * gravity;
      // Down to the floor.
      const double work = weight * length(0.2);
      double deepest = 0., gain = 0., unexplained = 0.;
      double energy                = energy_now();
      std::array<double, 3> before = momentum_now();
      std::clock_t start           = std::clock();
      std::clock_t looking         = 0;
      for (int n = 1; n <= n_steps; ++n)
        {
          world.stepSimulation(step, 0);
          const std::clock_t look = std::clock();
          const double after      = energy_now();
          gain                    = std::max(gain, (after - energy) / work);
          energy                  = after;
          std::array<double, 3> impulse{{0., 0., -weight * step}};
          look_at_contacts(deepest, impulse);
          const auto momentum = momentum_now();
          double square       = 0.;
          for (unsigned int d = 0; d < 3; ++d)
            square += std::pow(momentum[d] - before[d] - impulse[d], 2);
          unexplained =
            std::max(unexplained, std::sqrt(square) / (weight * step));
          before = momentum;
          looking += std::clock() - look;
          if (n * 10 / n_steps > (n - 1) * 10 / n_steps)
            {
              const double seconds =
                double(std::clock() - start - looking) / CLOCKS_PER_SEC;
              std::printf("%g %.0f %.3g %.3g %.3g\n",
                          n * step,
                          1e9 * seconds / (n_steps / 10.) / n_grains,
                          deepest / scale,
                          gain,
                          unexplained);
              start   = std::clock();
              looking = 0;
            }
        }
    }

  private:
    void
    add_plane(const btVector3 &normal, const double distance)
    {
      add(std::make_unique<btStaticPlaneShape>(normal, length(distance)),
          0.,
          btVector3(0, 0, 0),
          btQuaternion::getIdentity());
    }

    void
    add(std::unique_ptr<btCollisionShape> shape,
        const double mass,
        const btVector3 &place,
        const btQuaternion &turn)
    {
      btVector3 inertia(0, 0, 0);
      // Of a ball it is the radius.
      if (shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE)
        shape->setMargin(length(0.0002));
      if (mass > 0.)
        shape->calculateLocalInertia(mass, inertia);
      motions.push_back(
        std::make_unique<btDefaultMotionState>(btTransform(turn, place)));
      btRigidBody::btRigidBodyConstructionInfo info(mass,
                                                    motions.back().get(),
                                                    shape.get(),
                                                    inertia);
      // Those of both sides are multiplied.
      info.m_restitution = std::sqrt(restitution);
      info.m_friction    = std::sqrt(friction);
      bodies.push_back(std::make_unique<btRigidBody>(info));
      bodies.back()->setActivationState(DISABLE_DEACTIVATION);
      world.addRigidBody(bodies.back().get());
      shapes.push_back(std::move(shape));
    }

    double
    energy_now() const
    {
      double sum = 0.;
      for (const auto &body : bodies)
        if (body->getMass() > 0.)
          {
            const btVector3 omega =
              body->getAngularVelocity() *
              body->getWorldTransform().getBasis(); // in its axes
            const btVector3 inverse = body->getInvInertiaDiagLocal();
            sum += body->getMass() *
                   (0.5 * double(body->getLinearVelocity().length2()) +
                    gravity * body->getWorldTransform().getOrigin().z());
            for (unsigned int d = 0; d < 3; ++d)
              sum += 0.5 * double(omega[d]) * omega[d] / inverse[d];
          }
      return sum;
    }

    std::array<double, 3>
    momentum_now() const
    {
      std::array<double, 3> sum{{0., 0., 0.}};
      for (const auto &body : bodies)
        for (unsigned int d = 0; d < 3; ++d)
          sum[d] += body->getMass() * double(body->getLinearVelocity()[d]);
      return sum;
    }

    /** How deep, and what impulses obstacles gave. */
    void
    look_at_contacts(double &deepest, std::array<double, 3> &impulse)
    {
      for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
        {
          const btPersistentManifold *manifold =
            dispatcher.getManifoldByIndexInternal(i);
          const double sign = manifold->getBody0()->isStaticObject()   ? -1.
                              : manifold->getBody1()->isStaticObject() ? 1.
                                                                       : 0.;
          for (int k = 0; k < manifold->getNumContacts(); ++k)
            {
              const btManifoldPoint &contact = manifold->getContactPoint(k);
              deepest = std::max(deepest, -double(contact.getDistance()));
              const btVector3 j =
                contact.getAppliedImpulse() * contact.m_normalWorldOnB +
                contact.m_appliedImpulseLateral1 *
                  contact.m_lateralFrictionDir1 +
                contact.m_appliedImpulseLateral2 *
                  contact.m_lateralFrictionDir2;
              for (unsigned int d = 0; d < 3; ++d)
                impulse[d] += sign * j[d];
            }
        }
    }

    std::mt19937 random;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    unsigned int n_grains = 0;
  };
} // namespace



int
main(int argc, char **argv)
{
  try
    {
      if (argc != 6)
        throw std::runtime_error("Usage: STEP END BALLS CUBES CYLINDERS");
      Hopper hopper;
      for (unsigned int kind = 0; kind < 3; ++kind)
        hopper.add_grains(argv[3 + kind], kind);
      hopper.run(std::stod(argv[1]), std::stod(argv[2]));
      return 0;
    }
  catch (const std::exception &exception)
    {
      std::fprintf(stderr, "%s\n", exception.what());
      return 1;
    }
}
