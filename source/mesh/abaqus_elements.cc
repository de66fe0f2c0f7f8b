// SPDX-License-Identifier: LGPL-2.1-or-later

#include "abaqus_elements.h"

#include <algorithm>
#include <string_view>

namespace Ricochet
{
  namespace
  {
    /** Names begin like this; then come letters for reduced integration,
     * hybrid formulation, temperature and so on, which leave the shape. */
    struct Family
    {
      std::string_view start;
      ElementType type;
    };

    constexpr Family solids[] = {
      {"C3D4", ElementType::tetrahedron_4},
      {"C3D5", ElementType::pyramid_5},
      {"C3D6", ElementType::wedge_6},
      {"C3D8", ElementType::hexahedron_8},
      {"C3D10", ElementType::tetrahedron_10},
      {"C3D20", ElementType::hexahedron_20},
      {"C3D27", ElementType::hexahedron_27},
      {"SC6", ElementType::wedge_6},
      {"SC8", ElementType::hexahedron_8},
      {"CSS8", ElementType::hexahedron_8},
      {"CPE3", ElementType::triangle_3},
      {"CPE4", ElementType::quadrilateral_4},
      {"CPE6", ElementType::triangle_6},
      {"CPE8", ElementType::quadrilateral_8},
      {"CPS3", ElementType::triangle_3},
      {"CPS4", ElementType::quadrilateral_4},
      {"CPS6", ElementType::triangle_6},
      {"CPS8", ElementType::quadrilateral_8},
      {"C2D3", ElementType::triangle_3},
      {"C2D4", ElementType::quadrilateral_4},
      {"C2D6", ElementType::triangle_6},
      {"C2D8", ElementType::quadrilateral_8},
    };

    constexpr Family structures[] = {
      {"M3D3", ElementType::triangle_3},
      {"M3D4", ElementType::quadrilateral_4},
      {"M3D6", ElementType::triangle_6},
      {"M3D8", ElementType::quadrilateral_8},
      {"M3D9", ElementType::quadrilateral_9},
      {"SFM3D3", ElementType::triangle_3},
      {"SFM3D4", ElementType::quadrilateral_4},
      {"SFM3D6", ElementType::triangle_6},
      {"SFM3D8", ElementType::quadrilateral_8},
      {"R3D3", ElementType::triangle_3},
      {"R3D4", ElementType::quadrilateral_4},
      {"F3D3", ElementType::triangle_3},
      {"F3D4", ElementType::quadrilateral_4},
      {"S3", ElementType::triangle_3},
      {"S4", ElementType::quadrilateral_4},
      {"S6", ElementType::triangle_6},
      {"S8", ElementType::quadrilateral_8},
      {"S9", ElementType::quadrilateral_9},
      {"DS3", ElementType::triangle_3},
      {"DS4", ElementType::quadrilateral_4},
      {"DS6", ElementType::triangle_6},
      {"DS8", ElementType::quadrilateral_8},
      {"STRI3", ElementType::triangle_3},
      {"STRI65", ElementType::triangle_6},
      {"T2D2", ElementType::line_2},
      {"T2D3", ElementType::line_3},
      {"T3D2", ElementType::line_2},
      {"T3D3", ElementType::line_3},
      {"B21", ElementType::line_2},
      {"B22", ElementType::line_3},
      {"B23", ElementType::line_2},
      {"B31", ElementType::line_2},
      {"B32", ElementType::line_3},
      {"B33", ElementType::line_2},
      {"R2D2", ElementType::line_2},
      {"F2D2", ElementType::line_2},
      {"DC1D2", ElementType::line_2},
      {"DC1D3", ElementType::line_3},
    };

    constexpr std::string_view shapeless[] = {"SPRING",
                                              "DASHPOT",
                                              "MASS",
                                              "ROTARYI",
                                              "HEATCAP",
                                              "GAP",
                                              "CONN",
                                              "JOINT",
                                              "PIPE",
                                              "FRAME",
                                              "ELBOW",
                                              "RB2D2",
                                              "RB3D2"};

    bool
    starts_with(const std::string_view text, const std::string_view start)
    {
      return text.substr(0, start.size()) == start;
    }

    /** The family of a name; the shell S8R5 ends with its number of degrees
     * of freedom. */
    template <std::size_t n>
    const Family *
    find(const Family (&families)[n], std::string_view name)
    {
      if (name.size() == 4 && name[0] == 'S' &&
          starts_with(name.substr(2), "R5"))
        name.remove_suffix(1);
      for (const Family &family : families)
        if (starts_with(name, family.start) &&
            name.size() <= family.start.size() + 5 &&
            std::all_of(name.begin() + family.start.size(),
                        name.end(),
                        [](const char c) { return c >= 'A' && c <= 'Z'; }))
          return &family;
      return nullptr;
    }

    /** Acoustic, thermal and other elements have the shapes of mechanical
     * ones: DC3D8 is a hexahedron. */
    std::string
    as_mechanical(const std::string &name)
    {
      for (const std::string_view start : {"DCC", "EMC", "DC", "AC", "FC", "Q"})
        if (starts_with(name, start) &&
            (starts_with(std::string_view(name).substr(start.size()), "3D") ||
             starts_with(std::string_view(name).substr(start.size()), "2D")))
          return "C" + name.substr(start.size());
      if (starts_with(name, "CPEG"))
        return "CPE" + name.substr(4);
      return name;
    }
  } // namespace



  std::optional<AbaqusType>
  abaqus_type(const std::string &name, std::string &problem)
  {
    if (const Family *const family = find(solids, as_mechanical(name)))
      return AbaqusType{AbaqusRole::solid, family->type};
    if (const Family *const family = find(structures, name))
      return AbaqusType{AbaqusRole::structure, family->type};
    for (const std::string_view start : shapeless)
      if (starts_with(name, start))
        return AbaqusType{};

    if (name.find("AX") != std::string::npos)
      problem =
        "is axisymmetric, which this program is not. Model the body in "
        "space or in the plane.";
    else if (starts_with(name, "C3D15"))
      problem =
        "is a wedge with 15 nodes, which cannot be read. Take C3D6, "
        "C3D10 or C3D20.";
    else if (starts_with(name, "COH") || starts_with(name, "CIN") ||
             starts_with(name, "GK"))
      problem =
        "is cohesive, infinite or a gasket, which this program does not "
        "have. Leave these elements out of the file.";
    else
      problem =
        "is not known. Known are those of the continuum such as C3D8R, "
        "C3D10 and CPS4. Leave other elements out of the file.";
    return std::nullopt;
  }



  std::optional<std::array<std::uint8_t, 4>>
  abaqus_face(const ElementType type, const unsigned int face)
  {
    using Faces              = std::array<std::array<std::uint8_t, 4>, 6>;
    constexpr auto x         = PlainMesh::no_vertex;
    constexpr Faces hexes    = {{{{0, 1, 2, 3}},
                                 {{4, 7, 6, 5}},
                                 {{0, 4, 5, 1}},
                                 {{1, 5, 6, 2}},
                                 {{2, 6, 7, 3}},
                                 {{3, 7, 4, 0}}}};
    constexpr Faces wedges   = {{{{0, 1, 2, x}},
                                 {{3, 5, 4, x}},
                                 {{0, 3, 4, 1}},
                                 {{1, 4, 5, 2}},
                                 {{2, 5, 3, 0}}}};
    constexpr Faces pyramids = {{{{0, 1, 2, 3}},
                                 {{0, 4, 1, x}},
                                 {{1, 4, 2, x}},
                                 {{2, 4, 3, x}},
                                 {{3, 4, 0, x}}}};
    constexpr Faces tets     = {
          {{{0, 1, 2, x}}, {{0, 3, 1, x}}, {{1, 3, 2, x}}, {{2, 3, 0, x}}}};

    const auto &properties = info(type);
    const unsigned int n   = properties.n_vertices;
    if (properties.dim == 2)
      {
        if (face < 1 || face > n)
          return std::nullopt;
        return {{{static_cast<std::uint8_t>(face - 1),
                  static_cast<std::uint8_t>(face % n),
                  x,
                  x}}};
      }
    const unsigned int n_faces = n == 8 ? 6 : n == 4 ? 4 : 5;
    if (properties.dim != 3 || face < 1 || face > n_faces)
      return std::nullopt;
    const Faces &faces = n == 8   ? hexes
                         : n == 6 ? wedges
                         : n == 5 ? pyramids
                                  : tets;
    return faces[face - 1];
  }
} // namespace Ricochet
