// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_solids_h
#define ricochet_body_solids_h

#include <ricochet/body/body.h>
#include <ricochet/body/forest.h>
#include <ricochet/body/rigid_body.h>
#include <ricochet/element/internal_forces.h>
#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** One distributed vector per forest. */
  using ForestVectors =
    std::vector<dealii::LinearAlgebra::distributed::Vector<double>>;



  /** Time, and how it goes on. */
  struct Clock
  {
    double time            = 0.;
    unsigned long int step = 0;

    /** What the sum of all steps in `time` is too large by. */
    double time_excess = 0.;

    /** Add a step, without the round-off of a long sum (Kahan, 1965). */
    void
    advance(const double dt)
    {
      const double added = dt - time_excess;
      const double sum   = time + added;
      time_excess        = (sum - time) - added;
      time               = sum;
      ++step;
    }
  };



  /** The motion at one time: everything that a restart needs. */
  struct State : public Clock
  {
    /** Positions (ghosts up to date), velocities, accelerations. */
    ForestVectors positions, velocities, accelerations;

    /** Internal and external forces at the positions. */
    ForestVectors internal_forces, external_forces;

    /** What laws with a memory know, for each forest, see InternalForces. */
    std::vector<std::vector<double>> histories;

    /** Of the rigid bodies, on every rank the same. */
    std::vector<RigidMotion> rigid_motions;

    /** Energies of each body, this rank's share; only when asked for. */
    BodyEnergies energies;
  };



  /** Which mass matrix moves the bodies. */
  enum class MassKind
  {
    lumped,
    consistent
  };



  template <int dim>
  class ConsistentMass;



  /**
   * All bodies of a run. Those that deform are in forests, one for hypercube
   * cells and one for simplices (each only if used), with masses, forces and
   * supports; rigid ones are known to every rank as a whole, and have the
   * numbers behind those of the others.
   */
  template <int dim>
  class Solids
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** @p degree is that of the elements, 1 or 2. */
    Solids(const MPI_Comm communicator,
           const MassKind mass_kind,
           const unsigned int degree = 1);
    ~Solids();

    /** Take over the bodies and build everything. Collective. */
    void
    reinit(std::vector<Body<dim>> &&bodies,
           std::vector<RigidBody<dim>> &&rigid_bodies = {});

    /** Positions, velocities and accelerations at time zero. */
    State
    initial_state() const;

    /** A state with vectors of the right layout and all values zero. */
    State
    empty_state() const;

    /** Number of all bodies. */
    unsigned int
    n_bodies() const
    {
      return bodies.size() + rigid.size();
    }

    /** Number of those that deform, which come first. */
    unsigned int
    n_deformable_bodies() const
    {
      return bodies.size();
    }

    /** The others. */
    const std::vector<RigidBody<dim>> &
    rigid_bodies() const
    {
      return rigid;
    }

    /** A body that deforms by its number. */
    const Body<dim> &
    body(const unsigned int b) const
    {
      return bodies[b];
    }

    /** The names of all bodies, by number. */
    std::vector<std::string>
    body_names() const;

    /** Number of forests: one for each type of cells. */
    unsigned int
    n_forests() const
    {
      return parts.size();
    }

    /** A forest by its number. */
    const Forest<dim> &
    forest(const unsigned int p) const
    {
      return *parts[p].forest;
    }

    /** Lumped mass per degree of freedom; hanging nodes have none. */
    const VectorType &
    mass(const unsigned int p) const
    {
      return parts[p].mass;
    }

    /** Inverse lumped mass; zero for hanging nodes and where the motion is
     * prescribed. */
    const VectorType &
    inverse_mass(const unsigned int p) const
    {
      return parts[p].inverse_mass;
    }

    /** Give hanging nodes the weighted sums of their masters. Collective. */
    void
    distribute_to_hanging_nodes(ForestVectors &vectors) const;

    /** The momenta M v of all degrees of freedom. */
    void
    momenta(const ForestVectors &velocities, ForestVectors &result) const;

    /**
     * Call @p visit(row, column, value) for the entries of the mass matrix, the
     * rows of owned degrees of freedom by local number, columns by the global
     * one in the forest. Hanging nodes have none.
     */
    void
    for_each_mass_entry(
      const unsigned int p,
      const std::function<void(const unsigned int row,
                               const dealii::types::global_dof_index column,
                               const double value)> &visit) const;

    /** Whether accelerations come from the consistent mass. */
    bool
    has_consistent_mass() const
    {
      return mass_kind == MassKind::consistent;
    }

    /** Multiply by the inverse of the consistent mass, see Contact. */
    void
    apply_inverse_consistent_mass(const unsigned int p,
                                  VectorType &vector) const;

    /**
     * Internal forces, external forces, energies and histories at the positions
     * and the time of @p state, which is the end of a step of length @p dt from
     * the state that the histories belong to. Collective. Throws a RunError on
     * all ranks where a cell is inverted, or has collapsed since it was at
     * @p positions_begin (see InternalForces::advance()), or forces are not
     * finite; histories are those of the start of the step then.
     */
    void
    evaluate_forces(State &state,
                    const bool with_energies,
                    const double dt                      = 0.,
                    const ForestVectors *positions_begin = nullptr) const;

    /** Body forces at a time, which do not depend on the motion; does nothing
     * if there are none. Collective. */
    void
    evaluate_external_forces(const double time, ForestVectors &forces) const;

    /** The forces of the cells of a forest. */
    const InternalForces<dim> &
    internal_forces(const unsigned int p) const
    {
      return *parts[p].forces;
    }

    /** Implicit steps of all rigid bodies from the time of @p state, with the
     * mean of the forces at both ends, solved without contact. Throws a
     * RunError where one turns too far. */
    std::vector<RigidStep>
    rigid_steps(const State &state, const double dt) const;

    /** The names of all variables of histories that output shows, each once;
     * see MaterialHistory. */
    std::vector<std::string>
    output_variables() const;

    /**
     * The largest value at any point of one of them, nan if no law has it.
     * Collective.
     */
    double
    largest(const State &state, const std::string &name) const;

    /**
     * a = M^-1 (f_ext - f_int), zero where the motion is prescribed. With a
     * consistent mass, supports pull at their neighbors when their velocity
     * changes; @p dt is the length of a step, over which it is differentiated.
     */
    void
    compute_accelerations(State &state, const double dt) const;

    /**
     * Set positions at time + dt and mid-step velocities where they are
     * prescribed; @p positions_begin are those at the start of the step.
     */
    void
    prescribe_positions(const double time,
                        const double dt,
                        const ForestVectors &positions_begin,
                        ForestVectors &positions,
                        ForestVectors &velocities) const;

    /** Set positions where displacements are prescribed to those at @p time. */
    void
    prescribe_displacements(const double time, ForestVectors &positions) const;

    /**
     * Set velocities at @p time where they are prescribed; @p dt is the length
     * of a step, over which displacements are differentiated.
     */
    void
    prescribe_velocities(const double time,
                         const double dt,
                         ForestVectors &velocities) const;

    /** Accelerations of the centres of rigid bodies by body forces at a time.
     */
    std::vector<dealii::Tensor<1, 3>>
    rigid_accelerations(const double time) const;

    /** Let body forces at the time of @p state act on rigid bodies for a time
     * @p dt. */
    void
    push_rigid_bodies(const double dt, State &state) const;

    /** Set what is given of the motions of rigid bodies at a time. */
    void
    prescribe_rigid_bodies(const double time,
                           std::vector<RigidMotion> &motions) const;

    /**
     * A degree of freedom whose motion is prescribed. Hanging nodes are none:
     * they follow their masters, which are on the same boundary.
     */
    struct Support
    {
      unsigned int dof; // local, owned
      unsigned int component;
      unsigned int motion; // of the body
      unsigned int body;
    };

    /** This rank's prescribed degrees of freedom of a forest. */
    const std::vector<Support> &
    supports(const unsigned int p) const
    {
      return parts[p].supports;
    }

    /** Whether any motion is prescribed on any rank. */
    bool
    has_supports() const
    {
      return any_supports;
    }

    /** Whether any body has a body force. */
    bool
    has_body_forces() const
    {
      return any_body_force;
    }

    /**
     * Smallest 2/omega_max of all cells on all ranks. Collective.
     *
     * Also a bound with hanging nodes, although the cells know nothing of
     * masters: with the motion C u of all nodes and the lumped masses m_n of
     * the cells' own nodes, Jensen's inequality for the positive weights with
     * unit sum gives (C u).m (C u) <= u.(C^T m) u, that is, the kinetic energy
     * of the masters with their share of mass is at least that of all nodes.
     */
    double
    stable_time_step(const State &state) const;

    /** Throw a RunError on all ranks: body and place of a cell that
     * stable_time_step() is due to, then @p message. Collective. */
    [[noreturn]] void
    throw_at_stiffest_cell(const State &state,
                           const std::string &message) const;

    /** Cells, nodes and memory for the summary (sums over ranks). Collective.
     */
    struct Sizes
    {
      unsigned long int cells = 0, nodes = 0;
      double bytes_per_cell = 0.;
    };

    /** See Sizes. Collective. */
    Sizes
    sizes() const;

    /** All ranks that share the bodies. */
    MPI_Comm
    get_communicator() const
    {
      return communicator;
    }

  private:
    /** What belongs to one forest. */
    struct Part
    {
      std::unique_ptr<Forest<dim>> forest;
      std::unique_ptr<InternalForces<dim>> forces;
      std::unique_ptr<ConsistentMass<dim>> consistent_mass;
      VectorType mass, inverse_mass;
      std::vector<Support> supports;
    };

    void
    make_part(const std::vector<typename Forest<dim>::Tree> &meshes);

    /** Refuse bodies that elements of degree 2 cannot describe. */
    void
    check_degree() const;

    /** Refuse formulations that the elements of a body do not have. */
    void
    check_formulations() const;

    /** Prescribed degrees of freedom; sets their inverse mass to zero. */
    void
    find_supports(Part &part);

    void
    make_consistent_mass(Part &part) const;

    /** Call @p set(part, support, motion, reference position) for all
     * supports. */
    template <typename Function>
    void
    for_each_support(const Function &set) const;

    /** Subtract from @p forces what accelerates the supports. */
    void
    subtract_inertia_of_supports(const double time,
                                 const double dt,
                                 ForestVectors &forces) const;

    /** Body forces of lumped masses, or else accelerations. */
    void
    set_body_forces(const unsigned int p,
                    const double time,
                    VectorType &forces) const;

    /** On this rank. */
    double
    stable_time_step_of_part(const State &state, const unsigned int p) const;

    /** Centres of mass of all bodies in the reference configuration. */
    std::vector<dealii::Point<dim>>
    centres_of_mass() const;

    const MPI_Comm communicator;
    const MassKind mass_kind;
    const unsigned int degree;
    std::vector<Body<dim>> bodies;
    std::vector<RigidBody<dim>> rigid;
    std::vector<Part> parts;
    bool any_supports   = false;
    bool any_body_force = false;

    /** Of the step that is evaluated. */
    mutable std::vector<std::vector<double>> new_histories;
  };
} // namespace Ricochet

#endif
