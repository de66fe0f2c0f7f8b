// SPDX-License-Identifier: LGPL-2.1-or-later

// Contact in a program of your own. This one knows meshes, masses, forces and
// a time loop; of Ricochet it uses nothing but Contact<dim>, in the five
// places that are numbered below.

#include <ricochet/contact.h>

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <iostream>

using namespace dealii;

constexpr unsigned int dim = 3;
using VectorType           = LinearAlgebra::distributed::Vector<double>;

/** Two blocks of springs along all edges and diagonals of their cells. */
class Blocks
{
public:
  Blocks();

  /** a = M^-1 f at the positions x. */
  void
  compute_accelerations();

  /** The sum of m v over both blocks. */
  Tensor<1, dim>
  momentum() const;

  parallel::distributed::Triangulation<dim> mesh;
  DoFHandler<dim> dof_handler;

  VectorType reference, x, v, a, mass, inverse_mass;
};



Blocks::Blocks()
  : mesh(MPI_COMM_WORLD)
  , dof_handler(mesh)
{
  // One mesh with both; the material id tells which block a cell belongs to.
  Triangulation<dim> left, right;
  GridGenerator::subdivided_hyper_cube(left, 2);
  GridGenerator::subdivided_hyper_cube(right, 2);
  GridTools::shift(Point<dim>(1.05, 0.3, 0.2), right);
  for (const auto &cell : right.active_cell_iterators())
    cell->set_material_id(1);
  GridGenerator::merge_triangulations(left, right, mesh);
  mesh.refine_global(1);

  dof_handler.distribute_dofs(FESystem<dim>(FE_Q<dim>(1), dim));
  const IndexSet relevant =
    DoFTools::extract_locally_relevant_dofs(dof_handler);
  for (VectorType *vector : {&reference, &x, &v, &a, &mass, &inverse_mass})
    vector->reinit(dof_handler.locally_owned_dofs(), relevant, MPI_COMM_WORLD);

  // Unit density, shared by the vertices of a cell. The blocks approach.
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int vertex : cell->vertex_indices())
        for (unsigned int d = 0; d < dim; ++d)
          {
            const auto i = cell->vertex_dof_index(vertex, d);
            mass(i) += cell->measure() / cell->n_vertices();
            if (!dof_handler.locally_owned_dofs().is_element(i))
              continue;
            reference(i) = cell->vertex(vertex)[d];
            if (d == 0)
              v(i) = cell->material_id() == 0 ? 1. : -0.5;
          }
  mass.compress(VectorOperation::add);
  for (const auto i : mass.locally_owned_elements())
    inverse_mass(i) = 1. / mass(i);
  reference.update_ghost_values();
  x = reference;
}



void
Blocks::compute_accelerations()
{
  const double stiffness = 2.;
  x.update_ghost_values();
  a = 0.;
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int k : cell->vertex_indices())
        for (unsigned int l = 0; l < k; ++l)
          {
            Tensor<1, dim> now, before;
            for (unsigned int d = 0; d < dim; ++d)
              {
                const auto i = cell->vertex_dof_index(k, d),
                           j = cell->vertex_dof_index(l, d);
                now[d]       = x(i) - x(j);
                before[d]    = reference(i) - reference(j);
              }
            const Tensor<1, dim> force =
              stiffness * (before.norm() / now.norm() - 1.) * now;
            for (unsigned int d = 0; d < dim; ++d)
              {
                a(cell->vertex_dof_index(k, d)) += force[d];
                a(cell->vertex_dof_index(l, d)) -= force[d];
              }
          }
  a.compress(VectorOperation::add);
  a.scale(inverse_mass);
}



Tensor<1, dim>
Blocks::momentum() const
{
  Tensor<1, dim> sum;
  v.update_ghost_values();
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int vertex : cell->vertex_indices())
        for (unsigned int d = 0; d < dim; ++d)
          sum[d] += cell->measure() / cell->n_vertices() *
                    v(cell->vertex_dof_index(vertex, d));
  v.zero_out_ghost_values();
  return Utilities::MPI::sum(sum, MPI_COMM_WORLD);
}



int
main(int argc, char **argv)
{
  Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  ConditionalOStream out(std::cout,
                         Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0);
  Blocks blocks;

  // 1. Parameters. They could be a section of your own parameter file.
  ParameterHandler prm;
  Ricochet::Contact<dim>::declare_parameters(prm);
  prm.set("Restitution", "0.5");
  prm.set("Friction coefficient", "0.3");
  Ricochet::Contact<dim> contact;
  contact.parse_parameters(prm);

  // 2. What can touch: boundary faces of a DoFHandler, body by body. Without
  // numbers a source is one body, and a body does not touch itself unless
  // 'Self-contact' is set.
  Ricochet::SurfaceSource<dim> source;
  source.dof_handler = &blocks.dof_handler;
  source.body        = [](const auto &cell) { return cell->material_id(); };

  // 3. What resists: the inverse mass of each degree of freedom.
  contact.reinit({{source}, {&blocks.inverse_mass}, MPI_COMM_WORLD});

  const double regular_dt = 0.01;
  VectorType x_old, v_old;
  unsigned int n_contacts = 0;
  double time             = 0.;

  blocks.compute_accelerations();
  const Tensor<1, dim> momentum_before = blocks.momentum();
  for (unsigned int step = 0; step < 150; ++step)
    {
      x_old     = blocks.x;
      v_old     = blocks.v;
      double dt = regular_dt;
      for (;; dt /= 2)
        {
          blocks.v = v_old;
          blocks.v.add(dt / 2, blocks.a);
          blocks.x = x_old;
          blocks.x.add(dt, blocks.v);

          // 4. Between predictor and forces: let what would overlap collide at
          // the start of the step. The accelerations tell what velocities were
          // there.
          const Ricochet::ContactRecord &record =
            contact.correct({time, dt}, {x_old, blocks.x, blocks.v, blocks.a});

          // 5. What happened. A step is to be repeated, shorter, where supports
          // that move squeeze bodies; there are none here.
          if (!contact.must_repeat())
            {
              n_contacts += record.n_node_face + record.n_edge_edge;
              break;
            }
          AssertThrow(dt > 1e-6 * regular_dt,
                      ExcMessage(contact.reason_to_repeat()));
        }

      time += dt;
      blocks.compute_accelerations();
      blocks.v.add(dt / 2, blocks.a);
    }
  const Tensor<1, dim> momentum_after = blocks.momentum();

  out << "contact points: " << n_contacts << std::endl
      << "momentum before: " << momentum_before << std::endl
      << "momentum after:  " << momentum_after << std::endl;
  const bool conserved = (momentum_after - momentum_before).norm() <= 1e-12;
  return n_contacts > 0 && conserved ? 0 : 1;
}
