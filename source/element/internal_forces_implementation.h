// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_internal_forces_implementation_h
#define ricochet_source_element_internal_forces_implementation_h

#include <ricochet/element/internal_forces.h>

#include <deal.II/base/aligned_vector.h>

#include <vector>

#include "cell_forces.h"

namespace Ricochet
{
  template <int dim>
  class InternalForces<dim>::Implementation
  {
  public:
    /** Put the masses of the cells through the same sums as the forces. */
    void
    compute_lumped_mass();

    /** Choose the blocks, see below. */
    void
    make_blocks();

    /** Sum what the cells of the owned nodes of a block left in the force
     * buffer. */
    void
    gather_at_nodes(const unsigned int block, double *forces) const;

    /** The same of all blocks. */
    void
    gather_at_all_nodes(double *forces) const;

    /** Add the energies of this rank's own cells. */
    void
    add_energies(std::vector<double> &energy_of_bodies) const;

    /** Add what this rank's own cells dissipated. */
    void
    add_losses(BodyEnergies &energies) const;

    /**
     * Forces of the cells into their buffer, energies too if wanted, and their
     * sums into @p forces; @p keep(batch number,
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

    /**
     * Batches are evaluated in blocks of so many, and after each block the
     * nodes follow whose last cell is in it, while its forces are in the
     * caches: entries begin[block] to begin[block+1] of nodes. The sums are the
     * same for any blocks.
     */
    struct Blocks
    {
      unsigned int n_batches = 1;
      std::vector<unsigned int> nodes, begin;
    };
    Blocks blocks;

    /** Results of the cell loop on their way to the gather loop. */
    mutable dealii::AlignedVector<double> force_buffer, energy_buffer,
      loss_buffer;
  };
} // namespace Ricochet

#endif
