// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_grid_generator_h
#define ricochet_mesh_grid_generator_h

#include <deal.II/grid/tria.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** Arguments of a grid generator, and how often all cells are to be cut. */
  struct HalvedBox
  {
    std::string arguments;
    unsigned int n_cuts;
  };

  /**
   * The same box of cells of one size, by 'subdivided_hyper_rectangle' or
   * 'subdivided_hyper_cube', from fewer and larger ones that are cut: half as
   * many in each direction for each cut, as often as all numbers are even.
   * Everything else, and what makes no sense, is returned as it is, without
   * cuts.
   */
  template <int dim>
  HalvedBox
  halved_box(const std::string &name, const std::string &arguments);



  /**
   * Call a function of deal.II's namespace GridGenerator.
   *
   * @param[in] name Its name, e.g. "hyper_cube".
   * @param[in] arguments All its arguments after the triangulation, separated
   *   by ":" (then "," for coordinates); default values cannot be left out.
   * @param[in] where Start of error messages, e.g. "Body 'cube'".
   * @param[out] triangulation An empty triangulation.
   * Throws a UserError for unknown names (with similar ones) and for arguments
   * that do not fit (with an example).
   */
  template <int dim>
  void
  generate_grid(const std::string &name,
                const std::string &arguments,
                const std::string &where,
                dealii::Triangulation<dim> &triangulation);

  /**
   * Names of the generators for bodies of dimension @p dim, each with an
   * example of its arguments.
   */
  template <int dim>
  std::vector<std::pair<std::string, std::string>>
  grid_generator_examples();
} // namespace Ricochet

#endif
