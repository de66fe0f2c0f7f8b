// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_solution_writer_h
#define ricochet_output_solution_writer_h

#include <ricochet/output/output_directory.h>
#include <ricochet/output/paraview_series.h>
#include <ricochet/output/surface_vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/point.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** What is written of one forest; refers to data that live elsewhere. */
  template <int dim>
  struct SolutionPart
  {
    /** Of all degrees of freedom. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** Values with one entry per locally owned active cell, in the order of
     * the DoFHandler's active cells. */
    using CellData = std::pair<std::string, std::vector<double>>;

    const dealii::DoFHandler<dim> &dof_handler;

    /** The map to the reference configuration. */
    const dealii::Mapping<dim> &mapping;

    /** Current positions, with ghosts up to date. */
    const VectorType &positions;

    /** Velocities; ghosts are not used. */
    const VectorType &velocities;

    /**
     * "body", "von_mises_stress", "pressure", ...: letters, digits and
     * underscores. The same names in all parts and on all ranks.
     */
    std::vector<CellData> cell_data;
  };



  /** What is written of bodies that are surfaces, the same on all ranks. */
  template <int dim>
  struct SolutionSurface
  {
    std::vector<std::array<unsigned int, dim>> facets;
    std::vector<unsigned int> facet_bodies;

    /** Current positions of the vertices. */
    std::vector<dealii::Point<dim>> positions;

    SurfaceFields<dim> fields;
  };



  /**
   * Writes the bodies for ParaView: solution.pvd and solution-NNNNN.vtu.
   *
   * The points are in the deformed configuration, so that one sees the motion
   * without any filter. The field "displacement" leads back to the reference
   * configuration (filter "Warp By Vector" with the factor -1). With several
   * ranks, each one writes solution-NNNNN-rNNNN.vtu and rank 0 a record
   * solution-NNNNN.pvtu of them; with several parts, the part's number follows
   * the number of the output: solution-NNNNN-1.vtu. A surface is the last part,
   * which rank 0 writes alone.
   */
  template <int dim>
  class SolutionWriter
  {
  public:
    /** Collective. See ParaviewSeries for @p resume. */
    SolutionWriter(const OutputDirectory &directory,
                   const MPI_Comm communicator,
                   const std::optional<ResumePoint> &resume = std::nullopt);

    /**
     * Write the next output. Collective; a failure on one rank is a RunError
     * on all.
     *
     * @param[in] surface Written if it has facets.
     */
    void
    write(const double time,
          const unsigned long int step,
          const std::vector<SolutionPart<dim>> &parts,
          const SolutionSurface<dim> &surface = {});

    /** How many outputs there are, those before a restart included. */
    unsigned int
    n_outputs() const
    {
      return number;
    }

  private:
    /** @return The file that stands for the part in the list. */
    std::string
    write_part(const double time,
               const unsigned long int step,
               const SolutionPart<dim> &part,
               const std::string &stem) const;

    const OutputDirectory directory;
    const MPI_Comm communicator;

    /** On rank 0 only. */
    std::optional<ParaviewSeries> series;

    /** Of the next output; the same on all ranks. */
    unsigned int number = 0;
  };
} // namespace Ricochet

#endif
