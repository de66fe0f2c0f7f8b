// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_signals_h
#define ricochet_simulation_signals_h

namespace Ricochet
{
  /**
   * While it lives, SIGINT and SIGTERM no longer end the program but are noted
   * down, so that the time loop can stop in good order. A second signal ends
   * the program at once.
   */
  class SignalGuard
  {
  public:
    SignalGuard();
    ~SignalGuard();

    SignalGuard(const SignalGuard &) = delete;
    SignalGuard &
    operator=(const SignalGuard &) = delete;

    /** The number of the signal that arrived, or 0. */
    int
    received() const;
  };
} // namespace Ricochet

#endif
