// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

#include <cmath>
#include <limits>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** The rotation vector of a unit quaternion, not longer than half a turn.
     */
    Tensor<1, 3>
    rotation_vector(const boost::math::quaternion<double> &q)
    {
      const double sign = q.R_component_1() < 0. ? -1. : 1.;
      Tensor<1, 3> axis({sign * q.R_component_2(),
                         sign * q.R_component_3(),
                         sign * q.R_component_4()});
      const double sine = axis.norm(); // of half the angle
      return sine > 0.
               ? 2. * std::atan2(sine, sign * q.R_component_1()) / sine * axis
               : axis;
    }
  } // namespace



  /** bodies.csv: each body. */
  template <int dim>
  class BodiesTable : public TableObserver<dim, BodyRow>
  {
  public:
    BodiesTable()
      : TableObserver<dim, BodyRow>("bodies.csv", body_columns())
    {}

  protected:
    std::vector<BodyRow>
    rows(const RunView<dim> &run) override
    {
      const Totals &totals = run.totals();
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      const Tensor<1, 3> unknown({nan, nan, nan});
      std::vector<BodyRow> result;
      for (unsigned int b = 0; b < totals.bodies.size(); ++b)
        {
          BodyRow row{run.settings.names[b],
                      totals.bodies[b],
                      unknown,
                      unknown};
          if (b >= run.solids.n_deformable_bodies())
            {
              const RigidMotion &motion =
                run.state.rigid_motions[b - run.solids.n_deformable_bodies()];
              row.rotation         = rotation_vector(motion.orientation);
              row.angular_velocity = motion.angular_velocity();
            }
          result.push_back(row);
        }
      return result;
    }
  };



  RICOCHET_REGISTER_OBSERVER(
    BodiesTable,
    "bodies",
    "bodies.csv: centre, velocity, spin and energies of each body.")
} // namespace Ricochet
