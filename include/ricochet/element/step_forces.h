// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_element_step_forces_h
#define ricochet_element_step_forces_h

#include <ricochet/element/internal_forces.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace Ricochet
{
  /** The stiffness matrices of some cells; only valid during the call that
   * brings them. */
  template <int dim>
  struct CellMatrices
  {
    /** The cells as rows of the table, n_cells of them. */
    const unsigned int *cells;
    unsigned int n_cells;

    /**
     * Entry (i,j) of cell l is <tt>matrices[(i*n_dofs+j)*stride+l]</tt>, with
     * i = a*dim+c for component c at node a of the cell.
     */
    const double *matrices;
    unsigned int n_dofs, stride;

    /** Entry (i,j) of cell @p l. */
    double
    operator()(const unsigned int l,
               const unsigned int i,
               const unsigned int j) const
    {
      return matrices[(static_cast<std::size_t>(i) * n_dofs + j) * stride + l];
    }
  };



  /**
   * Internal forces of one step of an implicit integrator, from the positions
   * x_0 to x_1, and their derivatives with respect to x_1.
   *
   * Kind::at_end are the forces at x_1, those of InternalForces::advance().
   *
   * Kind::discrete_gradient are algorithmic forces f of the whole step which
   * conserve energy and momenta for steps of any length (Simo and Tarnow, 1992;
   * Gonzalez, 2000): their sum is zero; so is the sum of their moments about
   * any point, with the lever arms of x_m = (x_0+x_1)/2; and
   * \f[
   *   f \cdot (x_1 - x_0) = U_1 + D_1 - U_0 - D_0,
   * \f]
   * with the stored energy U of the cells and for laws with a memory the energy
   * D that they have dissipated since the start. For every cell they are
   * \f[
   *   f_a = \sum_q V_q \, F_{m,q} (S_q + \alpha \Delta E_q) \nabla N_a(X_q),
   *   \qquad
   *   \alpha = \frac{\Delta U + \Delta D - \sum_q V_q \, S_q : \Delta E_q}
   *                 {\sum_q V_q \, \Delta E_q : \Delta E_q},
   * \f]
   * where F_m is the mean of the deformation gradients at both ends, E Green's
   * strain, and S_q = dU/dE_q / V_q at the mean of Green's strains at both ends
   * (not at F_m, which a rotation in the step shrinks). With the law of Saint
   * Venant and Kirchhoff alpha is zero, and the stress is the mean of those at
   * both ends, as in (Simo and Tarnow, 1992). For other elastic laws it is of
   * the order of the square of the strain in the step.
   *
   * S_q belongs to a half step of a law with a memory, and to a pure stretch
   * seen from the start of the step. Laws that are not
   * frame-indifferent have F in place of E, and then no care is taken of the
   * moments.
   */
  template <int dim>
  class StepForces
  {
  public:
    /** Which forces. */
    enum class Kind
    {
      /** Those of the configuration at the end. */
      at_end,

      /** Those of the whole step that conserve energy and momenta. */
      discrete_gradient
    };

    /** @p forces must outlive this object, and must not be set up anew. */
    explicit StepForces(const InternalForces<dim> &forces);

    ~StepForces();

    /**
     * A step of length @p dt begins at @p positions, dim*n_nodes values that
     * are copied. @p history is that of the accepted state as in
     * InternalForces::advance(); it must stay as it is until the step is over.
     */
    void
    begin(const Kind kind,
          const double *positions,
          const double dt,
          const std::vector<double> &history);

    /**
     * Forces of the step to @p positions.
     *
     * @param[in] positions dim*n_nodes coordinates at the end of the step.
     * @param[out] new_history Another vector than the history, which becomes
     *   that of the end of the step.
     * @param[out] forces dim*n_owned_nodes values.
     * @param[out] energies If not null, this rank's share of the strain
     *   energies at the end of the step and of what was dissipated since the
     *   start is added.
     * Throws a RunError as InternalForces::advance() does when a cell is
     * inverted at the end or its force is not finite.
     */
    void
    evaluate(const double *positions,
             std::vector<double> &new_history,
             double *forces,
             BodyEnergies *energies) const;

    /**
     * Derivatives of the forces of evaluate() with respect to @p positions,
     * which it must have accepted. They are exact, but for laws without a
     * tangent of their own, which get one by differences; and in general not
     * symmetric, those at the end of elastic laws excepted.
     *
     * @p visit is called for all cells of the table, ghosts too, in a fixed
     * order whatever the number of threads, by one thread at a time. It must
     * not throw exceptions.
     */
    void
    stiffness(
      const double *positions,
      const std::function<void(const CellMatrices<dim> &)> &visit) const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace Ricochet

#endif
