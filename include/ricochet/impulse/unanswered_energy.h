// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_unanswered_energy_h
#define ricochet_impulse_unanswered_energy_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * Kinetic energy of points in contact that they do not have, by body; to be
   * subtracted. At the end of a step the forces there have changed velocities
   * by half a step, but contact answers only at the start of the next one:
   * points that rest seem to move into each other. Zero for elastic contact,
   * where none rests.
   *
   * @param[in] state After the step.
   * @param[in] velocities, accelerations Of the nodes, at the end of the step.
   * @param[in] n_bodies Of bodies and obstacles.
   */
  template <int dim>
  std::vector<double>
  unanswered_energy(const ContactState<dim> &state,
                    const PassSettings &settings,
                    std::vector<dealii::Tensor<1, dim>> velocities,
                    const std::vector<dealii::Tensor<1, dim>> &accelerations,
                    const unsigned int n_bodies);
} // namespace Ricochet

#endif
