// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_run_clock_h
#define ricochet_base_run_clock_h

namespace Ricochet
{
  /** Seconds of wall time since the process started, to some hundredths; or,
   * where the system does not tell, since the first call. */
  double
  seconds_since_start();
} // namespace Ricochet

#endif
