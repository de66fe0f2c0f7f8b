// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_internal_forces_implementation_h
#define ricochet_source_element_internal_forces_implementation_h

#include <ricochet/element/internal_forces.h>

#include <deal.II/base/aligned_vector.h>

#include <vector>

#include "cell_forces.h"
#include "node_sums.h"

namespace Ricochet
{
  template <int dim>
  class InternalForces<dim>::Implementation
  {
  public:
    /** Put the masses of the cells through the same sums as the forces. */
    void
    compute_lumped_mass();

    /** Add the energies of this rank's own cells. */
    void
    add_energies(std::vector<double> &energy_of_bodies) const;

    /** Add what this rank's own cells dissipated. */
    void
    add_losses(BodyEnergies &energies) const;

    /**
     * Sums of the forces of the cells into @p forces, and energies into their
     * buffer if wanted; @p keep(batch number,
     * batch, workspace) is called after each batch. For @p positions_begin see
     * InternalForces::advance().
     */
    template <typename Function>
    void
    evaluate_cells(const double *positions,
                   const double *positions_begin,
                   const double dt,
                   const double *history,
                   const bool with_energies,
                   double *forces,
                   const Function &keep) const;

    /** Of each batch the smallest stable step of its cells, which becomes the
     * last look at all of them. */
    const std::vector<double> &
    stable_time_steps(const double *positions, const double *history) const;

    /** A lower bound of the stable steps of a batch, by its step in the last
     * look and the strain since then. */
    double
    bound_of_batch(const unsigned int b,
                   const BatchView<dim> &batch,
                   const double *positions) const;

    /** The last look at the stable steps of all batches: the steps, and where
     * all nodes were. */
    struct Look
    {
      std::vector<double> steps, positions;
    };
    mutable Look last_look;

    CellForces<dim> cell_forces;
    std::vector<double> lumped_mass;

    /** From the cells to the nodes. */
    NodeSums<dim> node_sums;

    /** Results of the cell loop. */
    mutable dealii::AlignedVector<double> energy_buffer, loss_buffer;
  };
} // namespace Ricochet

#endif
