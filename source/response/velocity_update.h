// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_velocity_update_h
#define ricochet_source_response_velocity_update_h

#include <ricochet/impulse/contact_state.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /** A contact that gets back energy at the end of a step. */
  template <int dim>
  struct ContactUpdate
  {
    /** Nodes, each once, and the forces F on them there. */
    std::vector<unsigned int> nodes;
    std::vector<dealii::Tensor<1, dim>> forces;

    /** c: minus the energy to be given. */
    double work = 0.;

    /** kappa, a time: impulses are kappa F. */
    double duration = 0.;

    /** What it gains beyond that, since there is no such kappa. */
    double defect = 0.;
  };



  /**
   * The velocity update of Love and Laursen (2003), eqs. (74) to (86): add
   * M^-1 sum kappa F to the velocities, with kappa such that each contact
   * changes the kinetic energy by -c, see energy_roots(). Impulses are written
   * down as well.
   *
   * @param[in,out] contacts Duration and defect are filled in.
   */
  template <int dim>
  void
  update_velocities(std::vector<ContactUpdate<dim>> &contacts,
                    ContactState<dim> &state);
} // namespace Ricochet

#endif
