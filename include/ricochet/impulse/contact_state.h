// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_contact_state_h
#define ricochet_impulse_contact_state_h

#include <ricochet/geometry/collision_geometry.h>
#include <ricochet/impulse/impulse.h>
#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace Ricochet
{
  /** What contact did in one step, summed over all ranks' surface. */
  struct ContactRecord
  {
    /** Handled contact points by kind. */
    unsigned int n_node_face = 0, n_edge_edge = 0;

    /** Passes that changed something. */
    unsigned int n_passes = 0;

    /** Groups of nodes that passes did not settle: projected together, and
     * moved rigidly. */
    unsigned int n_projected = 0, n_rigid = 0;

    /**
     * Whether nothing settled the step. With the guarantee it is to be
     * repeated with a shorter one, and the vectors of the caller were not
     * changed; without, the last allowed pass still changed something.
     */
    bool unsettled = false;

    /** Of an unsettled step: where, and which bodies are too close there. */
    dealii::Point<3> place;
    std::array<unsigned int, 2> bodies{{0, 0}};

    /** Kinetic energy lost by restitution and friction. */
    double restitution_loss = 0., friction_loss = 0.;

    /**
     * Change of angular momentum (about the origin) that contact is known to
     * cause: the sum of (m d n) x dv over position corrections by the distance
     * d, with the effective mass m and relative velocity dv of the pair, and
     * of h x j over impulses j at the separation vector h. In 2D only the last
     * component is used.
     */
    dealii::Tensor<1, 3> angular_momentum_change;

    /** Smallest gap at the end of the step of the handled contact points; nan
     * if none. */
    double min_gap = std::numeric_limits<double>::quiet_NaN();
  };



  /** What two bodies exchanged at a contact point at once. */
  template <int dim>
  struct PointImpulse
  {
    /** As of the Collision. */
    std::array<unsigned int, 2> bodies;
    std::array<unsigned int, dim + 1> vertices;
    std::array<double, dim + 1> vertex_weights;

    /** On the first body; the second one gets the opposite. */
    dealii::Tensor<1, dim> impulse;

    /** Where it acts on both. */
    std::array<dealii::Point<dim>, 2> places;

    /** Its part along the normal, which pushes the bodies apart. */
    double normal;

    /** When it acts, as a fraction of the step. */
    double time;

    ContactStatus status;

    /** The length of its part along the surface. */
    double
    tangential() const
    {
      return std::sqrt(std::max(0., impulse.norm_square() - normal * normal));
    }
  };



  /** One for each pair of features, with the sum of its impulses in a step,
   * which passes made larger and smaller; all else is that of the last one. */
  template <int dim>
  std::vector<PointImpulse<dim>>
  sums_of_features(const std::vector<PointImpulse<dim>> &points);



  /** A pair that was held up in this step without a rebound. */
  template <int dim>
  struct HeldPair
  {
    Collision<dim> collision;

    /** The normal velocity that it was given, and what its velocity along the
     * surface becomes if it sticks. */
    double velocity;
    dealii::Tensor<1, dim> stick_velocity;

    /** 1/m. */
    double inverse_mass;

    /** What it got so far: along the normal, and along the surface. */
    double impulse;
    dealii::Tensor<1, dim> friction;
    ContactStatus status;
  };



  /**
   * What is known of the nodes of the contact surface in one step, on every
   * rank the same.
   *
   * Behind the nodes of bodies there are those of obstacles: the vertices of
   * their surfaces; then, of obstacles without a surface, nodes that hold their
   * frames, and one for each contact point found in this step. They have
   * infinite mass.
   */
  template <int dim>
  struct NodalFields
  {
    /** Positions at the start of the step, free of intersections. */
    std::vector<dealii::Point<dim>> start_positions;

    /** Positions at the end: the predictor, corrected in place. */
    std::vector<dealii::Point<dim>> end_positions;

    /** Mid-step velocities, corrected in place. */
    std::vector<dealii::Tensor<1, dim>> velocities;

    /** Positions at the end and velocities before contact changed them. */
    std::vector<dealii::Point<dim>> predicted_positions;
    std::vector<dealii::Tensor<1, dim>> predicted_velocities;

    /**
     * Accelerations by internal and external forces at the start of the step,
     * of which velocities have half a step; zero where the motion is
     * prescribed.
     */
    std::vector<dealii::Tensor<1, dim>> accelerations;

    /** Of the bodies. */
    InverseMass<dim> inverse_mass;

    /** Length of the step. */
    double dt = 0.;

    /**
     * Energy that contact gave to each node since it had no choice, and that it
     * is to take back at the node's next impacts; >= 0. The only memory that
     * contact has beyond a step.
     */
    std::vector<double> debts;

    /** Impulse on each node in this step. */
    std::vector<dealii::Tensor<1, dim>> impulses;

    /**
     * What moved the nodes: the change of positions of the whole system is
     * M^-1 times these (in units of mass times length).
     */
    std::vector<dealii::Tensor<1, dim>> position_impulses;

    /** Impulse along the contact normals on each node in this step. */
    std::vector<double> normal_impulses;

    /** What each node does; set by the last contact point it takes part in. */
    std::vector<ContactStatus> status;

    /** What the present encounters of kind @p given mean. */
    std::vector<GivenCollision<dim>> given_collisions;
  };



  /** What contact did to them, written down as it happens. */
  template <int dim>
  struct ContactLog
  {
    /** Nodes moved or pushed in this step (unsorted, may repeat). */
    std::vector<unsigned int> touched_nodes;

    /** Contact points handled in this step, with their last weights and
     * normals. */
    std::vector<Collision<dim>> handled;

    /** All impulses between two bodies. Those that move a group rigidly are
     * between all of it and are not here. */
    std::vector<PointImpulse<dim>> point_impulses;

    /** Whether they are written down; not while many small ones look for what
     * suits all pairs. */
    bool notes_points = true;

    /** Pairs whose impulses can still become smaller, see ease_pairs(). */
    std::vector<HeldPair<dim>> held_pairs;

    /** Angular impulses on obstacles, by their numbers as bodies, beside those
     * of the impulses on their nodes: see side_of_obstacle(). */
    std::map<unsigned int, dealii::Tensor<1, 3>> couples;

    /** Counts and sums. */
    ContactRecord record;

    /** Add what was written down elsewhere in the same pass. */
    void
    append(const ContactLog<dim> &other);

    /** Whether contact has moved or pushed anything in this step. */
    bool
    has_acted() const
    {
      return !touched_nodes.empty();
    }
  };



  /**
   * The nodes of the contact surface during one step, and a log: a response
   * changes positions and velocities of the former and writes down in the
   * latter what it did. Parts of the contact points can be handled at the same
   * time with logs of their own, see share_fields().
   */
  template <int dim>
  struct ContactState : public ContactLog<dim>
  {
  private:
    const std::shared_ptr<NodalFields<dim>> fields;

  public:
    ContactState()
      : ContactState(std::make_shared<NodalFields<dim>>())
    {}

    /** Moves keep the fields where they are; copies would share them. */
    ContactState(ContactState &&) = default;

    /** The same nodes with an empty log, for the present pass. */
    ContactState
    share_fields() const
    {
      ContactState result(fields);
      result.record.n_passes = this->record.n_passes;
      return result;
    }

    /** @name The nodes
     * See NodalFields.
     * @{ */
    std::vector<dealii::Point<dim>> &start_positions, &end_positions;
    std::vector<dealii::Tensor<1, dim>> &velocities;
    std::vector<dealii::Point<dim>> &predicted_positions;
    std::vector<dealii::Tensor<1, dim>> &predicted_velocities, &accelerations;
    InverseMass<dim> &inverse_mass;
    double &dt;
    std::vector<double> &debts;
    std::vector<dealii::Tensor<1, dim>> &impulses, &position_impulses;
    std::vector<double> &normal_impulses;
    std::vector<ContactStatus> &status;
    std::vector<GivenCollision<dim>> &given_collisions;
    /** @} */

    /** The geometry of the encounters that were found for the present
     * positions; this object and the surface must outlive it. */
    CollisionGeometry<dim>
    geometry(const Surface<dim> &surface) const
    {
      return {surface, start_positions, end_positions, &given_collisions};
    }

    /** Set the number of nodes; new ones are at rest. */
    void
    resize(const unsigned int n_nodes);

    /** Let a node of an obstacle move in this step. */
    void
    move_obstacle_node(const unsigned int node,
                       const dealii::Point<dim> &from,
                       const dealii::Point<dim> &to);

    /** Forget what was written down of impulses and contact points. */
    void
    clear_response();

  private:
    explicit ContactState(const std::shared_ptr<NodalFields<dim>> &fields)
      : fields(fields)
      , start_positions(fields->start_positions)
      , end_positions(fields->end_positions)
      , velocities(fields->velocities)
      , predicted_positions(fields->predicted_positions)
      , predicted_velocities(fields->predicted_velocities)
      , accelerations(fields->accelerations)
      , inverse_mass(fields->inverse_mass)
      , dt(fields->dt)
      , debts(fields->debts)
      , impulses(fields->impulses)
      , position_impulses(fields->position_impulses)
      , normal_impulses(fields->normal_impulses)
      , status(fields->status)
      , given_collisions(fields->given_collisions)
    {}
  };
} // namespace Ricochet

#endif
