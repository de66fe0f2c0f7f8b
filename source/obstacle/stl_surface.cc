// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/obstacle/stl_file.h>
#include <ricochet/obstacle/stl_surface.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** "1 triangle", "2 triangles". */
    std::string
    count(const unsigned int n, const std::string &word)
    {
      return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
    }



    void
    note_what_was_mended(const SurfaceCheck &check,
                         std::vector<std::string> &remarks)
    {
      if (check.n_without_area > 0)
        remarks.push_back("left out " +
                          count(check.n_without_area, "triangle") +
                          " without area.");
      if (check.n_repeated > 0)
        remarks.push_back("left out " + count(check.n_repeated, "triangle") +
                          " that the file has twice.");
      if (check.n_backs > 0)
        remarks.push_back("left out " + count(check.n_backs, "triangle") +
                          " that are the backs of others.");
      if (check.n_turned > 0)
        remarks.push_back("turned " + count(check.n_turned, "triangle") +
                          " that faced the other way than the neighbors.");
    }
  } // namespace



  MendedSurface
  surface_of_triangles(std::vector<std::array<Point<3>, 3>> triangles,
                       const double scale,
                       const bool reverse,
                       const std::string &where)
  {
    // Squares of coordinates have to be numbers, too.
    constexpr double largest = 1e100;

    for (auto &triangle : triangles)
      {
        for (Point<3> &x : triangle)
          for (unsigned int d = 0; d < 3; ++d)
            {
              if (!(std::abs(x[d]) * scale < largest))
                {
                  std::ostringstream message;
                  message << where << ": the coordinate " << x[d]
                          << " times 'Scale' = " << scale
                          << " is too large for any model.";
                  throw UserError(message.str());
                }
              x[d] *= scale;
            }
        if (reverse)
          std::swap(triangle[1], triangle[2]);
      }
    MendedSurface result;
    result.surface = join_vertices(triangles);
    result.check   = mend_surface(result.surface, where);
    note_what_was_mended(result.check, result.remarks);
    return result;
  }



  MendedSurface
  read_stl_surface(const std::string &name,
                   const double scale,
                   const bool reverse,
                   const std::string &where)
  {
    std::ifstream in(name, std::ios::binary);
    // A folder can be opened, but not read.
    require(!name.empty() && in.good() && in.peek() != EOF,
            where +
              ": the file cannot be opened or is empty. Check its name and its "
              "permissions.");
    StlFile file = read_stl({std::istreambuf_iterator<char>(in), {}}, where);
    MendedSurface result =
      surface_of_triangles(std::move(file.triangles), scale, reverse, where);
    result.remarks.insert(result.remarks.begin(),
                          file.remarks.begin(),
                          file.remarks.end());
    return result;
  }
} // namespace Ricochet
