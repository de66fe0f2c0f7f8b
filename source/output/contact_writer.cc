// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/compat.h>
#include <ricochet/base/error.h>
#include <ricochet/output/contact_writer.h>
#include <ricochet/output/output_file.h>

#include <deal.II/base/data_out_base.h>
#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>
#include <deal.II/grid/reference_cell.h>

#include <algorithm>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

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
    /** The fields of the file at the vertices of the surface. */
    template <int dim>
    struct VertexFields
    {
      std::vector<dealii::Point<dim>> positions;
      std::vector<dealii::Tensor<1, dim>> impulses;
      std::vector<double> normal_pressures;
      std::vector<double> tangential_pressures;
      std::vector<double> gaps, status;
    };



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



    template <int dim>
    VertexFields<dim>
    compute_fields(const Surface<dim> &surface,
                   const std::vector<dealii::Point<dim>> &positions,
                   const ContactInterval<dim> &interval,
                   const double length)
    {
      const unsigned int n_vertices = surface.n_vertices();

      VertexFields<dim> fields;
      for (unsigned int v = 0; v < n_vertices; ++v)
        {
          dealii::Point<dim> x;
          for (unsigned int k = surface.node_begin[v];
               k < surface.node_begin[v + 1];
               ++k)
            x += surface.node_weights[k] * positions[surface.vertex_nodes[k]];
          fields.positions.push_back(x);
        }

      // Impulses live on nodes. Divided by the node's share of the area they
      // become densities, which can be interpolated to vertices between nodes.
      const auto areas = vertex_areas(surface, fields.positions);
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
      for (unsigned int v = 0; v < n_vertices; ++v)
        {
          fields.impulses.push_back(areas[v] *
                                    at_vertex(surface, v, densities));
          fields.normal_pressures.push_back(rate *
                                            at_vertex(surface, v, normal));
          fields.tangential_pressures.push_back(
            rate * at_vertex(surface, v, tangential));

          double gap    = std::numeric_limits<double>::quiet_NaN();
          double status = 0.;
          for (unsigned int k = surface.node_begin[v];
               k < surface.node_begin[v + 1];
               ++k)
            {
              const unsigned int n = surface.vertex_nodes[k];
              gap    = std::fmin(gap, interval.gaps[n]); // ignores nan
              status = std::max(status, interval.status[n]);
            }
          fields.gaps.push_back(gap);
          fields.status.push_back(status);
        }
      return fields;
    }



    /** Hands facets with their fields to the writers of deal.II. */
    template <int dim>
    class SurfaceOut : public dealii::DataOutInterface<dim - 1, dim>
    {
    public:
      using Patch = dealii::DataOutBase::Patch<dim - 1, dim>;

      SurfaceOut(const Surface<dim> &surface, const VertexFields<dim> &fields)
      {
        for (unsigned int f = 0; f < surface.n_facets(); ++f)
          {
            Patch patch;
            patch.reference_cell =
              (dim == 2 ? dealii::ReferenceCells::Line
                        : dealii::ReferenceCells::Triangle);
            patch.patch_index    = f;
            patch.n_subdivisions = 1;
            patch.data.reinit(dim + 5, dim);
            for (unsigned int i = 0; i < dim; ++i)
              {
                const unsigned int v = surface.facets[f][i];
                patch.vertices[i]    = fields.positions[v];

                unsigned int row = 0;
                for (unsigned int d = 0; d < dim; ++d)
                  patch.data(row++, i) = fields.impulses[v][d];
                patch.data(row++, i) = surface.facet_body[f];
                patch.data(row++, i) = fields.normal_pressures[v];
                patch.data(row++, i) = fields.tangential_pressures[v];
                patch.data(row++, i) = fields.gaps[v];
                patch.data(row++, i) = fields.status[v];
              }
            patches.push_back(patch);
          }
      }

    private:
      const std::vector<Patch> &
      get_patches() const override
      {
        return patches;
      }

      std::vector<std::string>
      get_dataset_names() const override
      {
        std::vector<std::string> names(dim, "contact_impulse");
        for (const char *const name : {"body",
                                       "normal_pressure",
                                       "tangential_pressure",
                                       "gap",
                                       "status"})
          names.emplace_back(name);
        return names;
      }

      std::vector<std::tuple<
        unsigned int,
        unsigned int,
        std::string,
        dealii::DataComponentInterpretation::DataComponentInterpretation>>
      get_nonscalar_data_ranges() const override
      {
        return {std::make_tuple(
          0u,
          dim - 1u,
          std::string("contact_impulse"),
          dealii::DataComponentInterpretation::component_is_part_of_vector)};
      }

      std::vector<Patch> patches;
    };



    /**
     * What stands in a binary DataArray of a VTU file with compression: the
     * number of blocks, their sizes before compression, the compressed size,
     * and the block.
     */
    std::string
    encode(const std::vector<double> &values)
    {
      namespace io = boost::iostreams;

      const std::uint32_t size = values.size() * sizeof(double);
      std::string block;
      {
        io::filtering_ostream out;
        out.push(io::zlib_compressor(io::zlib::best_speed));
        out.push(io::back_inserter(block));
        out.write(reinterpret_cast<const char *>(values.data()), size);
      }

      const std::uint32_t sizes[] = {1,
                                     size,
                                     size,
                                     static_cast<std::uint32_t>(block.size())};
      const std::string header(reinterpret_cast<const char *>(sizes),
                               sizeof(sizes));
      return dealii::Utilities::encode_base64({header.begin(), header.end()}) +
             dealii::Utilities::encode_base64({block.begin(), block.end()});
    }



    /**
     * Put positions in double precision into a VTU file: deal.II writes single
     * precision, in which surfaces that are close to each other intersect.
     */
    template <int dim>
    void
    replace_points(std::string &vtu,
                   const Surface<dim> &surface,
                   const std::vector<dealii::Point<dim>> &positions)
    {
      const std::size_t begin = vtu.find("<Points>");
      const std::size_t end   = vtu.find("</Points>");
      if (end == std::string::npos) // no facets
        return;

      std::vector<double> points; // in the order of the patches
      for (const auto &facet : surface.facets)
        for (const unsigned int v : facet)
          for (unsigned int d = 0; d < 3; ++d)
            points.push_back(d < dim ? positions[v][d] : 0.);
      vtu.replace(begin,
                  end - begin,
                  "<Points>\n<DataArray type=\"Float64\" "
                  "NumberOfComponents=\"3\" format=\"binary\">\n" +
                    encode(points) + "\n</DataArray>\n");
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

    const auto fields =
      compute_fields(surface, positions, interval, time - interval.begin);
    SurfaceOut<dim> out(surface, fields);
    out.set_flags(vtk_flags(time, step));
    std::ostringstream text;
    text.precision(17); // for the time
    out.write_vtu(text);
    std::string vtu = text.str();
    replace_points(vtu, surface, fields.positions);

    const std::string file = series.stem(series.next_number()) + ".vtu";
    write_file(directory.file(file), vtu);
    series.add(time, {file});
  }



  template struct ContactInterval<2>;
  template struct ContactInterval<3>;
  template class ContactWriter<2>;
  template class ContactWriter<3>;
} // namespace Ricochet
