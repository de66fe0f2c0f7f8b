// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/compat.h>
#include <ricochet/output/surface_vtu.h>

#include <deal.II/base/data_out_base.h>
#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>
#include <deal.II/grid/reference_cell.h>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstdint>
#include <sstream>
#include <tuple>

namespace Ricochet
{
  namespace
  {
    /** Hands facets with their fields to the writers of deal.II. */
    template <int dim>
    class SurfaceOut : public dealii::DataOutInterface<dim - 1, dim>
    {
    public:
      using Patch = dealii::DataOutBase::Patch<dim - 1, dim>;

      /** The fields must outlive this object. */
      SurfaceOut(const std::vector<std::array<unsigned int, dim>> &facets,
                 const std::vector<unsigned int> &facet_bodies,
                 const std::vector<dealii::Point<dim>> &positions,
                 const SurfaceFields<dim> &fields)
        : fields(fields)
      {
        for (unsigned int f = 0; f < facets.size(); ++f)
          {
            Patch patch;
            patch.reference_cell =
              (dim == 2 ? dealii::ReferenceCells::Line
                        : dealii::ReferenceCells::Triangle);
            patch.patch_index    = f;
            patch.n_subdivisions = 1;
            patch.data.reinit(dim * fields.vectors.size() + 1 +
                                fields.scalars.size(),
                              dim);
            for (unsigned int i = 0; i < dim; ++i)
              {
                const unsigned int v = facets[f][i];
                patch.vertices[i]    = positions[v];

                unsigned int row = 0;
                for (const auto &[name, values] : fields.vectors)
                  for (unsigned int d = 0; d < dim; ++d)
                    patch.data(row++, i) = values[v][d];
                patch.data(row++, i) = facet_bodies[f];
                for (const auto &[name, values] : fields.scalars)
                  patch.data(row++, i) = values[v];
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
        std::vector<std::string> names;
        for (const auto &[name, values] : fields.vectors)
          names.insert(names.end(), dim, name);
        names.emplace_back("body");
        for (const auto &[name, values] : fields.scalars)
          names.push_back(name);
        return names;
      }

      std::vector<std::tuple<
        unsigned int,
        unsigned int,
        std::string,
        dealii::DataComponentInterpretation::DataComponentInterpretation>>
      get_nonscalar_data_ranges() const override
      {
        std::vector<std::tuple<
          unsigned int,
          unsigned int,
          std::string,
          dealii::DataComponentInterpretation::DataComponentInterpretation>>
          ranges;
        for (unsigned int k = 0; k < fields.vectors.size(); ++k)
          ranges.emplace_back(
            k * dim,
            (k + 1) * dim - 1,
            fields.vectors[k].first,
            dealii::DataComponentInterpretation::component_is_part_of_vector);
        return ranges;
      }

      const SurfaceFields<dim> &fields;
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
                   const std::vector<std::array<unsigned int, dim>> &facets,
                   const std::vector<dealii::Point<dim>> &positions)
    {
      const std::size_t begin = vtu.find("<Points>");
      const std::size_t end   = vtu.find("</Points>");
      if (end == std::string::npos) // no facets
        return;

      std::vector<double> points; // in the order of the patches
      for (const auto &facet : facets)
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
  std::string
  surface_vtu(const std::vector<std::array<unsigned int, dim>> &facets,
              const std::vector<unsigned int> &facet_bodies,
              const std::vector<dealii::Point<dim>> &positions,
              const SurfaceFields<dim> &fields,
              const double time,
              const unsigned long int step)
  {
    SurfaceOut<dim> out(facets, facet_bodies, positions, fields);
    out.set_flags(vtk_flags(time, step));
    std::ostringstream text;
    text.precision(17); // for the time
    out.write_vtu(text);
    std::string vtu = text.str();
    replace_points<dim>(vtu, facets, positions);
    return vtu;
  }



#define RICOCHET_INSTANTIATE(dim)                       \
  template std::string surface_vtu<dim>(                \
    const std::vector<std::array<unsigned int, dim>> &, \
    const std::vector<unsigned int> &,                  \
    const std::vector<dealii::Point<dim>> &,            \
    const SurfaceFields<dim> &,                         \
    const double,                                       \
    const unsigned long int);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
