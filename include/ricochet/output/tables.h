// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_tables_h
#define ricochet_output_tables_h

#include <ricochet/body/diagnostics.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/output/run_view.h>
#include <ricochet/output/table.h>

#include <deal.II/base/tensor.h>

#include <string>

// The tables of a run: what a row knows, and the columns made of it, which
// scripts depend on. Energies, momenta and times are in the units that follow
// from the input's.

namespace Ricochet
{
  /** A row of history.csv: the whole system at the end of a step. */
  struct HistoryRow
  {
    StepTaken step;
    Totals totals;
    ContactRecord contact;

    /** Seconds since the program entered its time loop. */
    double wall_time = 0.;
  };

  /** Its columns. */
  Columns<HistoryRow>
  history_columns();



  /** A row of bodies.csv: one body at the end of a step. */
  struct BodyRow
  {
    std::string name;
    BodySums sums;

    /** Of a rigid body the rotation vector since the start and the angular
     * velocity; nan of others. */
    dealii::Tensor<1, 3> rotation, angular_velocity;
  };

  /** Its columns. */
  Columns<BodyRow>
  body_columns();



  /** A row of contact_forces.csv: what a body takes from another one, or from
   * an obstacle, or an obstacle from a body. */
  struct ContactForceRow
  {
    std::string body, partner;

    /** Means since the last row, the latter about the centre of the body, or
     * the origin if that is an obstacle. */
    dealii::Tensor<1, 3> force, moment;

    /** Means of the sums over contact points: what pushes along the normals,
     * and the lengths of what acts along the surface. */
    double normal = 0., tangential = 0.;

    /** Of the touching part of the surface, in the reference configuration
     * (length in 2D). */
    double area = 0.;
  };

  /** Its columns. */
  Columns<ContactForceRow>
  contact_force_columns();



  /** A row of obstacles.csv: what an obstacle takes from bodies. */
  struct ObstacleRow
  {
    std::string name;

    /** Impulse since the start. */
    dealii::Tensor<1, 3> impulse;

    /** Mean force since the last row. */
    dealii::Tensor<1, 3> force;

    /** Angular impulse about the origin since the start. */
    dealii::Tensor<1, 3> angular_impulse;

    /** Work done on the obstacle since the start; zero if it is at rest. */
    double work = 0.;
  };

  /** Its columns. */
  Columns<ObstacleRow>
  obstacle_columns();



  /** A row of reactions.csv: what a support gives to its body. */
  struct ReactionRow
  {
    std::string body;

    /** As the user named it: a number, or the name of a group. */
    std::string boundary_id;

    /** Mean force since the last row. */
    dealii::Tensor<1, 3> force;
  };

  /** Its columns. */
  Columns<ReactionRow>
  reaction_columns();



  /** A row of probes.csv: the motion of a named material point. */
  struct ProbeRow
  {
    std::string name;
    dealii::Tensor<1, 3> position, displacement, velocity;
  };

  /** Its columns. */
  Columns<ProbeRow>
  probe_columns();
} // namespace Ricochet

#endif
