// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_impulse_group_mass_h
#define ricochet_source_impulse_group_mass_h

#include <ricochet/geometry/collision.h>
#include <ricochet/impulse/inverse_mass.h>

#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** What an impulse on one node alone acts on. */
  template <int dim>
  Collision<dim>
  single_node(const unsigned int node)
  {
    Collision<dim> result;
    result.nodes.push_back(node);
    result.weights.push_back(1.);
    return result;
  }



  /**
   * The mass of a group of nodes: which impulses on them change their
   * velocities as wanted. Coupled nodes follow each other; then this is the
   * inverse of the group's part of the inverse mass, whose components must be
   * independent.
   */
  template <int dim>
  class GroupMass
  {
  public:
    GroupMass(const std::vector<unsigned int> &nodes,
              const InverseMass<dim> &inverse_mass,
              const unsigned int n_surface_nodes);

    /** Whether a component of node number @p i of the group is prescribed. */
    bool
    is_held(const unsigned int i, const unsigned int d) const
    {
      return !(inverse[i][d][d] > 0.);
    }

    /** Turn component @p d of velocities, one node of the group per row,
     * into momenta; rows of prescribed ones into zero. */
    void
    multiply(const unsigned int d, dealii::FullMatrix<double> &values) const;

  private:
    void
    factorize(const unsigned int d,
              const std::vector<unsigned int> &nodes,
              const InverseMass<dim> &inverse_mass,
              const unsigned int n_surface_nodes);

    const bool is_coupled;
    std::vector<dealii::Tensor<2, dim>> inverse; // of each node with itself

    /** Of coupled nodes, for each component: free ones, and the inverse mass
     * between them. */
    std::array<std::vector<unsigned int>, dim> free;
    std::array<dealii::LAPACKFullMatrix<double>, dim> factors;
  };
} // namespace Ricochet

#endif
