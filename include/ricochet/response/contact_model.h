// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_model_h
#define ricochet_response_contact_model_h

#include <ricochet/obstacle/placed_obstacle.h>
#include <ricochet/response/contact_rigid_bodies.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/base/mpi.h>

#include <functional>
#include <vector>

namespace Ricochet
{
  /** What a Contact works on: who can touch, and what resists. */
  template <int dim>
  struct ContactModel
  {
    /** One entry per degree of freedom. */
    using VectorType = typename SurfaceExchange<dim>::VectorType;

    /** One vector per source. */
    using ConstVectors = typename SurfaceExchange<dim>::ConstVectors;

    /** The DoFHandlers; they must outlive the contact. */
    std::vector<SurfaceSource<dim>> sources;

    /**
     * Inverse lumped mass per degree of freedom, one vector per source; zero
     * where the motion is prescribed. Only locally owned entries are read, and
     * only once.
     */
    ConstVectors inverse_masses;

    /**
     * Ranks that the sources are distributed over; or MPI_COMM_SELF for a
     * program on one rank.
     */
    MPI_Comm communicator = MPI_COMM_SELF;

    /** What bodies can hit beside each other. Each obstacle counts as a body,
     * with numbers after those of all bodies. */
    std::vector<PlacedObstacle<dim>> obstacles = {};

    /** Rigid bodies, with numbers after those of the sources' bodies, and where
     * they are. */
    std::vector<RigidSurface<dim>> rigid_bodies = {};
    std::vector<RigidMotion> rigid_motions      = {};

    /**
     * For a consistent mass: multiplies a vector of one source by the inverse
     * of the mass of that source, in place; entries with prescribed motion
     * become zero. Collective. Empty for a lumped mass.
     */
    std::function<void(const unsigned int source, VectorType &vector)>
      apply_inverse_mass = {};

    /** Where the bodies are, if not where their meshes were made: positions of
     * all degrees of freedom, one vector per source. */
    ConstVectors positions = {};

    /** When they are there, which is where moving obstacles are as well. */
    double time = 0.;

    /** Whether it is all right that nothing can ever touch, as with one body;
     * else Contact::reinit() throws a UserError. */
    bool may_be_idle = false;
  };



  /** The time that a step takes: from start to start + dt. */
  struct ContactStep
  {
    double start = 0., dt = 0.;
  };
} // namespace Ricochet

#endif
