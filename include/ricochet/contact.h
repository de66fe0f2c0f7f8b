// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_contact_h
#define ricochet_contact_h

#include <ricochet/response/contact_obstacles.h>
#include <ricochet/response/contact_response.h>
#include <ricochet/response/contact_state.h>
#include <ricochet/response/overlap_policies.h>
#include <ricochet/response/settling.h>
#include <ricochet/search/ignored_pairs.h>
#include <ricochet/search/overlaps.h>
#include <ricochet/search/search.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface.h>

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
   *   contact.reinit({source}, {&inverse_mass}, MPI_COMM_WORLD);
   *   while (time < end)
   *     {
   *       v.add(dt / 2, a);
   *       x_old = x;
   *       x.add(dt, v);
   *       contact.correct(x_old, x, v, dt, a);
   *       ... forces at x, a = M^-1 f, v.add(dt / 2, a)
   *     }
   * @endcode
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
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** One entry per source, e.g. the positions of all DoFHandlers. */
    using ConstVectors = std::vector<const VectorType *>;

    /** The same, to be changed. */
    using Vectors = std::vector<VectorType *>;

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

    /**
     * What bodies can hit beside each other; to be called before reinit(). Each
     * obstacle counts as a body, with numbers after those of all bodies.
     */
    void
    set_obstacles(const std::vector<PlacedObstacle<dim>> &placed)
    {
      obstacles.set(placed);
    }

    /** The obstacles, and what they took in the last step. */
    const ContactObstacles<dim> &
    get_obstacles() const
    {
      return obstacles;
    }

    /** The time at the start of the next step, 0 at first: where moving
     * obstacles are. */
    void
    set_time(const double start_of_step)
    {
      time = start_of_step;
    }

    /**
     * Extract the surface and take over the masses. Collective. Throws a
     * UserError if there are obstacles and the response changes velocities once
     * more at the end of a step: what obstacles take is known before.
     *
     * @param[in] sources The DoFHandlers; they must outlive this object.
     * @param[in] inverse_mass Inverse lumped mass per degree of freedom, one
     *   vector per source; zero where the motion is prescribed. Only locally
     *   owned entries are read.
     */
    void
    reinit(const std::vector<SurfaceSource<dim>> &sources,
           const ConstVectors &inverse_mass,
           const MPI_Comm communicator);

    /**
     * Multiplies a vector of one source by the inverse of the mass of that
     * source, in place; entries with prescribed motion become zero. Collective.
     */
    using InverseMassOperator =
      std::function<void(const unsigned int source, VectorType &vector)>;

    /** Use a consistent mass instead of the lumped one; call after reinit().
     * Throws a UserError if the response changes velocities once more at the
     * end of a step, which is for a lumped mass. */
    void
    set_inverse_mass(const InverseMassOperator &operation);

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
     * @return Whether that was possible; otherwise nothing was changed.
     */
    bool
    remove_overlaps(const Vectors &positions);

    /**
     * Find and resolve the contacts of one step. Collective.
     *
     * @param[in] positions_begin Positions at the start of the step, free of
     *   intersections.
     * @param[in,out] positions_end The predictor; owned entries are corrected.
     * @param[in,out] velocities The mid-step velocities; owned entries are
     *   corrected. Ghost entries and hanging nodes of both are left to the
     *   caller.
     * @param[in] dt Length of the step.
     * @param[in] accelerations Those at the start of the step by all forces but
     *   contact, of which the velocities have half a step. Zero where the
     *   motion is prescribed.
     * @return What was done. If must_repeat(), nothing was: repeat the step
     *   with a shorter one.
     */
    const ContactRecord &
    correct(const ConstVectors &positions_begin,
            const Vectors &positions_end,
            const Vectors &velocities,
            const double dt,
            const ConstVectors &accelerations);

    /** The same for one DoFHandler. */
    const ContactRecord &
    correct(const VectorType &positions_begin,
            VectorType &positions_end,
            VectorType &velocities,
            const double dt,
            const VectorType &accelerations)
    {
      return correct(ConstVectors{&positions_begin},
                     Vectors{&positions_end},
                     Vectors{&velocities},
                     dt,
                     ConstVectors{&accelerations});
    }

    /** Whether the response is one that changes velocities once more at the end
     * of steps. */
    bool
    restores_energy() const
    {
      return correction != nullptr && correction->updates_velocities();
    }

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

    /**
     * Kinetic energy of points in contact that they do not have, by body; to be
     * subtracted. At the end of a step the forces there have changed velocities
     * by half a step, but contact answers only at the start of the next one:
     * points that rest seem to move into each other. Zero for elastic contact,
     * where none rests. Collective.
     *
     * @param[in] velocities, accelerations At the end of the last step.
     */
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
     */
    double
    step_limit(const ConstVectors &velocities);

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
    /** Vectors of the forests, and where their values at the nodes of the
     * surface go, dim numbers per node. */
    struct NodalField
    {
      ConstVectors vectors;
      double *values;
    };

    /** Collect the values of all nodes on every rank. */
    void
    gather(const std::vector<NodalField> &fields) const;

    /** Write one vector per node to owned entries. */
    template <typename Field>
    void
    scatter(const Field &field, const Vectors &vectors) const;

    /** Add the inverse mass times an impulse per node to all entries. */
    void
    add_response(const std::vector<dealii::Tensor<1, dim>> &impulses,
                 const Vectors &result) const;

    /** A column of the consistent inverse mass, see ConsistentNodes. */
    typename ConsistentNodes<dim>::Column
    inverse_mass_column(const std::vector<unsigned int> &members,
                        const unsigned int j) const;

    /** Whether bodies intersect at the end of the step, which is to be
     * repeated then. */
    void
    check_end();

    void
    begin_step(const double dt);

    void
    finish_step();

    SettlingSettings settings;
    SearchSettings search_settings;
    OverlapPolicies policies;
    std::unique_ptr<ContactResponse<dim>> response;
    ContactCorrection<dim> *correction = nullptr;

    MPI_Comm communicator = MPI_COMM_SELF;
    Surface<dim> surface;
    SurfaceNodes<dim> nodes;
    Search<dim> search;
    Settling<dim> settling;
    IgnoredPairs<dim> ignored;
    ContactObstacles<dim> obstacles;
    std::vector<std::string> names; // of bodies and obstacles
    double time = 0.;
    ContactState<dim> state;
    mutable std::vector<double> send_buffer, receive_buffer;
    std::vector<dealii::Point<dim>> vertex_buffer;
    std::vector<double> debts_begin; // of the step
    InverseMassOperator inverse_mass_operator;
    std::vector<unsigned int> body_of_node;
    double shortest_step_limit = std::numeric_limits<double>::infinity();

    /** Of the vectors of each source. */
    std::vector<std::shared_ptr<const dealii::Utilities::MPI::Partitioner>>
      layouts;
  };
} // namespace Ricochet

#endif
