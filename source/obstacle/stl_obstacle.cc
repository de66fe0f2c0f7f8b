// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/patterns.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    using Triangles = std::vector<std::array<std::array<float, 3>, 3>>;

    /** A header of 80 bytes, the number of triangles, and of each its normal,
     * its vertices, and two bytes that mean nothing. */
    Triangles
    read_binary(const std::string &bytes)
    {
      Triangles result((bytes.size() - 84) / 50);
      for (unsigned int i = 0; i < result.size(); ++i)
        std::memcpy(&result[i], bytes.data() + 84 + 50 * i + 12, 36);
      return result;
    }



    bool
    is_binary(const std::string &bytes)
    {
      std::uint32_t n = 0;
      if (bytes.size() < 84)
        return false;
      std::memcpy(&n, bytes.data() + 80, 4);
      return bytes.size() == 84 + 50 * std::size_t(n);
    }



    /** Three lines "vertex x y z" make a triangle. */
    Triangles
    read_text(const std::string &text, const std::string &where)
    {
      Triangles result;
      unsigned int n_vertices = 0;
      std::istringstream in(text);
      for (std::string word; in >> word;)
        if (word == "vertex")
          {
            if (n_vertices % 3 == 0)
              result.emplace_back();
            auto &x = result.back()[n_vertices++ % 3];
            require(static_cast<bool>(in >> x[0] >> x[1] >> x[2]),
                    where + ": vertex " + std::to_string(n_vertices) +
                      " has no three coordinates. Write the file again.");
          }
      require(n_vertices > 0 && n_vertices % 3 == 0,
              where +
                ": this is no STL file of triangles. Its size does not "
                "fit a binary one, and as text it has " +
                std::to_string(n_vertices) + " vertices.");
      return result;
    }
  } // namespace



  /** The triangles of an STL file; deal.II reads none. */
  template <int dim>
  class StlObstacle : public FacetedObstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry(
        "Mesh file",
        "",
        dealii::Patterns::Anything(),
        "STL file, text or binary, with triangles that are "
        "oriented towards the bodies. A relative name starts at the folder of "
        "the parameter file. Place it with 'Motion'. Units: "
        "length, for the coordinates in the file.");
      prm.declare_entry("Scale",
                        "1",
                        dealii::Patterns::Double(1e-300),
                        "Factor on the coordinates of the file, such as 0.001 "
                        "from mm to m. Units: none.");
      prm.declare_entry("Turn around",
                        "false",
                        dealii::Patterns::Bool(),
                        "Whether the file has the triangles oriented away "
                        "from the bodies. Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override;
  };



  template <int dim>
  void
  StlObstacle<dim>::parse_parameters(dealii::ParameterHandler &prm,
                                     const std::string &owner)
  {
    const std::string name  = prm.get("Mesh file");
    const std::string where = owner + ", 'stl/Mesh file' = " + name;
    require(dim == 3, where + ": STL files are for Dimension = 3.");
    std::ifstream in(name, std::ios::binary);
    require(!name.empty() && in.good(),
            where +
              ": the file cannot be opened. Check its name and its "
              "permissions.");
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const double scale              = prm.get_double("Scale");
    const bool turn_around          = prm.get_bool("Turn around");
    ObstacleSurface<dim> &triangles = this->boundary;
    // Each triangle has its own vertices in the file.
    std::map<std::array<float, 3>, unsigned int> numbers;
    for (const auto &triangle :
         is_binary(bytes) ? read_binary(bytes) : read_text(bytes, where))
      {
        std::array<unsigned int, dim> facet{};
        for (unsigned int i = 0; i < dim; ++i)
          {
            const auto entry =
              numbers.emplace(triangle[i], triangles.vertices.size());
            facet[i] = entry.first->second;
            if (!entry.second)
              continue;
            Point<dim> x;
            for (unsigned int d = 0; d < dim; ++d)
              x[d] = scale * triangle[i][d];
            require(std::isfinite(x.square()),
                    where + ": a coordinate is not finite.");
            triangles.vertices.push_back(x);
          }
        if (turn_around)
          std::reverse(facet.begin(), facet.end());
        bool has_area = true;
        for (unsigned int i = 0; i < dim; ++i)
          has_area = has_area && facet[i] != facet[(i + 1) % dim];
        if (has_area)
          triangles.facets.push_back(facet);
      }
  }



  RICOCHET_REGISTER_OBSTACLE(
    StlObstacle,
    "stl",
    "The triangles of an STL file, rigid; exact. Only in 3D.")
} // namespace Ricochet
