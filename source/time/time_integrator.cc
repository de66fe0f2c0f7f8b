// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/time/time_integrator.h>

namespace Ricochet
{
  template <int dim>
  void
  TimeIntegrator<dim>::check_contact(const Contact<dim> &contact) const
  {
    require(!contact.gives_forces() || takes_contact_forces(),
            "Contact: this 'Response' gives forces, and the 'Integrator' wants "
            "one that corrects its steps. Choose another one of them.");
    require(contact.gives_forces() || !takes_contact_forces() ||
              (contact.gives_gaps() && keeps_gaps_open()),
            "Contact: this 'Response' corrects steps, and the 'Integrator' "
            "wants one that gives forces. Choose another one of them.");
  }



  template class TimeIntegrator<2>;
  template class TimeIntegrator<3>;
} // namespace Ricochet

RICOCHET_DEFINE_REGISTRIES(::Ricochet::TimeIntegrator)
