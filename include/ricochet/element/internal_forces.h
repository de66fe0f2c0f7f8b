// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_element_internal_forces_h
#define ricochet_element_internal_forces_h

#include <ricochet/element/cell_table.h>
#include <ricochet/element/element_formulation.h>
#include <ricochet/material/material.h>

#include <deal.II/base/symmetric_tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  template <int dim>
  class StepForces;



  /** Energies of all bodies, this rank's share. */
  struct BodyEnergies
  {
    /** The strain energy, and what laws with a memory dissipated since the
     * start. */
    std::vector<double> strain, plastic, viscous;

    /** The same number of bodies, and all values zero. */
    void
    reset(const unsigned int n_bodies)
    {
      for (auto *values : {&strain, &plastic, &viscous})
        values->assign(n_bodies, 0.);
    }
  };



  /**
   * Internal forces, strain energy, lumped mass and the stable time step of
   * the cells of one forest.
   *
   * Two-phase loop: cell forces into a buffer (batches of cells in SIMD lanes,
   * any order, any number of threads), then a gather per node in the order of
   * the cell table. The result does not depend on the number of threads or
   * ranks, to the last bit.
   *
   * Quadrature: (degree+1)^dim Gauss points on hypercubes, one on simplices.
   * Other formulations than the full one are for hypercubes of degree 1.
   *
   * What laws with a memory know of the last accepted state, the history, is
   * kept by the caller in one vector for all cells of the table, ghosts too;
   * its layout is that of initial_history(). Where a history can be left out,
   * nothing has happened yet.
   */
  template <int dim>
  class InternalForces
  {
  public:
    InternalForces();
    ~InternalForces();

    /**
     * Set up for the cells of @p cells; @p materials has one entry per body,
     * and so have @p body_names, which is for messages only, and
     * @p formulations, unless they are empty. Bodies that share a material also
     * share the formulation. The cells and the materials must outlive this
     * object. Throws a UserError that names a cell without volume or turned
     * inside out.
     */
    void
    reinit(const CellTable<dim> &cells,
           const std::vector<const Material<dim> *> &materials,
           const std::vector<std::string> &body_names          = {},
           const std::vector<ElementFormulation> &formulations = {});

    /**
     * Lumped mass of every locally owned node: row sums of the mass matrix, or
     * for degree 2 Simpson's rule at the nodes (Fried and Malkus, 1975). Mass
     * and first moments are exact.
     */
    const std::vector<double> &
    lumped_mass() const;

    /**
     * Internal forces (the gradient of the strain energy) at the locally owned
     * nodes.
     *
     * @param[in] positions dim*n_nodes current coordinates.
     * @param[out] forces dim*n_owned_nodes values.
     * @param[out] energy_of_bodies When not null, the strain energy of this
     *   rank's own cells is added to the entry of their body.
     * Throws a RunError that names body and cell centre when a cell is inverted
     * (det F <= 0 at a quadrature point) or its force is not finite.
     */
    void
    evaluate(const double *positions,
             double *forces,
             std::vector<double> *energy_of_bodies = nullptr) const;

    /** The history at the start; empty if no law has a memory. */
    std::vector<double>
    initial_history() const;

    /**
     * As evaluate(), at the end of a step of length @p dt from the state that
     * @p history belongs to; @p new_history, another vector, becomes that of
     * the end of the step. If @p positions_begin is not null, where the step
     * began: also throws when a cell has collapsed, so that what its forces are
     * has changed too much for one step; det F at the point where it is
     * smallest has become less than half of what it was, and of 1.
     */
    void
    advance(const double *positions,
            const double *positions_begin,
            const double dt,
            const std::vector<double> &history,
            std::vector<double> &new_history,
            double *forces,
            BodyEnergies *energies) const;

    /**
     * The largest stable time step of the present configuration, min over
     * cells of 2/omega_max(cell), on this rank's own and ghost cells.
     * omega_max(cell) bounds the highest frequency of the mesh (element
     * eigenvalue inequality; Hughes, 1987) for the lumped mass; it is found by
     * Lanczos' iteration (Lanczos, 1950). Viscous damping, which acts half a
     * step late, shortens the step.
     */
    double
    stable_time_step(const double *positions,
                     const std::vector<double> &history = {}) const;

    /**
     * What is known of stable_time_step() at little cost: an upper bound of it,
     * or itself if it is below @p least. Of the cells it looks at that with the
     * smallest step so far, and at those that may have one below @p least after
     * all that they have deformed since all were looked at, see
     * Material::stiffening().
     */
    double
    bound_stable_time_step(const double *positions,
                           const std::vector<double> &history,
                           const double least) const;

    /** Body and centre of a cell that stable_time_step() is due to, or of one
     * next to it, for messages. */
    std::string
    describe_stiffest(const double *positions,
                      const std::vector<double> &history) const;

    /** Means of a cell whose law has a memory. */
    struct CellMeans
    {
      /** Cauchy stress without its viscous part. */
      dealii::SymmetricTensor<2, dim> stress;

      std::vector<double> history;
    };

    /**
     * Call @p visit(row of the table, means) for each owned cell whose law has
     * a memory, at the accepted state that @p history belongs to.
     */
    void
    for_each_mean(const double *positions,
                  const std::vector<double> &history,
                  const std::function<void(const unsigned int,
                                           const CellMeans &)> &visit) const;

    /**
     * The numbers of one cell in the history: read or written one after the
     * other, the same for any partition, by the row of the table.
     */
    void
    exchange_history(
      std::vector<double> &history,
      const std::function<void(const unsigned int row,
                               const std::vector<double *> &values)> &exchange)
      const;

    /** The largest value at any point of the variable that output shows as
     * @p name, see MaterialHistory; minus infinity if there is none. */
    double
    largest(const std::vector<double> &history, const std::string &name) const;

    /** Bytes that this object holds per cell. */
    double
    bytes_per_cell() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation;

    friend class StepForces<dim>;
  };
} // namespace Ricochet

#endif
