// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_compat_h
#define ricochet_base_compat_h

#include <deal.II/base/config.h>
#include <deal.II/base/data_out_base.h>

/**
 * @file
 * What is spelled differently in the versions of deal.II from 9.4 on; the only
 * place that asks for the version.
 */

namespace Ricochet
{
  /**
   * Flags for VTU files with quick compression (the default of deal.II 9.4
   * takes ten times as long for little gain) and without the date, so that the
   * same run writes the same files.
   */
  inline dealii::DataOutBase::VtkFlags
  vtk_flags(const double time, const unsigned int cycle)
  {
    dealii::DataOutBase::VtkFlags flags(time, cycle);
    flags.print_date_and_time = false;
#if DEAL_II_VERSION_GTE(9, 5, 0)
    flags.compression_level = dealii::DataOutBase::CompressionLevel::best_speed;
#else
    flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
#endif
    return flags;
  }
} // namespace Ricochet

#endif
