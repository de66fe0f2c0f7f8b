// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_hanging_nodes_h
#define ricochet_body_hanging_nodes_h

#include <deal.II/base/partitioner.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <memory>
#include <vector>

namespace Ricochet
{
  /**
   * The hanging nodes of one forest: nodes in the middle of an edge or a face
   * of a coarser cell. Their motion is the weighted sum of the motion of other
   * nodes, the masters, which keeps the mesh free of gaps:
   * @f[
   *   x_h = \sum_m w_{hm} x_m, \qquad w_{hm} > 0, \quad \sum_m w_{hm} = 1.
   * @f]
   * With all nodes @f$\hat x = C x@f$ in terms of those that move freely, a
   * force does the work @f$\hat f \cdot C \dot x = C^T \hat f \cdot \dot x@f$:
   * forces and lumped masses of hanging nodes go to the masters in the same
   * shares. Since the weights add up to one, total force and mass are the same
   * as before; and since positions are the same sums, so are total moment and
   * first moments of the mass.
   */
  template <int dim>
  class HangingNodes
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** Which entries of vectors a rank owns or sees. */
    using Partitioner = dealii::Utilities::MPI::Partitioner;

    /**
     * Find them. The DoFHandler's nodes must have consecutive degrees of
     * freedom, see Forest. Collective.
     */
    void
    reinit(const dealii::DoFHandler<dim> &dof_handler,
           const std::shared_ptr<const Partitioner> &partitioner);

    /** Whether there are none on any rank. */
    bool
    empty() const
    {
      return !any;
    }

    /** The same as constraints of degrees of freedom. */
    const dealii::AffineConstraints<double> &
    get_constraints() const
    {
      return constraints;
    }

    /**
     * Give hanging nodes the weighted sums of their masters. If there are any,
     * ghosts are up to date afterwards. Collective.
     */
    void
    distribute(VectorType &vector) const;

    /**
     * Move forces, masses etc. of hanging nodes to the masters; hanging nodes
     * are left with zero, ghosts as well. Collective. The owner of a master
     * adds up what comes from its hanging nodes, in the order of their global
     * numbers: the same to the last bit on any number of ranks.
     */
    void
    condense(VectorType &vector) const;

  private:
    /**
     * Local numbers: targets[r] has the sources begin[r] to begin[r+1] with
     * the weights of the same numbers.
     */
    struct WeightedSums
    {
      std::vector<unsigned int> targets, begin = {0}, sources;
      std::vector<double> weights;

      /** End the row of a target whose sources have been appended. */
      void
      end_row(const unsigned int target);

      /** Set the first @p n targets to sums, or add sums to them. */
      void
      evaluate(const unsigned int n, const bool add, VectorType &vector) const;
    };

    /** Add the row of a local node if it hangs on local masters. */
    bool
    add_row(const unsigned int node, const Partitioner &partitioner);

    /** Find from the masters of hanging nodes what hangs on owned masters. */
    void
    transpose(const Partitioner &partitioner);

    bool any = false;
    dealii::AffineConstraints<double> constraints;

    /** The masters of hanging nodes, owned ones first. */
    WeightedSums masters;
    unsigned int n_owned_rows = 0;

    /** What hangs on owned nodes. */
    WeightedSums hanging;
  };
} // namespace Ricochet

#endif
