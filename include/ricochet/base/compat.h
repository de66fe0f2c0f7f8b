// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_compat_h
#define ricochet_base_compat_h

#include <deal.II/base/config.h>
#include <deal.II/base/data_out_base.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <type_traits>

/**
 * @file
 * What is spelled differently in the versions of deal.II from 9.4 on; the only
 * place that asks which one it is.
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



  /**
   * Whether the last argument of the grid generator cylinder_shell says that
   * the parts of its boundary get ids of their own; 9.4 does not have it.
   */
  constexpr bool cylinder_shell_has_colors =
    std::is_invocable_v<decltype(&dealii::GridGenerator::cylinder_shell<3>),
                        dealii::Triangulation<3> &,
                        double,
                        double,
                        double,
                        unsigned int,
                        unsigned int,
                        bool>;
} // namespace Ricochet

#endif
