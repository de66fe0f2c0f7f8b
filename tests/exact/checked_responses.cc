// SPDX-License-Identifier: LGPL-2.1-or-later

// Linked with the program's own main(), lets every contact response look, by
// exact predicates, at the surface that the last step left, and stop the run
// if bodies intersect there.

#include <ricochet/response/contact_correction.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contact_surface.h"

namespace
{
  using namespace Ricochet;

  /** As in check_intersections. */
  constexpr double shrinkage = 1e-13;



  /** A surface and whether its bodies intersect. */
  template <int dim>
  class ExactCheck
  {
  public:
    void
    reinit(const Surface<dim> &new_surface)
    {
      surface   = &new_surface;
      exact.dim = dim;
      n_checked = 0;
      exact.facets.clear();
      for (const auto &facet : surface->facets)
        {
          std::array<std::size_t, 3> vertices{{0, 0, 0}};
          std::copy(facet.begin(), facet.end(), vertices.begin());
          exact.facets.push_back(vertices);
        }
      exact.facet_body = surface->facet_body;
    }

    /** Throw std::runtime_error if bodies intersect. */
    void
    check(const std::vector<dealii::Point<dim>> &nodes)
    {
      ++n_checked;
      const auto &positions = surface->vertex_positions(nodes, buffer);
      exact.vertices.resize(surface->vertex_body.size());
      for (unsigned int v = 0; v < exact.vertices.size(); ++v)
        for (unsigned int d = 0; d < dim; ++d)
          exact.vertices[v][d] = positions[v][d];
      exact.shrink(shrinkage);
      const auto pairs     = exact.intersections(false);
      const auto contained = exact.contained();
      if (pairs.empty() && contained.empty())
        return;
      const auto bodies =
        pairs.empty() ? std::make_pair(contained[0].inner, contained[0].outer)
                      : std::make_pair(exact.facet_body[pairs[0].first],
                                       exact.facet_body[pairs[0].second]);
      throw std::runtime_error(
        "At the start of step " + std::to_string(n_checked) +
        " of this run, bodies " + std::to_string(bodies.first) + " and " +
        std::to_string(bodies.second) + " intersect.");
    }

    unsigned long int
    n_steps() const
    {
      return n_checked;
    }

  private:
    const Surface<dim> *surface = nullptr;
    Testing::ContactSurface exact;
    std::vector<dealii::Point<dim>> buffer;
    unsigned long int n_checked = 0;
  };



  /** A response that is looked at before it acts. */
  template <int dim>
  class CheckedResponse : public ContactCorrection<dim>
  {
  public:
    explicit CheckedResponse(std::unique_ptr<ContactCorrection<dim>> response)
      : owner(std::move(response))
      , inner(*owner)
    {}

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      inner.parse_parameters(prm);
    }

    void
    set_bodies(const std::vector<std::string> &names) override
    {
      inner.set_bodies(names);
    }

    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &search,
           const std::vector<double> &skin_heights) override
    {
      exact.reinit(surface);
      inner.reinit(surface, search, skin_heights);
    }

    bool
    limits_step() const override
    {
      return inner.limits_step();
    }

    double
    step_limit(const std::vector<double> &speeds) const override
    {
      return inner.step_limit(speeds);
    }

    std::vector<std::pair<std::string, double>>
    numbers() const override
    {
      auto result = inner.numbers();
      result.emplace_back("surfaces without intersection", exact.n_steps());
      return result;
    }

    bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) override
    {
      if (!state.has_acted())
        exact.check(state.start_positions);
      return inner.correct(surface, encounters, settings, state);
    }

    void
    check(const PassSettings &settings) const override
    {
      inner.check(settings);
    }

    bool
    updates_velocities() const override
    {
      return inner.updates_velocities();
    }

    void
    update_velocities(const Surface<dim> &surface,
                      ContactState<dim> &state) override
    {
      inner.update_velocities(surface, state);
    }

    std::string
    warning(const PassSettings &settings,
            const double courant_number) const override
    {
      return inner.warning(settings, courant_number);
    }

  private:
    std::unique_ptr<ContactCorrection<dim>> owner;
    ContactCorrection<dim> &inner;
    ExactCheck<dim> exact;
  };



  /** Put the check around all responses that the library has. */
  template <int dim>
  bool
  check_all()
  {
    for (auto &[name, entry] : Registry<ContactCorrection<dim>>::entries())
      entry.create = [create = entry.create]() {
        return std::make_unique<CheckedResponse<dim>>(create());
      };
    return true;
  }

  const bool is_checked = check_all<2>() && check_all<3>();
} // namespace
