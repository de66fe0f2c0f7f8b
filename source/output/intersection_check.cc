// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/observer.h>
#include <ricochet/overlap/intersections.h>

#include <deal.II/base/patterns.h>

#include <algorithm>

namespace Ricochet
{
  /** Counts what must not be: facets that pass through each other. */
  template <int dim>
  class IntersectionCheck : public Observer<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Check intersections",
                        "false",
                        dealii::Patterns::Bool(),
                        "Whether to count, at each history row, the pairs of "
                        "facets of different bodies that pass through each "
                        "other. Costs time; the summary tells the sum. Units: "
                        "None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      is_on = prm.get_bool("Check intersections");
    }

    void
    record(const RunView<dim> &run) override
    {
      if (!is_on || !run.row_is_due())
        return;
      const auto &surface = run.contact.get_surface();
      const auto pairs =
        intersecting_facets(surface, run.contact.vertex_positions());
      // Obstacles may stand in each other.
      const auto is_body = [&](const unsigned int facet) {
        return surface.facet_body[facet] < run.solids.n_bodies();
      };
      n_pairs +=
        std::count_if(pairs.begin(), pairs.end(), [&](const auto &pair) {
          return is_body(pair[0]) || is_body(pair[1]);
        });
    }

    std::vector<std::pair<std::string, double>>
    numbers() const override
    {
      if (!is_on)
        return {};
      return {{"intersecting facet pairs", double(n_pairs)}};
    }

    void
    serialize(CheckpointArchive &archive) override
    {
      archive("number of pairs", n_pairs);
    }

  private:
    bool is_on                = false;
    unsigned long int n_pairs = 0;
  };



  RICOCHET_REGISTER_OBSERVER(
    IntersectionCheck,
    "intersection check",
    "Counts facets of different bodies that pass through each other.")
} // namespace Ricochet
