// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_overlap_removal_h
#define ricochet_response_overlap_removal_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/overlap/overlaps.h>
#include <ricochet/response/settling.h>

#include <vector>

namespace Ricochet
{
  /**
   * Move the nodes of overlapping bodies apart, without velocity.
   *
   * The bodies are first shrunk below their surfaces until nothing overlaps,
   * and then grow back in one step, in which the closest-point projection
   * holds everything apart that meets (stage 2 of Settling). So each contact
   * point gets the side that it comes from, nothing overlaps in the end, and
   * the nodes move as little as the norm of the mass allows; the centre of
   * mass of free bodies stays.
   *
   * @param[in] overlaps All overlaps at the end of the step of @p state that
   *   @p search finds.
   * @param[in] search What @p settling looks for.
   * @param[in,out] state Positions at the end are corrected, those at the
   *   start become the same.
   * @return Whether that was possible; otherwise the positions are those that
   *   came in.
   */
  template <int dim>
  bool
  remove_overlaps(const Surface<dim> &surface,
                  const std::vector<Overlap<dim>> &overlaps,
                  const SearchSettings &search,
                  Settling<dim> &settling,
                  ContactState<dim> &state);
} // namespace Ricochet

#endif
