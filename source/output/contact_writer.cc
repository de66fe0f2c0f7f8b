// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/contact_writer.h>
#include <ricochet/output/output_file.h>
#include <ricochet/output/surface_vtu.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace Ricochet
{
  template <int dim>
  void
  ContactInterval<dim>::reset(const unsigned int n_nodes, const double time)
  {
    begin = time;
    impulses.assign(n_nodes, dealii::Tensor<1, dim>());
    normal_impulses.assign(n_nodes, 0.);
    tangential_impulses.assign(n_nodes, 0.);
    gaps.assign(n_nodes, std::numeric_limits<double>::quiet_NaN());
    status.assign(n_nodes, static_cast<double>(ContactStatus::open));
  }



  template <int dim>
  void
  ContactInterval<dim>::add(const ContactState<dim> &state, const double share)
  {
    step_nodes = state.touched_nodes;
    std::sort(step_nodes.begin(), step_nodes.end());
    step_nodes.erase(std::unique(step_nodes.begin(), step_nodes.end()),
                     step_nodes.end());

    for (const unsigned int n : step_nodes)
      {
        impulses[n] += state.impulses[n];
        normal_impulses[n] += share * state.normal_impulses[n];

        // Node by node the contact points of one step share a normal, or
        // nearly so; over several steps they do not.
        tangential_impulses[n] +=
          share * std::sqrt(std::max(0.,
                                     state.impulses[n].norm_square() -
                                       state.normal_impulses[n] *
                                         state.normal_impulses[n]));

        // Nodes that were only moved keep what the last impulse told.
        if (state.status[n] != ContactStatus::open)
          status[n] = static_cast<double>(state.status[n]);
      }

    // Contact points on obstacles are no nodes of the surface.
    for (const auto &collision : state.handled)
      for (const unsigned int n : collision.nodes)
        if (n < gaps.size())
          gaps[n] = std::numeric_limits<double>::infinity();
    for (const auto &collision : state.handled)
      {
        const double gap =
          collision.normal * collision.weighted_sum(state.end_positions);
        for (const unsigned int n : collision.nodes)
          if (n < gaps.size())
            gaps[n] = std::min(gaps[n], gap);
      }
  }



  template <int dim>
  void
  ContactInterval<dim>::append(const ContactInterval<dim> &other)
  {
    const auto add = [](auto &values, const auto &others) {
      values.insert(values.end(), others.begin(), others.end());
    };
    add(impulses, other.impulses);
    add(normal_impulses, other.normal_impulses);
    add(tangential_impulses, other.tangential_impulses);
    add(gaps, other.gaps);
    add(status, other.status);
  }



  template <int dim>
  void
  ContactInterval<dim>::prepare(const unsigned int n_nodes, const double time)
  {
    if (gaps.size() != n_nodes)
      reset(n_nodes, time);
  }



  template <int dim>
  void
  ContactInterval<dim>::serialize(CheckpointArchive &archive,
                                  const std::string &name)
  {
    const std::size_t n_nodes = gaps.size();
    archive("begin of interval on " + name, begin);
    archive("impulses on " + name, impulses);
    archive("normal impulses on " + name, normal_impulses);
    archive("tangential impulses on " + name, tangential_impulses);
    archive("gaps on " + name, gaps);
    archive("status on " + name, status);
    require(gaps.size() == n_nodes,
            "The checkpoint belongs to another contact surface. Restart with "
            "the parameter file that it was made with.");
  }



  namespace
  {
    /** Sum of weights times node values at a vertex. */
    template <int dim, typename Value>
    Value
    at_vertex(const Surface<dim> &surface,
              const unsigned int v,
              const std::vector<Value> &node_values)
    {
      Value sum = Value();
      for (unsigned int k = surface.node_begin[v];
           k < surface.node_begin[v + 1];
           ++k)
        sum += surface.node_weights[k] * node_values[surface.vertex_nodes[k]];
      return sum;
    }



    /** Each vertex's share of the area of its facets (length in 2D). */
    template <int dim>
    std::vector<double>
    vertex_areas(const Surface<dim> &surface,
                 const std::vector<dealii::Point<dim>> &positions)
    {
      std::vector<double> areas(surface.n_vertices(), 0.);
      for (const auto &facet : surface.facets)
        {
          const auto edge = positions[facet[1]] - positions[facet[0]];
          double area     = 0.;
          if constexpr (dim == 2)
            area = edge.norm();
          else
            area = 0.5 * dealii::cross_product_3d(edge,
                                                  positions[facet[2]] -
                                                    positions[facet[0]])
                           .norm();
          for (const unsigned int v : facet)
            areas[v] += area / dim;
        }
      return areas;
    }



    /** The fields of the file at the vertices, which are at @p positions. */
    template <int dim>
    SurfaceFields<dim>
    compute_fields(const Surface<dim> &surface,
                   const std::vector<dealii::Point<dim>> &positions,
                   const ContactInterval<dim> &interval,
                   const double length)
    {
      const unsigned int n_vertices = surface.n_vertices();

      // Impulses live on nodes. Divided by the node's share of the area they
      // become densities, which can be interpolated to vertices between nodes.
      const auto areas = vertex_areas(surface, positions);
      std::vector<double> node_areas(surface.n_nodes, 0.);
      for (unsigned int v = 0; v < n_vertices; ++v)
        for (unsigned int k = surface.node_begin[v];
             k < surface.node_begin[v + 1];
             ++k)
          node_areas[surface.vertex_nodes[k]] +=
            surface.node_weights[k] * areas[v];

      auto densities  = interval.impulses;
      auto normal     = interval.normal_impulses;
      auto tangential = interval.tangential_impulses;
      for (unsigned int n = 0; n < surface.n_nodes; ++n)
        {
          const double factor = (node_areas[n] > 0. ? 1. / node_areas[n] : 0.);
          densities[n] *= factor;
          normal[n] *= factor;
          tangential[n] *= factor;
        }

      const double rate = (length > 0. ? 1. / length : 0.);
      std::vector<dealii::Tensor<1, dim>> impulses;
      std::vector<double> normal_pressures, tangential_pressures, gaps, status;
      for (unsigned int v = 0; v < n_vertices; ++v)
        {
          impulses.push_back(areas[v] * at_vertex(surface, v, densities));
          normal_pressures.push_back(rate * at_vertex(surface, v, normal));
          tangential_pressures.push_back(rate *
                                         at_vertex(surface, v, tangential));

          gaps.push_back(std::numeric_limits<double>::quiet_NaN());
          status.push_back(0.);
          for (unsigned int k = surface.node_begin[v];
               k < surface.node_begin[v + 1];
               ++k)
            {
              const unsigned int n = surface.vertex_nodes[k];
              // Ignores nan.
              gaps.back()   = std::fmin(gaps.back(), interval.gaps[n]);
              status.back() = std::max(status.back(), interval.status[n]);
            }
        }
      return {{{"contact_impulse", impulses}},
              {{"normal_pressure", normal_pressures},
               {"tangential_pressure", tangential_pressures},
               {"gap", gaps},
               {"status", status}}};
    }
  } // namespace



  template <int dim>
  ContactWriter<dim>::ContactWriter(const OutputDirectory &directory,
                                    const Surface<dim> &surface,
                                    const std::optional<ResumePoint> &resume,
                                    const std::string &name)
    : directory(directory)
    , surface(surface)
    , series(directory, name, resume)
  {}



  template <int dim>
  void
  ContactWriter<dim>::write(const double time,
                            const unsigned long int step,
                            const std::vector<dealii::Point<dim>> &positions,
                            const ContactInterval<dim> &interval)
  {
    AssertDimension(positions.size(), surface.n_nodes);
    AssertDimension(interval.impulses.size(), surface.n_nodes);

    std::vector<dealii::Point<dim>> buffer;
    const auto &vertices  = surface.vertex_positions(positions, buffer);
    const std::string vtu = surface_vtu<dim>(
      surface.facets,
      surface.facet_body,
      vertices,
      compute_fields(surface, vertices, interval, time - interval.begin),
      time,
      step);

    const std::string file = series.stem(series.next_number()) + ".vtu";
    write_file(directory.file(file), vtu);
    series.add(time, {file});
  }



  template struct ContactInterval<2>;
  template struct ContactInterval<3>;
  template class ContactWriter<2>;
  template class ContactWriter<3>;
} // namespace Ricochet
