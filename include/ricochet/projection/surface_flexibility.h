// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_surface_flexibility_h
#define ricochet_projection_surface_flexibility_h

#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/projection/closest_point_projection.h>
#include <ricochet/projection/saddle_point_program.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace Ricochet
{
  template <int dim>
  class SurfaceFlexibility;



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

    /** Part of @p whole, which finds the column of a node when it is first
     * needed, if it is not known by then. */
    FlexibleNodes(const std::vector<unsigned int> &nodes,
                  SurfaceFlexibility<dim> &whole)
      : CoupledNodes<dim>(nodes)
      , whole(whole)
      , columns(nodes.size())
    {}

    /** Of all bodies. */
    SurfaceFlexibility<dim> &
    get_whole() const
    {
      return whole;
    }

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
    /** Unless it is known. */
    void
    find_column(const unsigned int j) const;

    SurfaceFlexibility<dim> &whole;
    std::vector<Column> columns;
  };



  /**
   * The inverse of the matrix of an implicit step between the nodes of the
   * contact surface, in place of an InverseMass. Its columns come by solving
   * with unit forces, those of different bodies at once. Large groups of gaps
   * do without them, see SaddlePointProgram.
   */
  template <int dim>
  class SurfaceFlexibility
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = typename SurfaceExchange<dim>::VectorType;

    /**
     * @param[in] nodes Where the nodes of the surface live.
     * @param[in] body_of_node The body of each.
     * @param[in] most_by_columns Groups of more gaps do without columns.
     */
    SurfaceFlexibility(const SurfaceNodes<dim> &nodes,
                       const std::vector<unsigned int> &body_of_node,
                       const SurfaceExchange<dim> &exchange,
                       const MPI_Comm communicator,
                       StepMatrix &matrix,
                       const unsigned int most_by_columns);

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

    /** The one that an inverse belongs to, or nullptr. */
    static SurfaceFlexibility *
    behind(const InverseMass<dim> &inverse);

    /** The inverse of the diagonal, for what needs to know no more than whether
     * a node can move. */
    const InverseMass<dim> &
    of_diagonal() const
    {
      return diagonal;
    }

    /** For a group of so many gaps, if it is to be solved without columns; else
     * nullptr, always if the matrix is not symmetric. */
    SaddlePointProgram<dim> *
    saddle_point_program(const unsigned int n_gaps) const
    {
      return is_symmetric && n_gaps > most_by_columns ? program.get() : nullptr;
    }

    /** Add what the forces of gaps move. Collective. */
    void
    move(const std::vector<GapConstraint<dim>> &gaps,
         std::vector<dealii::Point<dim>> &positions) const;

  private:
    friend class FlexibleNodes<dim>;

    /** Find the columns of one node of each of several bodies. */
    void
    find_columns(const std::vector<unsigned int> &nodes_at_once);

    const SurfaceNodes<dim> &nodes;
    const std::vector<unsigned int> &body_of_node;
    const SurfaceExchange<dim> &exchange;
    const MPI_Comm communicator;
    StepMatrix &matrix;
    const unsigned int most_by_columns;
    const bool is_symmetric;

    InverseMass<dim> flexibility, diagonal;
    std::unique_ptr<SaddlePointProgram<dim>> program;
    std::vector<std::shared_ptr<FlexibleNodes<dim>>> of_body;
    std::vector<unsigned int> place_of_node; // in the set of its body
  };
} // namespace Ricochet

#endif
