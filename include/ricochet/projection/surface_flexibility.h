// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_surface_flexibility_h
#define ricochet_projection_surface_flexibility_h

#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/projection/closest_point_projection.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace Ricochet
{
  /**
   * Of a body whose matrix in an implicit step takes the place of the mass: the
   * blocks of the inverse of that matrix between its surface nodes, for some of
   * the nodes, the columns.
   */
  template <int dim>
  class FlexibleNodes : public CoupledNodes<dim>
  {
  public:
    /** For each node of the set, its block with another one. */
    using Column = std::vector<dealii::Tensor<2, dim>>;

    /** @param[in] find_column Sets the column of a node, counted within the
     * set; called when it is first needed, if it is not known by then. */
    FlexibleNodes(const std::vector<unsigned int> &nodes,
                  const std::function<void(const unsigned int)> &find_column)
      : CoupledNodes<dim>(nodes)
      , find_column(find_column)
      , columns(nodes.size())
    {}

    /** The column of a node; empty if it is not known yet. */
    Column &
    column(const unsigned int j)
    {
      return columns[j];
    }

    dealii::Tensor<2, dim>
    block(const unsigned int i, const unsigned int j) const override
    {
      if (columns[j].empty() && !columns[i].empty())
        return transpose(columns[i][j]);
      if (columns[j].empty())
        find_column(j);
      return columns[j][i];
    }

    void
    move(const unsigned int j,
         const double weight,
         const dealii::Tensor<1, dim> &impulse,
         double *const field) const override;

    bool
    has_diagonal_blocks() const override
    {
      return false;
    }

  private:
    const std::function<void(const unsigned int)> find_column;
    std::vector<Column> columns;
  };



  /**
   * The inverse of a symmetric matrix over all degrees of freedom, of which
   * those of a body are coupled with each other only, between the nodes of the
   * contact surface; in place of an InverseMass. Its columns come by solving
   * with unit forces, those of different bodies at once.
   */
  template <int dim>
  class SurfaceFlexibility
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = typename SurfaceExchange<dim>::VectorType;

    /** Multiplies forces, one vector per source, in place by the inverse of the
     * matrix; entries with prescribed motion become zero. Collective. */
    using Inverse = std::function<void(std::vector<VectorType> &forces)>;

    /**
     * @param[in] nodes Where the nodes of the surface live.
     * @param[in] body_of_node The body of each.
     */
    SurfaceFlexibility(const SurfaceNodes<dim> &nodes,
                       const std::vector<unsigned int> &body_of_node,
                       const SurfaceExchange<dim> &exchange,
                       const MPI_Comm communicator,
                       const Inverse &inverse);

    /** Find the columns of all nodes of these gaps that are not known yet.
     * Collective. */
    void
    find_columns(const std::vector<GapConstraint<dim>> &gaps);

    /** The inverse, as far as it is known. */
    const InverseMass<dim> &
    get() const
    {
      return flexibility;
    }

  private:
    /** Find the columns of one node of each of several bodies. */
    void
    find_columns(const std::vector<unsigned int> &nodes_at_once);

    const SurfaceNodes<dim> &nodes;
    const std::vector<unsigned int> &body_of_node;
    const SurfaceExchange<dim> &exchange;
    const MPI_Comm communicator;
    const Inverse inverse;

    InverseMass<dim> flexibility;
    std::vector<std::shared_ptr<FlexibleNodes<dim>>> of_body;
    std::vector<unsigned int> place_of_node; // in the set of its body
  };
} // namespace Ricochet

#endif
