// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/error.h>
#include <ricochet/body/probe.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/geometry_info.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The unit coordinates of a point in a cell, give or take round-off;
     * nothing if it is not there. */
    template <int dim>
    std::optional<Point<dim>>
    place_in_cell(const Mapping<dim> &mapping,
                  const typename DoFHandler<dim>::active_cell_iterator &cell,
                  const Point<dim> &point)
    {
      if (!cell->bounding_box().point_inside(point, 1e-10))
        return {};
      const auto reference_cell = cell->reference_cell();
      try
        {
          const Point<dim> unit =
            mapping.transform_real_to_unit_cell(cell, point);
          if (reference_cell.contains_point(unit, 1e-8))
            return unit;
        }
      catch (const typename Mapping<dim>::ExcTransformationFailed &)
        {}
      return {};
    }
  } // namespace



  template <int dim>
  void
  Probe<dim>::declare_parameters(ParameterHandler &prm)
  {
    prm.declare_entry("Position",
                      dim == 2 ? "0, 0" : "0, 0, 0",
                      Patterns::List(Patterns::Double(), dim, dim),
                      "The point in the reference configuration. Units: "
                      "length.");
    prm.declare_entry("Body",
                      "",
                      Patterns::Anything(),
                      "Name of the body that the point belongs to, where "
                      "bodies touch, or of a rigid body; empty means any body "
                      "that deforms. Units: None.");
  }



  template <int dim>
  void
  Probe<dim>::parse_parameters(ParameterHandler &prm,
                               const std::string &probe_name)
  {
    name              = probe_name;
    body_name         = prm.get("Body");
    const auto values = Utilities::string_to_double(
      Utilities::split_string_list(prm.get("Position")));
    for (unsigned int d = 0; d < dim; ++d)
      reference_position[d] = values[d];
  }



  template <int dim>
  void
  Probe<dim>::locate(const Solids<dim> &solids)
  {
    const auto names = solids.body_names();
    const auto named = std::find(names.begin(), names.end(), body_name);
    require(body_name.empty() || named != names.end(),
            "Probe '" + name + "': there is no body called '" + body_name +
              "'.");
    rigid_body.reset();
    const unsigned int number = named - names.begin();
    if (named == names.end() || number < solids.n_deformable_bodies())
      {
        locate_in_cells(solids);
        return;
      }
    rigid_body       = number - solids.n_deformable_bodies();
    const auto &body = solids.rigid_bodies()[*rigid_body];
    arm              = reference_position - body.centre;
    const BoundingBox<dim> box(body.surface.vertices);
    require(box.point_inside(Point<dim>(arm), 1e-10),
            "Probe '" + name + "': 'Position' is outside of the rigid body '" +
              body_name + "'. Choose one inside it.");
  }



  template <int dim>
  void
  Probe<dim>::locate_in_cells(const Solids<dim> &solids)
  {
    const auto names = solids.body_names();

    // The first cell of the first rank that holds the point.
    dofs.clear();
    weights.clear();
    for (unsigned int p = 0; p < solids.n_forests() && dofs.empty(); ++p)
      {
        const Forest<dim> &trees = solids.forest(p);
        for (const auto &cell : trees.get_dof_handler().active_cell_iterators())
          {
            if (!cell->is_locally_owned() ||
                (!body_name.empty() &&
                 names[trees.body_of_cell(cell)] != body_name))
              continue;
            const auto unit =
              place_in_cell(trees.get_mapping(), cell, reference_position);
            if (!unit)
              continue;
            forest                       = p;
            const FiniteElement<dim> &fe = trees.get_dof_handler().get_fe();
            std::vector<types::global_dof_index> all(fe.n_dofs_per_cell());
            cell->get_dof_indices(all);
            for (unsigned int i = 0; i < all.size(); ++i)
              if (fe.system_to_component_index(i).first == 0)
                {
                  dofs.push_back(all[i]);
                  weights.push_back(fe.shape_value(i, *unit));
                }
            break;
          }
      }

    const MPI_Comm communicator = solids.get_communicator();
    const unsigned int rank    = Utilities::MPI::this_mpi_process(communicator);
    const unsigned int n_ranks = Utilities::MPI::n_mpi_processes(communicator);
    const unsigned int owner =
      Utilities::MPI::min(dofs.empty() ? n_ranks : rank, communicator);
    if (owner == n_ranks)
      {
        std::ostringstream message;
        message << "Probe '" << name << "': no cell"
                << (body_name.empty() ? "" : " of body '" + body_name + "'")
                << " holds the point (" << reference_position
                << "). Choose a 'Position' inside a body; of a rigid one, name "
                   "it in 'Body'.";
        throw UserError(message.str());
      }
    forest  = Utilities::MPI::broadcast(communicator, forest, owner);
    dofs    = Utilities::MPI::broadcast(communicator, dofs, owner);
    weights = Utilities::MPI::broadcast(communicator, weights, owner);
  }



  template <int dim>
  typename Probe<dim>::Motion
  Probe<dim>::motion(const Solids<dim> &solids, const State &state) const
  {
    Motion motion;
    if (rigid_body)
      {
        const RigidMotion &body = state.rigid_motions[*rigid_body];
        motion.position         = Tensor<1, 3>(body.place_of(in_space(arm)));
        motion.displacement =
          motion.position - in_space(Tensor<1, dim>(reference_position));
        motion.velocity =
          body.velocity +
          cross_product_3d(body.angular_velocity(),
                           motion.position - Tensor<1, 3>(body.centre));
        return motion;
      }

    // Each rank adds the nodes that it owns.
    std::vector<double> sums(6, 0.);
    for (unsigned int i = 0; i < dofs.size(); ++i)
      if (state.positions[forest].in_local_range(dofs[i]))
        for (unsigned int d = 0; d < dim; ++d)
          {
            sums[d] += weights[i] * state.positions[forest](dofs[i] + d);
            sums[3 + d] += weights[i] * state.velocities[forest](dofs[i] + d);
          }
    Utilities::MPI::sum(sums, solids.get_communicator(), sums);
    for (unsigned int d = 0; d < dim; ++d)
      {
        motion.position[d]     = sums[d];
        motion.displacement[d] = sums[d] - reference_position[d];
        motion.velocity[d]     = sums[3 + d];
      }
    return motion;
  }



  template class Probe<2>;
  template class Probe<3>;
} // namespace Ricochet
