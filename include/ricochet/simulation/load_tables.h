// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_load_tables_h
#define ricochet_simulation_load_tables_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/tables.h>
#include <ricochet/time/balance.h>

#include <deal.II/base/tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Writes obstacles.csv and reactions.csv: what obstacles take from bodies,
   * and what supports give to them. A table is written if there is something to
   * write. All members are collective.
   *
   * Forces are means over the time since the last line. An impulse of contact
   * acts at the start of a step and belongs to half of the step before and half
   * of the one after it, so where these differ in length a part of it counts.
   * The reaction on a boundary id is
   * that on the nodes whose motion is prescribed there; a node with several ids
   * counts for the smallest one.
   */
  template <int dim>
  class LoadTables
  {
  public:
    /** @p obstacle_names are in the order of the obstacles. */
    LoadTables(const OutputDirectory &directory,
               const Solids<dim> &solids,
               const Contact<dim> &contact,
               const std::vector<std::string> &obstacle_names,
               const std::optional<ResumePoint> &resume);

    /** After each step. */
    void
    add_step(const Balance &balance);

    /** Add a line for each obstacle and support. */
    void
    write(const unsigned long int step,
          const double time,
          const Balance &balance);

    /** On rank 0 only. */
    void
    flush();

    /** Store what a restart needs to go on. */
    void
    save(CheckpointData &data) const;

    /** Take up what save() stored. */
    void
    load(const CheckpointData &data);

  private:
    /** A boundary id of a body with prescribed motion. */
    struct Support
    {
      unsigned int body;
      dealii::types::boundary_id id;
    };

    /** The impulses of all supports since the start, component by component. */
    std::vector<double>
    support_impulses(const Balance &balance) const;

    const Solids<dim> &solids;
    const Contact<dim> &contact;
    const std::vector<std::string> obstacle_names;
    std::unique_ptr<ObstaclesWriter> obstacles_writer;
    std::unique_ptr<ReactionsWriter> reactions_writer;

    /** The time of the last lines. */
    double last_time = 0.;

    std::vector<ObstacleRow> rows;
    std::vector<dealii::Tensor<1, 3>> interval_impulses; // of obstacles

    std::vector<Support> supports;

    /** The number of the support of each of Solids::supports(). */
    std::vector<std::vector<unsigned int>> support_of;

    /** At the last lines. */
    std::vector<double> last_reactions;
  };
} // namespace Ricochet

#endif
