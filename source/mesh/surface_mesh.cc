// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_file.h>
#include <ricochet/mesh/surface_mesh.h>

#include <deal.II/base/mpi.h>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** Coordinates of triangles, nine numbers each. */
    std::vector<double>
    triangles_of(const PlainMesh &mesh, const std::string &where)
    {
      std::vector<double> numbers;
      for (const PlainMesh::Element &element : mesh.elements)
        {
          const ElementTypeInfo &type = info(element.type);
          require(type.dim < 3,
                  where + ": the file has " + type.name +
                    ", so it is more than a surface. Set 'Surface' = mesh, and "
                    "name the file in the section 'Mesh'.");
          if (type.dim < 2)
            continue;
          for (unsigned int v = 2; v < type.n_vertices; ++v)
            for (const unsigned int w : {0u, v - 1, v})
              {
                const auto &x = mesh.points[mesh.nodes[element.first_node + w]];
                numbers.insert(numbers.end(), x.begin(), x.end());
              }
        }
      require(!numbers.empty(),
              where +
                ": the file has no triangles and no quadrilaterals, so "
                "there is no surface. Name another file.");
      return numbers;
    }
  } // namespace



  std::vector<std::array<Point<3>, 3>>
  read_surface_mesh(const std::string &file_name,
                    const std::string &where,
                    const MPI_Comm communicator)
  {
    std::vector<double> numbers;
    on_first_rank(communicator, [&]() {
      numbers =
        triangles_of(read_mesh_file<3>(file_name, "auto", where), where);
    });
    namespace MPI = dealii::Utilities::MPI;
    numbers.resize(MPI::broadcast(communicator, numbers.size(), 0));
    MPI::broadcast(numbers.data(), numbers.size(), 0, communicator);

    std::vector<std::array<Point<3>, 3>> triangles(numbers.size() / 9);
    for (unsigned int i = 0; i < numbers.size(); ++i)
      triangles[i / 9][i / 3 % 3][i % 3] = numbers[i];
    return triangles;
  }
} // namespace Ricochet
