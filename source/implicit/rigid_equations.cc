// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/base/rotation.h>
#include <ricochet/implicit/rigid_equations.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace Ricochet
{
  using dealii::Tensor;
  using dealii::types::global_dof_index;

  namespace
  {
    /** How far bodies may turn in a step, in radians. */
    constexpr double longest_turn = 3.;

    /** The round-off of sums of a few dozen forces, relative to these. */
    constexpr double round_off = 4. * std::numeric_limits<double>::epsilon();



    /** The components of a moment or an angular velocity that are unknown; in
     * 2D the last one. */
    template <int dim>
    constexpr unsigned int first_rotation = 3 - n_rotations<dim>;
  } // namespace



  template <int dim>
  void
  RigidEquations<dim>::reinit(const Solids<dim> &new_solids,
                              const SystemNumbering<dim> &new_numbering)
  {
    solids    = &new_solids;
    numbering = &new_numbering;
    gyration.clear();
    for (const RigidBody<dim> &body : solids->rigid_bodies())
      gyration.push_back(std::sqrt(trace(body.mass.inertia) / body.mass.mass));
  }



  template <int dim>
  void
  RigidEquations<dim>::begin(const State &state, const double new_dt)
  {
    dt      = new_dt;
    free    = solids->rigid_steps(state, dt);
    present = free;
  }



  template <int dim>
  std::vector<RigidStep>
  RigidEquations<dim>::end(const Contact<dim> *contact) const
  {
    std::vector<RigidStep> result = free;
    if (contact != nullptr)
      for (unsigned int k = 0; k < result.size(); ++k)
        {
          const auto load = contact->rigid_load(k);
          result[k].solve(load.impulse, load.angular_impulse);
        }
    return result;
  }



  template <int dim>
  void
  RigidEquations<dim>::move(const VectorType &direction, const double fraction)
  {
    if (present.empty())
      return;
    std::vector<double> change(n_unknowns * present.size(), 0.);
    if (numbering->owns_rigid_bodies())
      for (unsigned int i = 0; i < change.size(); ++i)
        change[i] =
          direction.local_element(numbering->begin_of_rigid_bodies() + i);
    dealii::Utilities::MPI::sum(change, numbering->get_communicator(), change);
    for (unsigned int k = 0; k < present.size(); ++k)
      {
        const double *const part = &change[n_unknowns * k];
        Tensor<1, 3> velocity    = present[k].mean_velocity(),
                     spin        = present[k].mean_angular_velocity();
        for (unsigned int d = 0; d < dim; ++d)
          velocity[d] += fraction / dt * part[d];
        for (unsigned int c = 0; c < n_rotations<dim>; ++c)
          spin[first_rotation<dim> + c] +=
            fraction / dt * part[dim + c] / gyration[k];
        present[k].set_means(velocity, spin);
      }
  }



  template <int dim>
  bool
  RigidEquations<dim>::are_possible() const
  {
    return std::all_of(present.begin(), present.end(), [](const auto &step) {
      return step.turn().norm() < longest_turn;
    });
  }



  template <int dim>
  void
  RigidEquations<dim>::evaluate(const Contact<dim> *contact,
                                VectorType &residual,
                                NewtonProblem::Scale &scale) const
  {
    for (unsigned int k = 0; k < present.size(); ++k)
      {
        const RigidStep &step = present[k];
        RigidLoad load;
        if (contact != nullptr)
          load = contact->rigid_load(k);
        const Tensor<1, 3> impulse = step.impulse(),
                           angular = step.angular_impulse();
        scale.forces +=
          (load.impulse.norm() + impulse.norm() +
           (load.angular_impulse.norm() + angular.norm()) / gyration[k]) /
          dt;
        scale.round_off +=
          round_off / dt *
          (step.end().momentum().norm() + step.start().momentum().norm() +
           (step.end().spin().norm() + step.start().spin().norm()) /
             gyration[k]);
        if (!numbering->owns_rigid_bodies())
          continue;
        const unsigned int first =
          numbering->begin_of_rigid_bodies() + n_unknowns * k;
        for (unsigned int d = 0; d < dim; ++d)
          residual.local_element(first + d) =
            (load.impulse[d] - impulse[d]) / dt;
        for (unsigned int c = 0; c < n_rotations<dim>; ++c)
          {
            const unsigned int e = first_rotation<dim> + c;
            residual.local_element(first + dim + c) =
              (load.angular_impulse[e] - angular[e]) / (dt * gyration[k]);
          }
      }
  }



  template <int dim>
  std::array<Tensor<1, dim>, RigidEquations<dim>::n_unknowns>
  RigidEquations<dim>::directions(const unsigned int k,
                                  const Tensor<1, dim> &arm) const
  {
    std::array<Tensor<1, dim>, n_unknowns> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d][d] = 1.;
    for (unsigned int c = 0; c < n_rotations<dim>; ++c)
      {
        RotationVector<dim> unit;
        unit[c]         = 1. / gyration[k];
        result[dim + c] = rotational_velocity<dim>(unit, arm);
      }
    return result;
  }



  template <int dim>
  SystemElement
  RigidEquations<dim>::inertia(const unsigned int k) const
  {
    const RigidStep &step         = present[k];
    const Tensor<2, 3> resistance = step.rotational_resistance();
    SystemElement element(n_unknowns);
    for (unsigned int i = 0; i < n_unknowns; ++i)
      element.dofs[i] = numbering->of_rigid_body(k) + i;
    for (unsigned int d = 0; d < dim; ++d)
      element.matrix(d, d) = 2. * step.start().mass.mass / (dt * dt);
    const double scale = 1. / (dt * dt * gyration[k] * gyration[k]);
    for (unsigned int c = 0; c < n_rotations<dim>; ++c)
      for (unsigned int e = 0; e < n_rotations<dim>; ++e)
        element.matrix(dim + c, dim + e) =
          scale * resistance[first_rotation<dim> + c][first_rotation<dim> + e];
    return element;
  }



  template <int dim>
  SystemElement
  RigidEquations<dim>::element(const Contact<dim> &contact,
                               const ContactElement<dim> &of_nodes) const
  {
    // Of each node that is no obstacle's: where its unknowns are, and how they
    // move it at the end of the step, and forces them.
    struct Part
    {
      unsigned int node, place;
      bool is_rigid;
      std::vector<Tensor<1, dim>> moves, forced;
    };
    const auto &bodies          = contact.get_rigid_bodies();
    const unsigned int n_others = contact.get_nodes().nodes.size();
    std::vector<Part> parts;
    std::vector<global_dof_index> dofs;
    const auto place_of = [&](const global_dof_index first,
                              const unsigned int n) {
      const auto known         = std::find(dofs.begin(), dofs.end(), first);
      const unsigned int place = known - dofs.begin();
      if (known == dofs.end())
        for (unsigned int i = 0; i < n; ++i)
          dofs.push_back(first + i);
      return place;
    };
    for (unsigned int i = 0; i < of_nodes.nodes.size(); ++i)
      {
        const unsigned int node = of_nodes.nodes[i];
        const unsigned int k    = (node - n_others) / (dim + 1);
        if (node < n_others)
          {
            const auto &location = contact.get_nodes().nodes[node];
            std::vector<Tensor<1, dim>> units(dim);
            for (unsigned int d = 0; d < dim; ++d)
              units[d][d] = 1.;
            parts.push_back(
              {i,
               place_of(numbering->of_dof(location.source, location.dofs[0]),
                        dim),
               false,
               units,
               units});
          }
        else if (k < present.size())
          {
            const unsigned int corner = (node - n_others) % (dim + 1);
            const auto moves = directions(k, bodies.nodes()[k]->arms()[corner]);
            const auto forced = directions(k, bodies.modified_arms(k)[corner]);
            parts.push_back({i,
                             place_of(numbering->of_rigid_body(k), n_unknowns),
                             true,
                             {moves.begin(), moves.end()},
                             {forced.begin(), forced.end()}});
          }
      }

    SystemElement element(dofs.size());
    element.dofs = dofs;
    for (const Part &row : parts)
      for (const Part &column : parts)
        if (row.is_rigid || column.is_rigid) // others are added as they are
          for (unsigned int p = 0; p < row.forced.size(); ++p)
            for (unsigned int q = 0; q < column.moves.size(); ++q)
              for (unsigned int d = 0; d < dim; ++d)
                for (unsigned int e = 0; e < dim; ++e)
                  element.matrix(row.place + p, column.place + q) -=
                    row.forced[p][d] *
                    of_nodes.stiffness(dim * row.node + d,
                                       dim * column.node + e) *
                    column.moves[q][e];
    // Half the turn of the arms.
    for (const Part &part : parts)
      for (unsigned int p = dim; part.is_rigid && p < n_unknowns; ++p)
        for (unsigned int q = dim; q < n_unknowns; ++q)
          {
            const unsigned int k =
              (of_nodes.nodes[part.node] - n_others) / (dim + 1);
            element.matrix(part.place + p, part.place + q) -=
              0.5 *
              (directions(k, part.forced[q])[p] * of_nodes.forces[part.node]);
          }
    return element;
  }



  template <int dim>
  std::vector<SystemElement>
  RigidEquations<dim>::linearize(
    const Contact<dim> *contact,
    const std::vector<ContactElement<dim>> *contacts) const
  {
    std::vector<SystemElement> elements;
    for (unsigned int k = 0; k < present.size(); ++k)
      elements.push_back(inertia(k));
    if (contact == nullptr || present.empty())
      return elements;
    const unsigned int first = contact->get_nodes().nodes.size();
    const unsigned int last  = first + (dim + 1) * present.size();
    for (const ContactElement<dim> &of_nodes : *contacts)
      if (std::any_of(of_nodes.nodes.begin(),
                      of_nodes.nodes.end(),
                      [&](const unsigned int node) {
                        return node >= first && node < last;
                      }))
        elements.push_back(element(*contact, of_nodes));
    return elements;
  }



  template <int dim>
  double
  RigidEquations<dim>::stiffness_of_positions(
    const SystemMatrix<dim> &matrix) const
  {
    double square = 0.;
    for (unsigned int k = 0;
         k < present.size() && numbering->owns_rigid_bodies();
         ++k)
      for (unsigned int i = 0; i < n_unknowns; ++i)
        {
          const double force =
            matrix.diagonal(numbering->begin_of_rigid_bodies() +
                            n_unknowns * k + i) *
            (Tensor<1, 3>(present[k].end().centre).norm() + gyration[k]);
          square += force * force;
        }
    return square;
  }



  template <int dim>
  std::pair<double, std::string>
  RigidEquations<dim>::largest(const VectorType &residual) const
  {
    std::pair<double, std::string> result{0., ""};
    for (unsigned int k = 0;
         k < present.size() && numbering->owns_rigid_bodies();
         ++k)
      for (unsigned int i = 0; i < n_unknowns; ++i)
        {
          const double value = std::abs(residual.local_element(
            numbering->begin_of_rigid_bodies() + n_unknowns * k + i));
          if (!(value > result.first))
            continue;
          std::ostringstream text;
          text.precision(6);
          text << "body '" << solids->rigid_bodies()[k].name << "' about ("
               << present[k].end().centre << ")";
          result = {value, text.str()};
        }
    return result;
  }



  template class RigidEquations<2>;
  template class RigidEquations<3>;
} // namespace Ricochet
