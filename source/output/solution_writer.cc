// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/compat.h>
#include <ricochet/output/output_file.h>
#include <ricochet/output/solution_writer.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/quadrature.h>
#include <deal.II/base/utilities.h>
#include <deal.II/fe/fe.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe_field.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/data_out.h>

#include <list>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;



    /** Positions minus reference positions, ghosts included. */
    template <int dim>
    VectorType
    compute_displacements(const SolutionPart<dim> &part)
    {
      const auto &fe = part.dof_handler.get_fe();

      const dealii::Quadrature<dim> nodes(
        fe.base_element(0).get_unit_support_points());
      dealii::FEValues<dim> reference(part.mapping,
                                      fe,
                                      nodes,
                                      dealii::update_quadrature_points);
      std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());

      VectorType displacements(part.positions);
      for (const auto &cell : part.dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            reference.reinit(cell);
            cell->get_dof_indices(dofs);
            for (unsigned int i = 0; i < dofs.size(); ++i)
              {
                const auto component_and_node = fe.system_to_component_index(i);
                displacements(dofs[i]) =
                  part.positions(dofs[i]) -
                  reference.quadrature_point(
                    component_and_node.second)[component_and_node.first];
              }
          }
      displacements.update_ghost_values();
      return displacements;
    }



    /** Blow up values on owned cells to the size that DataOut wants. */
    template <int dim>
    dealii::Vector<double>
    on_all_cells(const dealii::DoFHandler<dim> &dof_handler,
                 const std::vector<double> &values)
    {
      dealii::Vector<double> result(
        dof_handler.get_triangulation().n_active_cells());
      unsigned int n = 0;
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            AssertThrow(n < values.size(),
                        dealii::ExcMessage("Cell data are incomplete."));
            result[cell->active_cell_index()] = values[n++];
          }
      AssertDimension(n, values.size());
      return result;
    }



    /** Show a field of the nodes as arrows; the vector must outlive
     * @p data_out. */
    template <int dim>
    void
    add_vector_field(const VectorType &values,
                     const std::string &name,
                     dealii::DataOut<dim> &data_out)
    {
      const std::vector<
        dealii::DataComponentInterpretation::DataComponentInterpretation>
        vector_valued(
          dim,
          dealii::DataComponentInterpretation::component_is_part_of_vector);
      data_out.add_data_vector(values,
                               std::vector<std::string>(dim, name),
                               dealii::DataOut<dim>::type_dof_data,
                               vector_valued);
    }
  } // namespace



  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const OutputDirectory &directory,
                                      const MPI_Comm communicator,
                                      const std::optional<ResumePoint> &resume)
    : directory(directory)
    , communicator(communicator)
  {
    on_first_rank(communicator, [&]() {
      series.emplace(directory, "solution", resume);
      number = series->next_number();
    });
    number = dealii::Utilities::MPI::broadcast(communicator, number, 0);
  }



  template <int dim>
  void
  SolutionWriter<dim>::write(const double time,
                             const unsigned long int step,
                             const std::vector<SolutionPart<dim>> &parts,
                             const SolutionSurface<dim> &surface)
  {
    const bool has_surface     = !surface.facets.empty();
    const unsigned int n_parts = parts.size() + (has_surface ? 1 : 0);
    const auto stem            = [&](const unsigned int p) {
      return "solution-" + dealii::Utilities::int_to_string(number, 5) +
             (n_parts > 1 ? "-" + std::to_string(p) : "");
    };
    std::vector<std::string> files;
    for (unsigned int p = 0; p < parts.size(); ++p)
      files.push_back(write_part(time, step, parts[p], stem(p)));
    if (has_surface)
      {
        files.push_back(stem(parts.size()) + ".vtu");
        on_first_rank(communicator, [&]() {
          write_file(directory.file(files.back()),
                     surface_vtu<dim>(surface.facets,
                                      surface.facet_bodies,
                                      surface.positions,
                                      surface.fields,
                                      time,
                                      step));
        });
      }

    on_first_rank(communicator, [&]() { series->add(time, files); });
    ++number;
  }



  template <int dim>
  std::string
  SolutionWriter<dim>::write_part(const double time,
                                  const unsigned long int step,
                                  const SolutionPart<dim> &part,
                                  const std::string &stem) const
  {
    const VectorType displacements = compute_displacements(part);
    VectorType velocities(part.velocities);
    velocities.update_ghost_values();

    dealii::DataOut<dim> data_out;
    data_out.attach_dof_handler(part.dof_handler);
    add_vector_field(displacements, "displacement", data_out);
    add_vector_field(velocities, "velocity", data_out);

    // DataOut keeps pointers to the vectors, so they must not move.
    std::list<dealii::Vector<double>> cell_vectors;
    for (const auto &data : part.cell_data)
      {
        cell_vectors.push_back(on_all_cells(part.dof_handler, data.second));
        data_out.add_data_vector(cell_vectors.back(),
                                 data.first,
                                 dealii::DataOut<dim>::type_cell_data);
      }

    const dealii::MappingFEField<dim, dim, VectorType> deformed(
      part.dof_handler,
      part.positions);
    data_out.build_patches(deformed,
                           part.dof_handler.get_fe().degree,
                           dealii::DataOut<dim>::curved_inner_cells);
    data_out.set_flags(vtk_flags(time, step));

    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
    const auto piece = [&](const unsigned int rank) {
      return stem +
             (n_ranks > 1 ? "-r" + dealii::Utilities::int_to_string(rank, 4)
                          : "") +
             ".vtu";
    };
    on_all_ranks(communicator, [&]() {
      std::ostringstream text;
      text.precision(17); // for the time
      data_out.write_vtu(text);
      write_file(directory.file(piece(
                   dealii::Utilities::MPI::this_mpi_process(communicator))),
                 text.str());
    });
    if (n_ranks == 1)
      return piece(0);

    on_first_rank(communicator, [&]() {
      std::vector<std::string> pieces;
      for (unsigned int rank = 0; rank < n_ranks; ++rank)
        pieces.push_back(piece(rank));
      std::ostringstream text;
      data_out.write_pvtu_record(text, pieces);
      write_file(directory.file(stem + ".pvtu"), text.str());
    });
    return stem + ".pvtu";
  }



  template class SolutionWriter<2>;
  template class SolutionWriter<3>;
} // namespace Ricochet
