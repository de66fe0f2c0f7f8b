// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_internal_forces_h
#define ricochet_body_internal_forces_h

#include <ricochet/body/cell_table.h>
#include <ricochet/material/material.h>

#include <memory>
#include <vector>

namespace Ricochet
{
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
   */
  template <int dim>
  class InternalForces
  {
  public:
    InternalForces();
    ~InternalForces();

    /**
     * Set up for the cells of @p cells; @p materials has one entry per body,
     * and so has @p body_names, which is for messages only, unless it is
     * empty. The cells and the materials must outlive this object. Throws a
     * UserError that names a cell without volume or turned inside out.
     */
    void
    reinit(const CellTable<dim> &cells,
           const std::vector<const Material<dim> *> &materials,
           const std::vector<std::string> &body_names = {});

    /**
     * Lumped mass of every locally owned node: row sums of the mass matrix, or
     * for degree 2 Simpson's rule at the nodes. Mass and first moments are
     * exact.
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

    /**
     * The largest stable time step of the present configuration, min over
     * cells of 2/omega_max(cell), on this rank's own and ghost cells.
     * omega_max(cell) bounds the highest frequency of the mesh (element
     * eigenvalue inequality) for the lumped mass.
     */
    double
    stable_time_step(const double *positions) const;

    /**
     * The change of energy and forces when only some nodes move: strain energy
     * U(b)-U(a) and the sum over nodes of velocities.(f(b)-f(a)), over this
     * rank's own cells that have a node in @p moved_nodes (local numbers).
     */
    void
    compare(const std::vector<unsigned int> &moved_nodes,
            const double *positions_a,
            const double *positions_b,
            const double *velocities,
            double &energy_difference,
            double &power_difference) const;

    /** Bytes that this object holds per cell. */
    double
    bytes_per_cell() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace Ricochet

#endif
