// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_kernel_types_h
#define ricochet_source_element_cell_kernel_types_h

namespace Ricochet
{
  /** The number of cells that are treated together. */
  constexpr unsigned int batch_size = 8;

  /** Most nodes (and quadrature points) that a cell can have. */
  constexpr unsigned int
  max_nodes_per_cell(const int dim)
  {
    return dim == 2 ? 9 : 27;
  }

  /** Doubles for the components of one node of one cell where these are beside
   * each other: as many as load and store well. */
  constexpr unsigned int
  place_size(const int dim)
  {
    return dim == 2 ? 2 : 4;
  }

  /** The elements: linear, multilinear, and of degree 2 in each direction. */
  enum class CellShape
  {
    simplex,
    hypercube,
    quadratic_hypercube
  };



  /**
   * The loops over the cells of one batch, for one element and one
   * instruction set.
   *
   * All arrays have the cell of the batch as fastest index: component c of node
   * a in cell l is <tt>[(a*dim+c)*batch_size+l]</tt>; at quadrature points,
   * component (i,j) at point q is
   * <tt>[((i*dim+j)*n_points+q)*batch_size+l]</tt>, which is what
   * Material::evaluate() wants for n_points*batch_size points.
   */
  struct CellKernels
  {
    unsigned int n_nodes, n_points;

    /** How many numbers per cell describe the reference geometry; the last one
     * is 0 for cells that are parallelepipeds. */
    unsigned int n_reference;

    /** Copy the components of a nodal vector, dim per node, at the @p nodes
     * <tt>[a*batch_size+l]</tt> of the cells. */
    void (*gather)(const unsigned int *nodes,
                   const double *source,
                   double *values);

    /** Bring the components of each node of each cell together: component c
     * goes to <tt>places[(a*batch_size+l)*place_size(dim)+c]</tt>. */
    void (*scatter)(const double *values, double *places);

    /**
     * Sums at @p n nodes: for number i the parts at the places number begin[i]
     * to begin[i+1] of the @p buffer, in this order. They are added to the
     * @p sums, dim per node, if they @p go_on, else they replace them.
     */
    void (*sum_at_nodes)(const unsigned int n,
                         const unsigned int *nodes,
                         const unsigned int *begin,
                         const unsigned int *places,
                         const double *buffer,
                         const bool go_on,
                         double *sums);

    /** The description of cells with the reference positions @p X. */
    void (*describe)(const double *X, double *reference);

    /**
     * Deformation gradients @p F from current positions @p x. Also the
     * adjugates (times quadrature weight) of the reference Jacobians and the
     * @p volumes (Jacobian determinant times quadrature weight) of the points.
     * @p dilations get the smallest det F at the points of each cell.
     */
    void (*deform)(const double *reference,
                   const double *x,
                   double *F,
                   double *adjugates,
                   double *volumes,
                   double *dilations);

    /** The same, to the last bit, if all cells are parallelepipeds: only the
     * adjugates of the first point are written. */
    void (*deform_affine)(const double *reference,
                          const double *x,
                          double *F,
                          double *adjugates,
                          double *volumes,
                          double *dilations);

    /**
     * Nodal @p forces from stresses @p P. @p not_finite is set to 1 for cells
     * with infinite or undefined forces, to 0 for others.
     */
    void (*integrate)(const double *P,
                      const double *adjugates,
                      double *forces,
                      double *not_finite);

    /** The same from the adjugates of the first point. */
    void (*integrate_affine)(const double *P,
                             const double *adjugates,
                             double *forces,
                             double *not_finite);

    /**
     * How much each cell has deformed between two sets of positions: the
     * largest norm, over its points, of Green's strain relative to the first,
     * (G^T G - 1)/2 with the gradient G of the second by the first positions.
     * Infinite or undefined where @p before has no volume.
     */
    void (*strain_between)(const double *before,
                           const double *after,
                           double *strains);

    /** Integrals over each cell of the values @p W at the points. */
    void (*sum)(const double *W, const double *volumes, double *integrals);



    /**
     * @name Element formulations
     * @{
     */

    /**
     * Scale each deformation gradient by @p scales so that its determinant
     * becomes the mean @p dilation of its cell.
     */
    void (*average_dilation)(const double *volumes,
                             double *F,
                             double *scales,
                             double *dilation);

    /**
     * From the stresses at the scaled gradients @p F to the derivatives of the
     * energy with respect to the gradients before scaling.
     */
    void (*stress_of_average_dilation)(const double *volumes,
                                       const double *F,
                                       const double *scales,
                                       const double *dilation,
                                       double *P);

    /** The mean gradient of each cell, <tt>[(i*dim+j)*batch_size+l]</tt>. */
    void (*mean_gradient)(const double *volumes, const double *F, double *mean);

    /**
     * Stress and energy density (if @p W is not null) at all points from those
     * of the mean gradient and the hourglass modes.
     */
    void (*add_hourglass_control)(const double stiffness,
                                  const double *F,
                                  const double *mean_F,
                                  const double *mean_P,
                                  const double *mean_W,
                                  double *P,
                                  double *W);

    /** @} */



    /**
     * @name Lanczos' iteration for the largest eigenvalue of M^-1 K of each
     * cell
     *
     * Vectors y = M^(1/2) u have n_dofs*batch_size entries; @p scaling is the
     * diagonal of M^(-1/2).
     * @{
     */

    /**
     * Positions @p x displaced by <tt>step * scaling * y</tt>, with a
     * @p step that makes the largest displacement of each cell a millionth of
     * its shortest distance between the first and another node.
     */
    void (*displace)(const double *x,
                     const double *scaling,
                     const double *y,
                     double *displaced,
                     double *step);

    /**
     * One step: from the basis vectors y_0..y_k (one after the other in
     * @p basis) and the forces at the displaced and the original positions to
     * the entries k of the tridiagonal matrix (@p diagonal, @p off_diagonal)
     * and the basis vector y_(k+1).
     */
    void (*extend)(const unsigned int k,
                   const double *displaced_forces,
                   const double *forces,
                   const double *scaling,
                   const double *step,
                   double *basis,
                   double *diagonal,
                   double *off_diagonal);

    /**
     * An upper bound within 1e-6 (relative) of the largest eigenvalue of the
     * tridiagonal matrix of @p n rows.
     */
    void (*largest_eigenvalue)(const unsigned int n,
                               const double *diagonal,
                               const double *off_diagonal,
                               double *eigenvalue);

    /** @} */
  };
} // namespace Ricochet

#endif
