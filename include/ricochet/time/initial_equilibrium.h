// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_initial_equilibrium_h
#define ricochet_time_initial_equilibrium_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/implicit/equation_solver.h>

namespace Ricochet
{
  /**
   * Move the bodies to the equilibrium of body forces, prescribed displacements
   * and, if the response gives forces, contact at the time of @p state: f_ext +
   * f_c - f(x) = 0. Loads and displacements rise in as many parts as it takes.
   * Velocities stay what they are; laws with a memory flow as in a very slow
   * motion; contact has no friction on the way. Collective.
   *
   * Throws a UserError that names a body which nothing holds, and its free
   * motions; and a RunError if no equilibrium was found.
   */
  template <int dim>
  void
  find_initial_equilibrium(const Solids<dim> &solids,
                           Contact<dim> &contact,
                           EquationSolver &solver,
                           State &state);
} // namespace Ricochet

#endif
