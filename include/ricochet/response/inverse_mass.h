// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_inverse_mass_h
#define ricochet_response_inverse_mass_h

#include <ricochet/search/collision.h>

#include <deal.II/base/tensor.h>

#include <functional>
#include <map>
#include <vector>

namespace Ricochet
{
  /**
   * The inverse of the mass of the whole system, as far as contact needs it:
   * its rows and columns at the nodes of the contact surface, diagonal in the
   * components. Prescribed components have inverse mass zero; masses
   * themselves never appear, so that infinite ones need no special case.
   *
   * Lumped mass: one value per node and component. Consistent mass: the
   * entries of (M^-1) of the whole system between all surface nodes (inverting
   * the sub-matrix of a pair instead would lose momentum and energy),
   * one column at a time, computed when a node is first touched.
   */
  template <int dim>
  class InverseMass
  {
  public:
    /** The entries (M^-1)_{k node} for all surface nodes k. */
    using Column = std::vector<dealii::Tensor<1, dim>>;

    /** Lumped: one inverse mass per node and component. */
    void
    reinit(const std::vector<dealii::Tensor<1, dim>> &lumped)
    {
      diagonal    = lumped;
      n_nodes     = lumped.size();
      make_column = nullptr;
      columns.clear();
    }

    /** Consistent: @p column computes one column for one of @p n nodes. */
    void
    reinit(const std::function<Column(const unsigned int node)> &column,
           const unsigned int n = dealii::numbers::invalid_unsigned_int)
    {
      diagonal.clear();
      n_nodes     = n;
      make_column = column;
      columns.clear();
    }

    /** Whether an impulse on one node moves others. */
    bool
    is_consistent() const
    {
      return static_cast<bool>(make_column);
    }

    /** Whether the node has a mass at all: those of obstacles, behind the
     * others, have an infinite one. */
    bool
    is_of_body(const unsigned int node) const
    {
      return node < n_nodes;
    }

    /** The entry of one node with itself; its components are zero where the
     * motion is prescribed. */
    dealii::Tensor<1, dim>
    of_node(const unsigned int node) const
    {
      if (!is_of_body(node))
        return {};
      return is_consistent() ? column(node)[node] : diagonal[node];
    }

    /** w^T M^-1 w, one value per component. */
    dealii::Tensor<1, dim>
    effective(const Collision<dim> &collision) const
    {
      return between(collision, collision);
    }

    /** v^T M^-1 w of two collisions, one value per component: how far an
     * impulse at one of them moves the other one. */
    dealii::Tensor<1, dim>
    between(const Collision<dim> &first, const Collision<dim> &second) const;

    /**
     * Add M^-1 w @p impulse to @p field, which has one vector per surface
     * node: velocities when impulse is one, positions when it is an impulse
     * times a time.
     */
    template <typename VectorType>
    void
    apply(const Collision<dim> &collision,
          const dealii::Tensor<1, dim> &impulse,
          std::vector<VectorType> &field) const;

  private:
    const Column &
    column(const unsigned int node) const;

    unsigned int n_nodes = 0;
    std::vector<dealii::Tensor<1, dim>> diagonal;
    std::function<Column(const unsigned int node)> make_column;
    mutable std::map<unsigned int, Column> columns;
  };



  template <int dim>
  template <typename VectorType>
  void
  InverseMass<dim>::apply(const Collision<dim> &collision,
                          const dealii::Tensor<1, dim> &impulse,
                          std::vector<VectorType> &field) const
  {
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node = collision.nodes[i];
        const double weight     = collision.weights[i];
        if (!is_of_body(node))
          continue;
        if (!is_consistent())
          for (unsigned int d = 0; d < dim; ++d)
            field[node][d] += weight * diagonal[node][d] * impulse[d];
        else
          {
            const Column &entries = column(node);
            for (unsigned int k = 0; k < entries.size(); ++k)
              for (unsigned int d = 0; d < dim; ++d)
                field[k][d] += weight * entries[k][d] * impulse[d];
          }
      }
  }
} // namespace Ricochet

#endif
