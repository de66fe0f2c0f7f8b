// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_tables_h
#define ricochet_output_tables_h

#include <ricochet/output/csv_table.h>
#include <ricochet/output/output_directory.h>

#include <deal.II/base/tensor.h>

#include <limits>
#include <optional>
#include <string>

namespace Ricochet
{
  /**
   * One line of history.csv: the whole system at the end of a step. Energies,
   * momenta and times are in the units that follow from the input's.
   */
  struct HistoryRow
  {
    unsigned long int step = 0;
    double time = 0., dt = 0.;

    double kinetic_energy = 0.;

    /** The recoverable strain energy. */
    double internal_energy = 0.;

    double external_work = 0.;

    /** Energy that position corrections of contact put in. */
    double contact_work = 0.;

    /**
     * What the integrator conserves instead of kinetic + internal energy; nan
     * if it is not known.
     */
    double shadow_kinetic_and_internal =
      std::numeric_limits<double>::quiet_NaN();

    /** Linear momentum, and angular momentum about the origin. */
    dealii::Tensor<1, 3> momentum;
    dealii::Tensor<1, 3> angular_momentum;

    /** Contact points of this step, and passes of the response. */
    unsigned long int node_face = 0, edge_edge = 0, passes = 0;

    /** Groups that were projected together or moved rigidly in this step, and
     * how often it was cut. */
    unsigned long int projected = 0, rigid = 0, cuts = 0;

    /** Smallest gap of the contact points of this step; nan if there are none.
     */
    double min_gap = std::numeric_limits<double>::quiet_NaN();

    /** Losses since the start. */
    double plastic = 0., viscous = 0., friction = 0., restitution = 0.;

    /** Change of angular momentum that nothing explains. */
    double l_error = 0.;

    /** Seconds since the start of the program. */
    double wall_time = 0.;

    double
    dissipated_energy() const
    {
      return plastic + viscous + friction + restitution;
    }

    /** kinetic + internal + dissipated - external work - contact work. */
    double
    total_energy() const
    {
      return kinetic_energy + internal_energy + dissipated_energy() -
             external_work - contact_work;
    }

    /** The same with the shadow energy for kinetic + internal. */
    double
    shadow_energy() const
    {
      return shadow_kinetic_and_internal + dissipated_energy() - external_work -
             contact_work;
    }
  };



  /** Writes history.csv; on rank 0 only. */
  class HistoryWriter
  {
  public:
    HistoryWriter(const OutputDirectory &directory,
                  const std::optional<ResumePoint> &resume = std::nullopt);

    /** Add a line; steps must not decrease. */
    void
    add(const HistoryRow &row);

    /** See CsvTable; to be called before a checkpoint is written. */
    void
    flush()
    {
      table.flush();
    }

    void
    close()
    {
      table.close();
    }

  private:
    CsvTable table;
  };



  /** One line of bodies.csv: one body at the end of a step. */
  struct BodyRow
  {
    double mass = 0.;

    /** Centre of mass and its velocity. */
    dealii::Tensor<1, 3> centre;
    dealii::Tensor<1, 3> velocity;

    /** Angular momentum about the body's own centre of mass. */
    dealii::Tensor<1, 3> angular_momentum;

    double kinetic_energy = 0., internal_energy = 0.;
  };



  /** Writes bodies.csv; on rank 0 only. */
  class BodiesWriter
  {
  public:
    BodiesWriter(const OutputDirectory &directory,
                 const std::optional<ResumePoint> &resume = std::nullopt);

    void
    add(const unsigned long int step,
        const double time,
        const std::string &body,
        const BodyRow &row);

    void
    flush()
    {
      table.flush();
    }

    void
    close()
    {
      table.close();
    }

  private:
    CsvTable table;
  };



  /** One line of obstacles.csv: what an obstacle takes from bodies. */
  struct ObstacleRow
  {
    /** Impulse since the start. */
    dealii::Tensor<1, 3> impulse;

    /** Mean force since the last line. */
    dealii::Tensor<1, 3> force;

    /** Angular impulse about the origin since the start. */
    dealii::Tensor<1, 3> angular_impulse;

    /** Work done on the obstacle since the start; zero if it is at rest. */
    double work = 0.;
  };



  /** Writes obstacles.csv; on rank 0 only. */
  class ObstaclesWriter
  {
  public:
    ObstaclesWriter(const OutputDirectory &directory,
                    const std::optional<ResumePoint> &resume = std::nullopt);

    void
    add(const unsigned long int step,
        const double time,
        const std::string &obstacle,
        const ObstacleRow &row);

    void
    flush()
    {
      table.flush();
    }

  private:
    CsvTable table;
  };



  /** Writes reactions.csv: the mean force of each support on its body since
   * the last line; on rank 0 only. */
  class ReactionsWriter
  {
  public:
    ReactionsWriter(const OutputDirectory &directory,
                    const std::optional<ResumePoint> &resume = std::nullopt);

    void
    add(const unsigned long int step,
        const double time,
        const std::string &body,
        const unsigned int boundary_id,
        const dealii::Tensor<1, 3> &force);

    void
    flush()
    {
      table.flush();
    }

  private:
    CsvTable table;
  };



  /** Writes probes.csv, the motion of named material points; on rank 0 only. */
  class ProbesWriter
  {
  public:
    ProbesWriter(const OutputDirectory &directory,
                 const std::optional<ResumePoint> &resume = std::nullopt);

    void
    add(const unsigned long int step,
        const double time,
        const std::string &probe,
        const dealii::Tensor<1, 3> &position,
        const dealii::Tensor<1, 3> &displacement,
        const dealii::Tensor<1, 3> &velocity);

    void
    flush()
    {
      table.flush();
    }

    void
    close()
    {
      table.close();
    }

  private:
    CsvTable table;
  };
} // namespace Ricochet

#endif
