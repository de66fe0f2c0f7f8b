// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_step_kernel_types_h
#define ricochet_source_element_step_kernel_types_h

namespace Ricochet
{
  /**
   * The loops of StepForces over the cells of one batch, for one element and
   * one instruction set; layouts as in CellKernels. Where a law is evaluated
   * only once per cell, n_points is one and the gradients are the mean ones.
   *
   * Tangents: derivative of component (i,j) with respect to component (k,l) at
   * point q in <tt>A[((((i*dim+j)*dim+k)*dim+l)*n_points+q)*batch_size+l]</tt>.
   *
   * Some derivatives couple all points of a cell through one number for which
   * two fields at the points, of the layout of a stress, suffice: the @e left
   * field is the derivative of the stresses by this number, the @e right field
   * that of the number by the gradients (over the volumes of the points).
   */
  struct StepKernels
  {
    /**
     * @name Algorithmic stress
     * @{
     */

    /**
     * An @p F at each of @p n points whose F^T F is the mean of those of
     * @p F_begin and @p F_end: the triangular one (Cholesky).
     */
    void (*triangular_middle)(const unsigned int n,
                              const double *F_begin,
                              const double *F_end,
                              double *F);

    /** The same with the @p F that is a pure stretch after @p F_begin. */
    void (*stretched_middle)(const unsigned int n,
                             const double *F_begin,
                             const double *F_end,
                             double *F);

    /** The mean of both. */
    void (*mean_of_ends)(const unsigned int n,
                         const double *F_begin,
                         const double *F_end,
                         double *F);

    /**
     * The stress of a step.
     *
     * @param[in] objective Whether the law sees Green's strain, not F.
     * @param[in] F, P Gradients in the middle, and the stresses there.
     * @param[in] work What the forces of each cell have to work in the step.
     * @param[in] smallest_strain Steps that strain a cell less get no
     *   correction.
     * @param[out] stress The algorithmic first Piola-Kirchhoff stress.
     * @param[out] alpha, inverse_square The correction of each cell, and one
     *   over the integral of the square of the strain in the step, or both
     *   zero.
     */
    void (*algorithmic_stress)(const bool objective,
                               const unsigned int n_points,
                               const double *volumes,
                               const double *F_begin,
                               const double *F_end,
                               const double *F,
                               const double *P,
                               const double *work,
                               const double smallest_strain,
                               double *stress,
                               double *alpha,
                               double *inverse_square);

    /** @} */



    /**
     * @name Tangents
     * @{
     */

    /**
     * From the tangent @p A and the stress @p P of the law at the scaled
     * gradients @p F to the derivative of what stress_of_average_dilation()
     * makes of this stress with respect to the gradients before scaling: at
     * each point in @p A, and two pairs of fields.
     */
    void (*tangent_of_average_dilation)(const double *volumes,
                                        const double *F,
                                        const double *scales,
                                        const double *dilation,
                                        const double *P,
                                        double *A,
                                        double *left,
                                        double *right);

    /**
     * The derivative of the algorithmic stress by the gradients at the end,
     * from the tangent @p A of the stress @p P at the gradients @p F, and
     * @p n_fields pairs of fields one after the other.
     *
     * @param[in] P_end Derivative of the work by the gradients at the end.
     * @param[out] strains Left field of the correction.
     * @param[out] slopes Right field of the correction without inverse_square
     *   and without what it depends on the numbers of the other pairs: less by
     * @param[out] products times theirs, the integrals of the strain in the
     *   step times the left fields, for each pair and cell.
     */
    void (*step_tangent)(const bool objective,
                         const unsigned int n_points,
                         const unsigned int n_fields,
                         const double *volumes,
                         const double *F_begin,
                         const double *F_end,
                         const double *F,
                         const double *P,
                         const double *P_end,
                         const double *alpha,
                         double *A,
                         double *left,
                         double *right,
                         double *strains,
                         double *slopes,
                         double *products);

    /** @} */



    /**
     * @name Matrices
     * @{
     */

    /**
     * Derivatives of the shape functions times the volumes of the points:
     * component c of the gradient of function a at point q in
     * <tt>gradients[((q*n_nodes+a)*dim+c)*batch_size+l]</tt>.
     */
    void (*gradients)(const double *adjugates, double *gradients);

    /** The sums of these over the points. */
    void (*sum_gradients)(const double *gradients, double *sum_of_gradients);

    /** The matrices (see CellMatrices) of the tangent @p A at all points; if
     * @p symmetric, only one triangle is computed and copied to the other. */
    void (*matrices)(const bool symmetric,
                     const double *A,
                     const double *gradients,
                     const double *volumes,
                     double *matrices);

    /** The same with one point, where the sums of gradients belong to. */
    void (*matrices_of_mean)(const bool symmetric,
                             const double *A,
                             const double *gradients,
                             const double *volumes,
                             double *matrices);

    /** Add those of the hourglass modes, see ElementFormulation::reduced. */
    void (*add_hourglass_matrices)(const double stiffness,
                                   const double *gradients,
                                   const double *volumes,
                                   const double *sum_of_gradients,
                                   const double *volume,
                                   double *matrices);

    /** Add the product of @p factor of each cell, a column and a row. */
    void (*add_product)(const double *factor,
                        const double *column,
                        const double *row,
                        double *matrices);

    /** @} */
  };
} // namespace Ricochet

#endif
