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

    /** Of the rigid bodies, on every rank the same: their motions, and what
     * deformable cells do to the nodes of rigid regions, see
     * Solids::sum_forces_on_regions(); none if empty. */
    std::vector<RigidMotion> rigid_motions;
    std::vector<RigidForce> forces_on_regions;

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



  /** Lengths of steps from the least to the most; empty by default. */
  struct StepRange
  {
    double least = 1., most = 0.;
    /** Whether a step is one of them. */
    bool
    contains(const double step) const
    {
      return least <= step && step <= most;
    }
  };



  /**
   * All bodies of a run. Those that deform are in forests, one for hypercube
   * cells and one for simplices (each only if used), with masses, forces and
   * supports; rigid ones are known to every rank as a whole, and have the
   * numbers behind those of the others.
   *
   * The nodes of a rigid region of a body that deforms otherwise (RigidBody)
   * are *tied*: they follow its motion, as hanging nodes follow their masters.
   * What the deformable cells at them have of lumped mass belongs to the rigid
   * body from the start, since it never moves relative to that, and what they
   * have of forces pushes and turns it.
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

    /** Take over the bodies and build everything; the rigid regions of bodies
     * get the last numbers, in the order of the bodies. Collective. */
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

    /** The number of the rigid body that is a region of body @p b. */
    unsigned int
    rigid_region(const unsigned int b, const unsigned int region) const;

    /** The number of the body that a cell of a forest belongs to: that of its
     * rigid region, if it has one. */
    unsigned int
    body_of_cell(
      const unsigned int p,
      const typename dealii::Triangulation<dim>::cell_iterator &cell) const;

    /** A node that follows a rigid body. */
    struct TiedNode
    {
      unsigned int node; // local, owned or ghost
      unsigned int rigid_body;
      dealii::Point<dim> X; // about the centre of mass, in axes of the body
    };

    /** Those of a forest on this rank, by ascending node. */
    const std::vector<TiedNode> &
    tied_nodes(const unsigned int p) const
    {
      return parts[p].tied_nodes;
    }

    /** The one with this first degree of freedom, or nullptr. */
    const TiedNode *
    find_tied_node(const unsigned int p,
                   const dealii::types::global_dof_index dof) const;

    /** Whether any node is tied on any rank. */
    bool
    has_rigid_regions() const
    {
      return any_region;
    }

    /** Lumped mass per degree of freedom; hanging and tied nodes have none. */
    const VectorType &
    mass(const unsigned int p) const
    {
      return parts[p].mass;
    }

    /** Inverse lumped mass; zero for hanging and tied nodes and where the
     * motion is prescribed. */
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

    /** Put tied nodes to where their rigid bodies have them, with their
     * velocities; ghosts of positions as well. Collective if there are any. */
    void
    move_tied_nodes(State &state) const;

    /** Sum up the internal forces on tied nodes at the positions of a state:
     * State::forces_on_regions, to the last bit the same on any number of
     * ranks. Collective if there are any. */
    void
    sum_forces_on_regions(State &state) const;

    /** Accelerations of rigid bodies by all forces on them but contact. */
    std::vector<RigidAcceleration>
    rigid_accelerations(const State &state) const;

    /** The force on a rigid body at the time of @p state, and its moment. */
    RigidForce
    rigid_force(const unsigned int k, const State &state) const;

    /** Let these act on rigid bodies for a time @p dt. */
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

    /** stable_time_step(), or, if that is in the range, any number in it; at
     * much less cost while cells deform little. Collective. */
    double
    stable_time_step(const State &state, const StepRange &range) const;

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
      std::vector<TiedNode> tied_nodes;
    };

    void
    make_part(const std::vector<typename Forest<dim>::Tree> &meshes);

    /** Refuse bodies that elements of degree 2 cannot describe. */
    void
    check_degree() const;

    /** Refuse formulations that the elements of a body do not have. */
    void
    check_formulations() const;

    /** Make the rigid regions of all bodies rigid bodies. Throws a UserError
     * for what does not go with them. */
    void
    take_regions();

    /** Tie nodes to rigid regions, which get their masses. Collective. */
    void
    tie_nodes(Part &part);

    /** Prescribed degrees of freedom; sets their inverse mass to zero. Throws a
     * UserError on all ranks if one of them is tied. */
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

    /** The part of the stable step of cells that there is with the mass of the
     * bodies. */
    double
    mass_factor_of_steps(const unsigned int p) const;

    /** Centres of mass of the bodies that deform, with their rigid regions, in
     * the reference configuration. */
    std::vector<dealii::Point<dim>>
    centres_of_mass() const;

    const MPI_Comm communicator;
    const MassKind mass_kind;
    const unsigned int degree;
    std::vector<Body<dim>> bodies;
    std::vector<RigidBody<dim>> rigid;
    std::vector<unsigned int> first_regions; // rigid bodies, by body
    std::vector<Part> parts;
    bool any_supports   = false;
    bool any_body_force = false;
    bool any_region     = false;

    /** Of the step that is evaluated. */
    mutable std::vector<std::vector<double>> new_histories;
  };
} // namespace Ricochet

#endif
