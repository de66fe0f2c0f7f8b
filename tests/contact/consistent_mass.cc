// SPDX-License-Identifier: LGPL-2.1-or-later

// Contact with the inverse of a consistent mass matrix that belongs to the
// outside program; here a dense one, inverted as a whole.

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <gtest/gtest.h>

#include "scenes.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  template <int dim>
  class ConsistentModel : public Model<dim>
  {
  public:
    using VectorType = typename Model<dim>::VectorType;

    explicit ConsistentModel(const std::vector<CubeMotion<dim>> &cubes)
      : Model<dim>(MPI_COMM_WORLD, cubes)
    {
      using namespace dealii;
      const auto &dof_handler = this->get_dof_handler();
      const auto &fe          = dof_handler.get_fe();
      mass.reinit(dof_handler.n_dofs(), dof_handler.n_dofs());
      FEValues<dim> fe_values(fe,
                              QGauss<dim>(2),
                              update_values | update_JxW_values);
      std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            fe_values.reinit(cell);
            cell->get_dof_indices(dofs);
            for (const unsigned int q : fe_values.quadrature_point_indices())
              for (const unsigned int i : fe_values.dof_indices())
                for (const unsigned int j : fe_values.dof_indices())
                  if (fe.system_to_component_index(i).first ==
                      fe.system_to_component_index(j).first)
                    mass(dofs[i], dofs[j]) += density(cell->material_id()) *
                                              fe_values.shape_value(i, q) *
                                              fe_values.shape_value(j, q) *
                                              fe_values.JxW(q);
          }
      Utilities::MPI::sum(mass, this->communicator, mass);
      inverse.reinit(mass.m(), mass.n());
      inverse.invert(mass);
    }

    void
    apply_inverse(VectorType &vector) const
    {
      const auto values = everywhere(vector);
      dealii::Vector<double> result(values.size());
      inverse.vmult(result, values);
      for (const auto i : vector.locally_owned_elements())
        vector(i) = result(i);
    }

    /** Momenta, first moments of mass, and energy: sums of M v, M x. */
    Sums<dim>
    consistent_sums() const
    {
      const auto x = everywhere(this->end[0]);
      const auto v = everywhere(this->velocities[0]);
      dealii::Vector<double> Mx(x.size()), Mv(x.size());
      mass.vmult(Mx, x);
      mass.vmult(Mv, v);
      Sums<dim> sums;
      // Nodes have consecutive degrees of freedom on cells, so take the
      // components from there.
      std::vector<bool> done(x.size(), false);
      for (const auto &cell : this->get_dof_handler().active_cell_iterators())
        if (cell->is_locally_owned())
          for (const unsigned int k : cell->vertex_indices())
            {
              const auto first = cell->vertex_dof_index(k, 0);
              if (done[first] || !this->end[0].in_local_range(first))
                continue;
              done[first]     = true;
              const auto node = [&](const dealii::Vector<double> &vector) {
                Tensor<1, dim> values;
                for (unsigned int d = 0; d < dim; ++d)
                  values[d] = vector(cell->vertex_dof_index(k, d));
                return values;
              };
              sums.add(node(x), node(v), node(Mx), node(Mv));
            }
      sums.sum_over_ranks(this->communicator);
      return sums;
    }

    /** The first component of the inverse between two nodes. */
    double
    inverse_between(const typename SurfaceNodes<dim>::Node &a,
                    const typename SurfaceNodes<dim>::Node &b) const
    {
      return inverse(a.dofs[0], b.dofs[0]);
    }

  private:
    static double
    density(const unsigned int body)
    {
      return body == 0 ? 1.5 : 0.4;
    }

    dealii::Vector<double>
    everywhere(const VectorType &vector) const
    {
      dealii::Vector<double> values(vector.size());
      for (const auto i : vector.locally_owned_elements())
        values(i) = vector(i);
      dealii::Utilities::MPI::sum(values, this->communicator, values);
      return values;
    }

    dealii::FullMatrix<double> mass, inverse;
  };



  template <int dim>
  ContactRecord
  check_balances(ConsistentModel<dim> &model,
                 Contact<dim> &contact,
                 const double dt)
  {
    ContactModel<dim> contact_model  = model.contact_model();
    contact_model.apply_inverse_mass = [&model](const unsigned int,
                                                auto &vector) {
      model.apply_inverse(vector);
    };
    contact.reinit(contact_model);
    model.predict(dt);
    const Sums<dim> before     = model.consistent_sums();
    const ContactRecord record = model.correct(contact, dt);
    const Sums<dim> after      = model.consistent_sums();

    expect_momenta(before, after, record);
    EXPECT_NEAR(before.kinetic_energy - after.kinetic_energy,
                record.restitution_loss + record.friction_loss,
                1e-12 * before.kinetic_energy);
    return record;
  }



  template <int dim>
  void
  check_corner(const double e)
  {
    ConsistentModel<dim> model(corner_on_face<dim>(7));
    Contact<dim> contact;
    parse(contact,
          {{"Restitution", std::to_string(e)},
           {"Friction coefficient", "0.2"},
           // By velocities, an approach without restitution ends in two steps.
           {"Position correction", e > 0. ? "velocities" : "projection"}});
    model.reinit(contact);
    const auto &nodes        = contact.get_nodes();
    const auto speeds_before = model.at_nodes(model.velocities, nodes);
    check_balances(model, contact, corner_step);
    const auto speeds_after = model.at_nodes(model.velocities, nodes);

    const auto &handled = contact.get_state().handled;
    EXPECT_EQ(handled.size(), 1u);
    if (handled.size() != 1)
      return;
    const Collision<dim> &pair = handled[0];
    const double u             = pair.normal * pair.weighted_sum(speeds_before);
    EXPECT_LT(u, -1.);
    EXPECT_NEAR(pair.normal * pair.weighted_sum(speeds_after), -e * u, 1e-12);

    // The impulse of the vertex, whose weight is one.
    double C = 0.;
    for (unsigned int i = 0; i < pair.nodes.size(); ++i)
      for (unsigned int j = 0; j < pair.nodes.size(); ++j)
        C += pair.weights[i] * pair.weights[j] *
             model.inverse_between(nodes.nodes[pair.nodes[i]],
                                   nodes.nodes[pair.nodes[j]]);
    EXPECT_EQ(pair.weights[0], 1.);
    EXPECT_NEAR(pair.normal * contact.get_state().impulses[pair.nodes[0]],
                -(1. + e) * u / C,
                1e-12 * std::abs(u / C));
  }



  template <int dim>
  void
  check_faces()
  {
    ConsistentModel<dim> model(cubes_in_a_row<dim>(2, 5));
    Contact<dim> contact;
    parse(contact, {{"Restitution", "0.5"}, {"Friction coefficient", "0.3"}});
    const auto record = check_balances(model, contact, impact_step);
    EXPECT_GT(record.n_node_face + record.n_edge_edge, 1u);
    EXPECT_FALSE(record.unsettled);
  }
} // namespace



TEST(ConsistentMass, OneContactPoint)
{
  for (const double e : {0., 0.5, 1.})
    {
      check_corner<2>(e);
      check_corner<3>(e);
    }
}



TEST(ConsistentMass, ManyContactPoints)
{
  check_faces<2>();
  check_faces<3>();
}
