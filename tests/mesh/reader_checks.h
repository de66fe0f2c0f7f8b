// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_mesh_reader_checks_h
#define ricochet_tests_mesh_reader_checks_h

#include <ricochet/base/error.h>
#include <ricochet/mesh/plain_mesh.h>

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

/** A text with all of one part replaced. */
inline std::string
replaced(std::string text, const std::string &part, const std::string &by)
{
  EXPECT_NE(text.find(part), std::string::npos) << part;
  for (auto i = text.find(part); i != std::string::npos;
       i      = text.find(part, i + by.size()))
    text.replace(i, part.size(), by);
  return text;
}

/** Call a function that must throw a UserError with @p part in its text. */
template <typename Function>
void
expect_user_error(const Function &function, const std::string &part)
{
  try
    {
      function();
      ADD_FAILURE() << "no error, but there should be: " << part;
    }
  catch (const Ricochet::UserError &error)
    {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "expected: " << part << "\ngot: " << error.what();
    }
}

/** The only group with a name and dimension. */
inline const Ricochet::PlainMesh::Group &
group(const Ricochet::PlainMesh &mesh,
      const std::string_view name,
      const unsigned int dim)
{
  static const Ricochet::PlainMesh::Group none;
  const Ricochet::PlainMesh::Group *result = nullptr;
  for (const auto &group : mesh.groups)
    if (group.name == name && group.dim == dim)
      {
        EXPECT_EQ(result, nullptr) << name;
        result = &group;
      }
  EXPECT_NE(result, nullptr) << "no group " << name;
  return result != nullptr ? *result : none;
}

/** The only group with a number and dimension. */
inline const Ricochet::PlainMesh::Group &
group(const Ricochet::PlainMesh &mesh,
      const std::int64_t number,
      const unsigned int dim)
{
  static const Ricochet::PlainMesh::Group none;
  for (const auto &group : mesh.groups)
    if (group.number == number && group.dim == dim)
      return group;
  ADD_FAILURE() << "no group " << number;
  return none;
}

/** The volume of all parallelepipeds of a mesh, negative for those that are
 * inside out. */
inline double
volume(const Ricochet::PlainMesh &mesh)
{
  double sum = 0;
  for (const auto &element : mesh.elements)
    if (Ricochet::info(element.type).n_vertices == 8)
      {
        const auto edge = [&](const unsigned int k, const unsigned int d) {
          return mesh.points[mesh.nodes[element.first_node + k]][d] -
                 mesh.points[mesh.nodes[element.first_node]][d];
        };
        for (unsigned int d = 0; d < 3; ++d)
          sum += edge(1, d) * (edge(3, (d + 1) % 3) * edge(4, (d + 2) % 3) -
                               edge(3, (d + 2) % 3) * edge(4, (d + 1) % 3));
      }
  return sum;
}

/** The mean of the vertices of a side. */
inline std::array<double, 3>
centre_of_side(const Ricochet::PlainMesh &mesh,
               const Ricochet::PlainMesh::Side &side)
{
  std::array<double, 3> sum{{}};
  unsigned int n = 0;
  for (const auto v : side.vertices)
    if (v != Ricochet::PlainMesh::no_vertex)
      {
        ++n;
        for (unsigned int d = 0; d < 3; ++d)
          sum[d] +=
            mesh.points[mesh.nodes[mesh.elements[side.element].first_node + v]]
                       [d];
      }
  for (double &x : sum)
    x /= n;
  return sum;
}

/** The first element's nodes 8 to 19 (of a hexahedron), 4 to 9 (of a
 * tetrahedron) or from the first after the vertices on (of the others) must be
 * in the middle of edges. */
inline void
expect_midpoints(const Ricochet::PlainMesh &mesh)
{
  using Edges             = std::vector<std::pair<unsigned int, unsigned int>>;
  const auto &element     = mesh.elements.at(0);
  const auto n            = Ricochet::info(element.type).n_vertices;
  const unsigned int dim  = Ricochet::info(element.type).dim;
  const Edges hexahedron  = {{0, 1},
                             {1, 2},
                             {2, 3},
                             {3, 0},
                             {4, 5},
                             {5, 6},
                             {6, 7},
                             {7, 4},
                             {0, 4},
                             {1, 5},
                             {2, 6},
                             {3, 7}};
  const Edges tetrahedron = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  Edges edges             = dim == 3   ? (n == 8 ? hexahedron : tetrahedron)
                            : dim == 1 ? Edges{{0, 1}}
                                       : Edges();
  for (unsigned int i = 0; dim == 2 && i < n; ++i)
    edges.emplace_back(i, (i + 1) % n);
  const auto x = [&](const unsigned int k, const unsigned int d) {
    return mesh.points[mesh.nodes[element.first_node + k]][d];
  };
  ASSERT_GE(Ricochet::info(element.type).n_nodes, n + edges.size());
  for (unsigned int i = 0; i < edges.size(); ++i)
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_NEAR(x(n + i, d),
                  .5 * (x(edges[i].first, d) + x(edges[i].second, d)),
                  1e-14)
        << "edge " << i;
}

#endif
