// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/simulation/signals.h>

#include <csignal>

namespace Ricochet
{
  namespace
  {
    volatile std::sig_atomic_t received_signal = 0;

    extern "C" void
    note_signal(int signal)
    {
      received_signal = signal;
      std::signal(signal, SIG_DFL);
    }
  } // namespace



  SignalGuard::SignalGuard()
  {
    received_signal = 0;
    std::signal(SIGINT, note_signal);
    std::signal(SIGTERM, note_signal);
  }



  SignalGuard::~SignalGuard()
  {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }



  int
  SignalGuard::received() const
  {
    return received_signal;
  }
} // namespace Ricochet
