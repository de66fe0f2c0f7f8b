// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_stl_file_h
#define ricochet_obstacle_stl_file_h

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** What an STL file says: triangles that own their vertices each. */
  struct StlFile
  {
    std::vector<std::array<dealii::Point<3>, 3>> triangles;

    /** Sentences about what was not read, for the user. */
    std::vector<std::string> remarks;
  };



  /**
   * Read the content of an STL file, text or binary.
   *
   * The content decides which: a binary file has a header of 80 bytes that may
   * hold anything, the word "solid" included, then a number that fits its size.
   * Text has the grammar
   * @verbatim
   *   solid [name]
   *     facet normal x y z
   *       outer loop
   *         vertex x y z      (three times)
   *       endloop
   *     endfacet
   *     ...
   *   endsolid [name]
   * @endverbatim
   * once or more, in letters of any case, with lines that end in any way.
   * Normals are not used, as the order of the vertices says the same. Bytes
   * behind the triangles of a binary file are left out with a remark.
   *
   * All coordinates are finite. The mesh readers of libraries are of no use
   * here: those that take text for what starts with "solid" or read what looks
   * like a number up to the first letter that does not, would build a wrong
   * surface without a word.
   *
   * @param[in] bytes The content.
   * @param[in] where Start of messages, e.g. the name of the file.
   * Throws a UserError for what is none of both, with the line or the triangle,
   * and for a file without triangles.
   */
  StlFile
  read_stl(const std::string &bytes, const std::string &where);
} // namespace Ricochet

#endif
