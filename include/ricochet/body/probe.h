// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_probe_h
#define ricochet_body_probe_h

#include <ricochet/body/solids.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /** A named material point whose motion is recorded. */
  template <int dim>
  class Probe
  {
  public:
    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read the section that the caller has entered; @p name is its name. */
    void
    parse_parameters(dealii::ParameterHandler &prm, const std::string &name);

    /**
     * Find the cell that holds the point in the reference configuration, or the
     * rigid body that the user named. Collective. Throws a UserError when there
     * is none.
     */
    void
    locate(const Solids<dim> &solids);

    /** Motion of the point, with zeros for missing components. */
    struct Motion
    {
      dealii::Tensor<1, 3> position, displacement, velocity;
    };

    /** Where the point is now. Collective. */
    Motion
    motion(const Solids<dim> &solids, const State &state) const;

    /** The user's name. */
    const std::string &
    get_name() const
    {
      return name;
    }

  private:
    std::string name, body_name;
    dealii::Point<dim> reference_position;

    /** Find the cell. */
    void
    locate_in_cells(const Solids<dim> &solids);

    /** The rigid body, and where the point is in its axes. */
    std::optional<unsigned int> rigid_body;
    dealii::Tensor<1, dim> arm;

    /** Else: forest, first degrees of freedom of the nodes of the cell,
     * weights. */
    unsigned int forest = 0;
    std::vector<dealii::types::global_dof_index> dofs;
    std::vector<double> weights;
  };
} // namespace Ricochet

#endif
