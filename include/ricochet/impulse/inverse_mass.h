// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_inverse_mass_h
#define ricochet_impulse_inverse_mass_h

#include <ricochet/geometry/collision.h>

#include <deal.II/base/tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace Ricochet
{
  /** a . C b, with the normal of a contact point twice and
   * InverseMass::effective() its inverse effective mass. */
  template <int dim>
  double
  product(const dealii::Tensor<1, dim> &a,
          const dealii::Tensor<2, dim> &C,
          const dealii::Tensor<1, dim> &b)
  {
    double sum = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int e = 0; e < dim; ++e)
        sum += a[d] * C[d][e] * b[e];
    return sum;
  }



  template <int dim>
  class RigidNodes;



  /**
   * The inverse mass between nodes of which an impulse on one moves all: those
   * of a body with a consistent mass, or of a rigid body. Nodes are counted
   * within the set.
   */
  template <int dim>
  class CoupledNodes
  {
  public:
    /** @param[in] nodes Their numbers on the contact surface. */
    explicit CoupledNodes(const std::vector<unsigned int> &nodes)
      : nodes(nodes)
    {}

    virtual ~CoupledNodes() = default;

    /** The numbers of the nodes on the contact surface. */
    const std::vector<unsigned int> &
    get_nodes() const
    {
      return nodes;
    }

    /** (M^-1)_ij: the velocity of node @p i by a unit impulse on node @p j. */
    virtual dealii::Tensor<2, dim>
    block(const unsigned int i, const unsigned int j) const = 0;

    /** Whether all blocks are diagonal: impulses in one direction move nothing
     * in another one. */
    virtual bool
    has_diagonal_blocks() const = 0;

    /** This set if it is a rigid body. */
    virtual RigidNodes<dim> *
    as_rigid()
    {
      return nullptr;
    }

    /** The sum of move() over several nodes with weights. */
    virtual void
    move_together(const unsigned int n,
                  const unsigned int *const numbers,
                  const double *const weights,
                  const dealii::Tensor<1, dim> &impulse,
                  double *const field) const
    {
      for (unsigned int k = 0; k < n; ++k)
        move(numbers[k], weights[k], impulse, field);
    }

    /** Add @p weight times (M^-1)_ij @p impulse for all nodes i to @p field,
     * which has dim numbers for each node of the contact surface. */
    virtual void
    move(const unsigned int j,
         const double weight,
         const dealii::Tensor<1, dim> &impulse,
         double *const field) const;

  private:
    const std::vector<unsigned int> nodes;
  };



  /**
   * Of a body with a consistent mass: the entries of (M^-1) of the whole system
   * between its surface nodes (inverting the sub-matrix of a pair instead would
   * lose momentum and energy), one column at a time, computed when a node is
   * first touched.
   */
  template <int dim>
  class ConsistentNodes : public CoupledNodes<dim>
  {
  public:
    /** For each node of the set, the diagonal of its block with another one. */
    using Column = std::vector<dealii::Tensor<1, dim>>;

    /** @param[in] make_column Computes the column of one node, counted within
     * the set. Collective if the body is on several ranks; never called in
     * threads if every node has been asked for before. */
    ConsistentNodes(
      const std::vector<unsigned int> &nodes,
      const std::function<Column(const unsigned int)> &make_column)
      : CoupledNodes<dim>(nodes)
      , make_column(make_column)
    {}

    dealii::Tensor<2, dim>
    block(const unsigned int i, const unsigned int j) const override;

    bool
    has_diagonal_blocks() const override
    {
      return true;
    }

    void
    move(const unsigned int j,
         const double weight,
         const dealii::Tensor<1, dim> &impulse,
         double *const field) const override;

  private:
    const Column &
    column(const unsigned int j) const;

    const std::function<Column(const unsigned int)> make_column;
    mutable std::map<unsigned int, Column> columns;
  };



  /**
   * The inverse of the mass of the whole system, as far as contact needs it:
   * its rows and columns at the nodes of the contact surface, in blocks of dim
   * x dim. Prescribed components have zeros; masses themselves never appear,
   * so that infinite ones need no special case.
   *
   * Nodes with a lumped mass have one value per component and move alone; any
   * others belong to CoupledNodes. Nodes behind the last one, those of
   * obstacles, have an infinite mass.
   */
  template <int dim>
  class InverseMass
  {
  public:
    /** One inverse mass per node and component: all are lumped. */
    void
    reinit(const std::vector<dealii::Tensor<1, dim>> &lumped)
    {
      diagonal = lumped;
      sets.clear();
      places.clear();
    }

    /** Let the nodes of this set move together from now on. A node belongs to
     * one set at the most. */
    void
    couple(const std::shared_ptr<CoupledNodes<dim>> &set);

    /** All sets. */
    const std::vector<std::shared_ptr<CoupledNodes<dim>>> &
    coupled_sets() const
    {
      return sets;
    }

    /** The set that a node belongs to, or nullptr if it moves alone. */
    const CoupledNodes<dim> *
    set_of(const unsigned int node) const
    {
      return is_coupled(node) ? sets[places[node].set].get() : nullptr;
    }

    /** Whether the node has a mass at all: those of obstacles, behind the
     * others, have an infinite one. */
    bool
    is_of_body(const unsigned int node) const
    {
      return node < diagonal.size();
    }

    /** The rigid body that a node belongs to, or nullptr. */
    const RigidNodes<dim> *
    rigid_body_of(const unsigned int node) const
    {
      return is_coupled(node) ? sets[places[node].set]->as_rigid() : nullptr;
    }

    /** The block of one node with itself; rows and columns are zero where the
     * motion is prescribed. */
    dealii::Tensor<2, dim>
    of_node(const unsigned int node) const;

    /** Whether no impulse moves the node in any direction. */
    bool
    is_fixed(const unsigned int node) const
    {
      return of_node(node) == dealii::Tensor<2, dim>();
    }

    /** w^T M^-1 w: what a unit impulse at a contact point changes of its
     * relative velocity. */
    dealii::Tensor<2, dim>
    effective(const Collision<dim> &collision) const
    {
      return between(collision, collision);
    }

    /** v^T M^-1 w of two collisions: how far an impulse at the second moves the
     * first one. */
    dealii::Tensor<2, dim>
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
    static constexpr unsigned int alone = dealii::numbers::invalid_unsigned_int;

    /** The set of a node, and its number there. */
    struct Place
    {
      unsigned int set = alone, number = 0;
    };

    bool
    is_coupled(const unsigned int node) const
    {
      return node < places.size() && places[node].set != alone;
    }

    std::vector<dealii::Tensor<1, dim>> diagonal; // of all, lumped
    std::vector<std::shared_ptr<CoupledNodes<dim>>> sets;
    std::vector<Place> places; // empty if all are lumped
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
        if (is_coupled(node))
          {
            // All of one set together.
            boost::container::small_vector<unsigned int, 4> numbers;
            for (unsigned int k = i; k < collision.nodes.size() &&
                                     set_of(collision.nodes[k]) == set_of(node);
                 ++k)
              numbers.push_back(places[collision.nodes[k]].number);
            set_of(node)->move_together(numbers.size(),
                                        numbers.data(),
                                        &collision.weights[i],
                                        impulse,
                                        &field[0][0]);
            i += numbers.size() - 1;
          }
        else if (is_of_body(node))
          for (unsigned int d = 0; d < dim; ++d)
            field[node][d] += weight * diagonal[node][d] * impulse[d];
      }
  }
} // namespace Ricochet

#endif
