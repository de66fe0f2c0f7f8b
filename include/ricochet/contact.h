// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_contact_h
#define ricochet_contact_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/overlap/ignored_pairs.h>
#include <ricochet/overlap/overlaps.h>
#include <ricochet/response/contact_correction.h>
#include <ricochet/response/contact_forces.h>
#include <ricochet/response/contact_model.h>
#include <ricochet/response/contact_obstacles.h>
#include <ricochet/response/contact_rigid_bodies.h>
#include <ricochet/response/overlap_policies.h>
#include <ricochet/response/settling.h>
#include <ricochet/search/search.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/** All of Ricochet; the main page says where to start. */
namespace Ricochet
{
  class StepMatrix;



  /**
   * The door of the contact plugin: surface, search and response behind one
   * call per time step.
   *
   * A program with its own finite element model describes its DoFHandlers,
   * hands over the inverse of its mass, and calls correct() once in each
   * explicit step between predictor and corrector:
   * @code
   *   Contact<3> contact;
   *   contact.parse_parameters(prm);
   *   contact.reinit({{source}, {&inverse_mass}, MPI_COMM_WORLD});
   *   for (double time = 0.; time < end; time += dt)
   *     {
   *       v.add(dt / 2, a);
   *       x_old = x;
   *       x.add(dt, v);
   *       contact.correct({time, dt}, {x_old, x, v, a});
   *       if (contact.must_repeat())
   *         ... go back to x_old, and on with a shorter step
   *       ... forces at x, a = M^-1 f, v.add(dt / 2, a)
   *     }
   * @endcode
   * An implicit integrator asks a response of the other kind for forces in its
   * iterations instead: begin_forces(), evaluate_forces(), accept_forces().
   *
   * Vectors hold positions (not displacements), velocities and inverse masses
   * per degree of freedom. Every rank knows the whole surface; the same
   * collisions are resolved in the same order everywhere, so the result does
   * not depend on the number of ranks or threads, to the last bit, as long as
   * the positions that come in do not.
   */
  template <int dim>
  class Contact
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = typename SurfaceExchange<dim>::VectorType;

    /** One entry per source, e.g. the positions of all DoFHandlers. */
    using ConstVectors = typename SurfaceExchange<dim>::ConstVectors;

    /** The same, to be changed. */
    using Vectors = typename SurfaceExchange<dim>::Vectors;

    /** What an explicit integrator has between predictor and corrector; one
     * vector of each kind per source. */
    struct Prediction
    {
      /** For many DoFHandlers. */
      Prediction(const ConstVectors &positions_begin,
                 const Vectors &positions_end,
                 const Vectors &velocities,
                 const ConstVectors &accelerations,
                 std::vector<RigidMotion> *rigid_motions = nullptr,
                 const std::vector<RigidAcceleration> &rigid_accelerations = {})
        : positions_begin(positions_begin)
        , positions_end(positions_end)
        , velocities(velocities)
        , accelerations(accelerations)
        , rigid_motions(rigid_motions)
        , rigid_accelerations(rigid_accelerations)
      {}

      /** For one. */
      Prediction(const VectorType &positions_begin,
                 VectorType &positions_end,
                 VectorType &velocities,
                 const VectorType &accelerations)
        : positions_begin{&positions_begin}
        , positions_end{&positions_end}
        , velocities{&velocities}
        , accelerations{&accelerations}
      {}

      /** Positions at the start of the step, free of intersections. */
      ConstVectors positions_begin;

      /** The predictor; owned entries are corrected. */
      Vectors positions_end;

      /** The mid-step velocities; owned entries are corrected. */
      Vectors velocities;

      /** Those at the start of the step by all forces but contact, of which the
       * velocities have half a step. Zero where the motion is prescribed. */
      ConstVectors accelerations;

      /** If there are rigid bodies, their motions at the start of the step with
       * the velocities that they have in it; at the end of the step after
       * correct(), without the forces there. */
      std::vector<RigidMotion> *rigid_motions = nullptr;

      /** Their accelerations, as above; none if empty. */
      std::vector<RigidAcceleration> rigid_accelerations = {};
    };

    /** Positions and velocities at one end of an implicit step, or of an
     * iterate. */
    struct Motion
    {
      ConstVectors positions, velocities;

      /** If there are rigid bodies: their steps, solved with the means of
       * their velocities. */
      const std::vector<RigidStep> *rigid_steps = nullptr;
    };

    Contact();
    ~Contact();

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Read the section that the caller has entered.
     *
     * @param[in] body_names Names for the entries about pairs: those of all
     *   bodies in the order of their numbers, then those of all obstacles.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::vector<std::string> &body_names = {});

    /** The obstacles, and what they took in the last step. */
    const ContactObstacles<dim> &
    get_obstacles() const
    {
      return obstacles;
    }

    /**
     * Extract the surface and take over the masses: before the first step, and
     * again when the mesh has changed. Collective. Throws a UserError if model
     * and response do not go together: one that corrects and changes velocities
     * once more at the end of a step is for lumped masses without obstacles;
     * also if nothing can ever touch, as when all is one body, unless
     * ContactModel::may_be_idle.
     */
    void
    reinit(const ContactModel<dim> &model);

    /**
     * All places at which bodies that may touch overlap in the present
     * positions: those of the mesh after reinit(), else those at the end of
     * the last step. Contact keeps apart what is apart, so what overlaps at the
     * start needs one of the next two functions. The same on every rank.
     */
    std::vector<Overlap<dim>>
    find_overlaps() const;

    /** Pairs of a body and an obstacle whose back it is at, at the positions of
     * find_overlaps(), see bodies_behind(). */
    std::vector<BodyPair>
    find_wrong_sides() const;

    /** The rigid bodies, and what they took in the last step. */
    const ContactRigidBodies<dim> &
    get_rigid_bodies() const
    {
      return rigid_bodies;
    }

    /** What the parameters want done about them. */
    const OverlapPolicies &
    overlap_policies() const
    {
      return policies;
    }

    /**
     * Leave these pairs of bodies alone until they do not overlap any more.
     * Replaces the pairs of the last call.
     */
    void
    ignore_overlaps(const std::vector<BodyPair> &pairs);

    /** The pairs of ignore_overlaps() that have not come apart yet. */
    std::vector<BodyPair>
    ignored_overlaps() const;

    /**
     * Move apart what overlaps, except for the ignored pairs, before the first
     * step; no velocity changes. Collective.
     *
     * @param[in,out] positions Those of the mesh. Owned entries are corrected;
     *   ghost entries and hanging nodes are left to the caller.
     * @param[in,out] rigid_motions Of the rigid bodies, if there are any.
     * @return Whether that was possible; otherwise nothing was changed.
     */
    bool
    remove_overlaps(const Vectors &positions,
                    std::vector<RigidMotion> *rigid_motions = nullptr);

    /**
     * Find and resolve the contacts of one explicit step. Collective. Ghost
     * entries and hanging nodes of what is corrected are left to the caller.
     *
     * @return What was done. If must_repeat(), nothing was: repeat the step
     *   with a shorter one.
     */
    const ContactRecord &
    correct(const ContactStep &step, const Prediction &prediction);

    /** Whether the response gives forces, for implicit integrators, instead of
     * corrections. */
    bool
    gives_forces() const
    {
      return forces != nullptr;
    }

    /** Start an implicit step, or start it anew. Collective. */
    void
    begin_forces(const ContactStep &step, const Motion &start);

    /** Start a part of the way to an equilibrium, or start it anew, instead of
     * a step: forces are what contact has at rest in the iterate, without
     * friction, and obstacles stay where they are. Collective.
     *
     * @param[in] step Its length gives penalties that follow from masses. */
    void
    begin_equilibrium(const ContactStep &step, const Motion &start);

    /**
     * The forces of contact in an iterate. Collective.
     *
     * @param[in] iterate At the end of the step.
     * @param[in,out] sum Forces are added to its owned entries.
     * @param[in] with_stiffness Whether their derivatives are wanted.
     * @param[in] with_friction Whether there is friction; the equations of a
     *   step are easier to solve without it at first.
     * @return All contacts, on every rank the same, see get_nodes() for where
     *   their nodes live; valid until the next call.
     */
    const std::vector<ContactElement<dim>> &
    evaluate_forces(const Motion &iterate,
                    const Vectors &sum,
                    const bool with_stiffness = false,
                    const bool with_friction  = true);

    /** What the forces of the last evaluate_forces() give to a rigid body in
     * the step. The same on every rank. */
    RigidLoad
    rigid_load(const unsigned int k) const
    {
      return rigid_bodies.load_of_forces(k, nodal_forces, state);
    }

    /**
     * The iterations have found an end of the step, that of the last
     * evaluate_forces(), which was with friction. Collective.
     *
     * @return Whether bodies overlap too far there and the forces of contact
     *   were raised, so that the iterations must go on.
     */
    bool
    augment_forces();

    /**
     * The last iterate is the end of the step. Collective.
     *
     * @param[in,out] velocities Those at the end; owned entries may be changed.
     * @param[in,out] rigid_motions If there are rigid bodies, theirs.
     */
    const ContactRecord &
    accept_forces(const Vectors &velocities,
                  std::vector<RigidMotion> *rigid_motions = nullptr);

    /** The last iterate is the end of what begin_equilibrium() has started. */
    void
    accept_equilibrium();

    /** Whether the response solves steps of rigid bodies, for models without
     * others, see ContactForces::solve_rigid_steps(). */
    bool
    solves_rigid_steps() const
    {
      return gives_forces() && forces->solves_rigid_steps();
    }

    /**
     * Find and resolve the contacts of implicit steps of all rigid bodies.
     * Collective.
     *
     * @param[in,out] steps Solved without contact; on return with it.
     * @return By how much the energy that contact stores has grown.
     */
    double
    solve_rigid_steps(const ContactStep &step, std::vector<RigidStep> &steps);

    /** Whether the response is one that changes velocities once more at the end
     * of steps. */
    bool
    restores_energy() const
    {
      return correction != nullptr && correction->updates_velocities();
    }

    /** Whether the response gives gaps that implicit steps keep open: the next
     * members, instead of forces or corrections. */
    bool
    gives_gaps() const
    {
      return correction != nullptr && correction->step_gaps() != nullptr;
    }

    /**
     * Start such a step, or start it anew. Collective.
     *
     * @param[in] by_iterates Whether the way from the start of the step to its
     *   end may go by the places that open_gaps() moves to: then each is to be
     *   reached from the last one to which nothing met, instead of from the
     *   start. What is on the way of a large motion, and not on one around it,
     *   does not keep the iteration from its end then. Without obstacles;
     *   these would have to wait.
     */
    void
    begin_gaps(const ContactStep &step,
               const Motion &start,
               const bool by_iterates = false);

    /**
     * Find forces that move what meets on its way through the step, or would
     * end too close, to the closest place, in the norm of the matrix, where
     * all gaps are open: those found since begin_gaps(), and those on the paths
     * there. Collective.
     *
     * @param[in] predictor Positions at the end of the step, to move from.
     * @return Whether nothing meets on the paths to that place.
     */
    bool
    open_gaps(const ConstVectors &predictor, StepMatrix &matrix);

    /** Add the forces of the last open_gaps() to owned entries of @p sum; these
     * are in units of the matrix times a length. Returns the largest one at a
     * gap. */
    double
    add_gap_forces(const Vectors &sum) const;

    /** The sum of what is missing of all gaps at some positions. Collective. */
    double
    missing_gaps(const ConstVectors &positions) const;

    /** Whether nothing meets on the paths of the step to these positions, so
     * that they can be accepted. Collective. */
    bool
    may_end_at(const ConstVectors &positions);

    /**
     * The positions of the last may_end_at() are the end of the step, to which
     * the forces of the last open_gaps() belong; @p share of them acts for the
     * length of the step. Collective.
     *
     * @param[in,out] velocities Those at the end without contact; its impulses
     *   are added to owned entries.
     */
    const ContactRecord &
    accept_gaps(const double share, const Vectors &velocities);

    /** Whether the response wants update_velocities() to be called after the
     * last call of correct(). */
    bool
    updates_velocities() const;

    /**
     * Let the response change the velocities once more, at the end of a step
     * that correct() has changed. Collective.
     *
     * @param[in,out] velocities Those at the end of the step; owned entries are
     *   corrected.
     * @return What was done on top of what correct() returned.
     */
    ContactRecord
    update_velocities(const Vectors &velocities);

    /** See Ricochet::unanswered_energy(), with velocities and accelerations at
     * the end of the last step. Collective. */
    std::vector<double>
    unanswered_energy(const ConstVectors &velocities,
                      const ConstVectors &accelerations) const;

    /** Forget the last call of correct(): its step is repeated, shorter, for
     * other reasons. */
    void
    discard_step();

    /**
     * Whether the last call of correct() found no way to end the step free of
     * intersections. Possible only with moving supports that squeeze bodies;
     * never with Guarantee = false.
     */
    bool
    must_repeat() const
    {
      return settings.guarantee && state.record.unsettled;
    }

    /** After must_repeat(), also of the shortest of steps: between whom and
     * where, and what can be done. */
    std::string
    reason_to_repeat() const;

    /**
     * The longest step that the response wants now; infinite for most.
     * Collective.
     *
     * @param[in] velocities As for correct().
     * @param[in] rigid_motions Of the rigid bodies.
     */
    double
    step_limit(const ConstVectors &velocities,
               const std::vector<RigidMotion> &rigid_motions = {});

    /** Names and numbers of the response, for the summary of a run. */
    std::vector<std::pair<std::string, double>>
    numbers() const;

    /** The contact surface, the same on every rank. */
    const Surface<dim> &
    get_surface() const
    {
      return surface;
    }

    /** Where the nodes of the surface live; those of obstacles, which come
     * last, are not among them. */
    const SurfaceNodes<dim> &
    get_nodes() const
    {
      return nodes;
    }

    /** Positions of the vertices of the surface after the last step, which
     * are those of the nodes unless there are hanging ones. */
    std::vector<dealii::Point<dim>>
    vertex_positions() const;

    /** Positions, impulses and status of the nodes after the last step. */
    const ContactState<dim> &
    get_state() const
    {
      return state;
    }

    /** What ContactState::debts were at the end of a step, to go on from
     * there. */
    void
    set_debts(const std::vector<double> &debts)
    {
      state.debts = debts;
    }

    /** What contact remembers from step to step besides: of a response by
     * forces ContactForces::memory(), otherwise which rigid bodies hold each
     * other. */
    std::vector<double>
    memory() const
    {
      return gives_forces() ? forces->memory()
                            : settling.resting_pairs.numbers();
    }

    /** Go on from there. */
    void
    set_memory(const std::vector<double> &memory)
    {
      if (gives_forces())
        forces->set_memory(memory);
      else
        settling.resting_pairs.set_numbers(memory);
    }

    /** What the search did so far. */
    const SearchStatistics &
    search_statistics() const
    {
      return search.statistics();
    }

    /** Something the user should know about this run, or an empty string. */
    std::string
    warning(const double courant_number) const;

    /** Wall time spent in detection so far, in seconds. */
    double
    search_time() const
    {
      return settling.search_time;
    }

    /** The same in the response. */
    double
    response_time() const
    {
      return settling.response_time;
    }

  private:
    /** Of either kind. */
    ContactResponse<dim> &
    response() const
    {
      if (gives_forces())
        return *forces;
      return *correction;
    }

    /** Positions and velocities where an implicit step starts. */
    void
    gather_start(const Motion &start);

    /** Throw a UserError if the response does not go with it. */
    void
    check_model(const ContactModel<dim> &model) const;

    /** Why nothing can ever touch; empty if something can. */
    std::string
    reason_to_be_idle() const;

    /** Lumped ones, and how nodes with a consistent mass are coupled. */
    void
    take_over_masses(const ContactModel<dim> &model);

    /** Give back what the forces of the gaps took in the step. */
    void
    restore_energy_of_gaps();

    /**
     * Whether there is a way from the start of the step to its end on which
     * nothing meets: the straight one, or of straight parts.
     */
    bool
    is_reachable();

    /** The same for the part of the step between the fractions @p begin and
     * @p end of it, with no more than 2^@p n_halvings parts. Where the middle
     * of a straight way is not free, the next one to it is taken at which the
     * gaps are open. */
    bool
    is_reachable(const std::vector<dealii::Point<dim>> &from,
                 const std::vector<dealii::Point<dim>> &to,
                 const double begin,
                 const double end,
                 const unsigned int n_halvings);

    /** A column of the consistent inverse mass, see ConsistentNodes. */
    typename ConsistentNodes<dim>::Column
    inverse_mass_column(const std::vector<unsigned int> &members,
                        const unsigned int j) const;

    /** Add the inverse mass times an impulse per node to all entries. */
    void
    add_response(const std::vector<dealii::Tensor<1, dim>> &impulses,
                 const Vectors &result) const;

    /** Look for all pairs but the ignored ones. */
    void
    leave_out_ignored();

    /** At the start of a step: look again for those that have come apart. */
    void
    update_ignored();

    void
    begin_step(const ContactStep &step);

    void
    finish_step();

    SettlingSettings settings;
    SearchSettings search_settings; // of the parameters
    SearchSettings searched;        // of these, what there is to search
    OverlapPolicies policies;
    std::unique_ptr<ContactCorrection<dim>> correction; // one of both
    std::unique_ptr<ContactForces<dim>> forces;

    MPI_Comm communicator = MPI_COMM_SELF;
    Surface<dim> surface;
    SurfaceNodes<dim> nodes;
    SurfaceExchange<dim> exchange;
    Search<dim> search;
    Settling<dim> settling;
    IgnoredPairs<dim> ignored;
    ContactRigidBodies<dim> rigid_bodies;
    ContactObstacles<dim> obstacles;
    std::vector<std::string> names; // of bodies and obstacles
    ContactState<dim> state;
    double start_time = 0.; // of the model
    std::vector<dealii::Point<dim>> vertex_buffer;
    std::vector<double> debts_begin; // of the step
    std::function<void(const unsigned int, VectorType &)> apply_inverse_mass;
    std::vector<unsigned int> body_of_node;
    double shortest_step_limit = std::numeric_limits<double>::infinity();
    std::vector<Encounter> pairs;             // of the last iterate
    double start_of_step             = 0.;    // that keeps gaps open
    bool is_reached_by_parts         = false; // its end
    unsigned int n_steps_by_parts    = 0;
    bool goes_by_iterates            = false; // see begin_gaps()
    unsigned int n_steps_by_iterates = 0;
    double share_of_gaps             = 0.; // in such steps, see accept_gaps()
    std::vector<ContactElement<dim>> elements;
    std::vector<dealii::Tensor<1, dim>> nodal_forces; // sums of these
  };
} // namespace Ricochet

#endif
