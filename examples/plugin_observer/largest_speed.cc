// SPDX-License-Identifier: LGPL-2.1-or-later

// An output that Ricochet does not have. Everything that makes it known to the
// registry, and so to parameter files, is in this file.

#include <ricochet/output/table_observer.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace RicochetExamples
{
  /** A row of the table: one body at the end of a step. */
  struct Speed
  {
    std::string body;
    double largest;

    /** The largest of all steps with a row until now. */
    double largest_so_far;
  };



  /** Writes speeds.csv: the largest speed of any node of each body. */
  template <int dim>
  class LargestSpeed : public Ricochet::TableObserver<dim, Speed>
  {
  public:
    LargestSpeed()
      : Ricochet::TableObserver<dim, Speed>(
          "speeds.csv",
          {{"body", [](const Speed &row) { return row.body; }},
           {"largest", [](const Speed &row) { return row.largest; }},
           {"so_far", [](const Speed &row) { return row.largest_so_far; }}})
    {}

    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Unit",
                        "1",
                        dealii::Patterns::Double(1e-300),
                        "The speed that the table counts as one. Units: "
                        "velocity.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      unit = prm.get_double("Unit");
    }

    void
    prepare(const Ricochet::RunView<dim> &run) override
    {
      so_far.resize(run.solids.n_bodies(), 0.);
    }

    void
    serialize(Ricochet::CheckpointArchive &archive) override
    {
      archive("largest so far", so_far);
    }

  protected:
    std::vector<Speed>
    rows(const Ricochet::RunView<dim> &run) override
    {
      // Each rank looks at its own nodes.
      std::vector<double> largest(so_far.size(), 0.);
      for (unsigned int p = 0; p < run.solids.n_forests(); ++p)
        {
          const auto &velocities = run.state.velocities[p];
          const auto &bodies     = run.solids.forest(p).get_node_bodies();
          for (unsigned int n = 0; n < velocities.locally_owned_size() / dim;
               ++n)
            {
              double square = 0.;
              for (unsigned int d = 0; d < dim; ++d)
                square += std::pow(velocities.local_element(dim * n + d), 2);
              largest[bodies[n]] =
                std::max(largest[bodies[n]], std::sqrt(square) / unit);
            }
        }
      dealii::Utilities::MPI::max(largest, run.communicator(), largest);

      std::vector<Speed> result;
      for (unsigned int b = 0; b < largest.size(); ++b)
        {
          so_far[b] = std::max(so_far[b], largest[b]);
          result.push_back({run.settings.names[b], largest[b], so_far[b]});
        }
      return result;
    }

  private:
    double unit = 1.;
    std::vector<double> so_far;
  };



  RICOCHET_REGISTER_OBSERVER(LargestSpeed,
                             "largest speed",
                             "speeds.csv: the largest speed of each body.")
} // namespace RicochetExamples
