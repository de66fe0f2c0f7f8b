// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_paths_h
#define ricochet_source_search_paths_h

#include <array>
#include <cstddef>

namespace Ricochet
{
  /**
   * The path of one vertex through a step, in one cache line: the coordinates
   * at the start and, from entry 4 on, at the end. What is left is zero.
   */
  struct alignas(64) Path
  {
    double coordinates[8];
  };



  /** Features that are closer than this part of their extent are left to the
   * swept tests, which make facets larger by the tolerance of the border. */
  constexpr double plane_tolerance = 4e-10;

  /** Volumes below this part of the cube of the extent count as zero; their
   * rounding errors are about 1e-14. */
  constexpr double volume_tolerance = 1e-12;



  /** The features of one side of pairs: the vertices of each, and its local
   * length. */
  struct PathFeatures
  {
    const unsigned int *vertices; // not used for features that are vertices
    const double *lengths;
  };



  /** Numbers of pairs in order, with room for all that are looked at. */
  struct PathVerdicts
  {
    /** Those of which nothing is certain. */
    unsigned int *open;

    /** Those that do not meet but end closer than the detection distance. The
     * others that do not meet are in no list. */
    unsigned int *close;

    /** Those that meet, and when first, as a fraction of the step. */
    unsigned int *meeting;
    double *times;

    /** For each pair, of those that are in no list, how far apart they are at
     * least at the end; 0 for the others. */
    double *distances;

    unsigned int n_open, n_close, n_meeting;
  };



  /** Room for the verdicts on up to @p n pairs. */
  template <std::size_t n>
  struct VerdictLists
  {
    std::array<unsigned int, n> open, close, meeting;
    std::array<double, n> times, distances;

    /** Empty ones. */
    PathVerdicts
    verdicts()
    {
      return {open.data(),
              close.data(),
              meeting.data(),
              times.data(),
              distances.data(),
              0,
              0,
              0};
    }
  };



  /**
   * Looks at @p n pairs of features in lanes: proves of most that they do not
   * meet on their way, by planes between them, and how close they are at its
   * end; in 3D, finds when others meet that are in one plane just once. What is
   * left open is for the swept tests.
   *
   * @param[in] pairs Numbers of two features for each pair.
   * @param[in] first, second The features on both sides.
   * @param[in] eta The detection distance relative to the smaller length of
   *   both features.
   * @param[in] reach The largest detection distance.
   */
  using PathFilter = void (*)(const unsigned int *pairs,
                              const unsigned int n,
                              const PathFeatures &first,
                              const PathFeatures &second,
                              const Path *paths,
                              const double eta,
                              const double reach,
                              PathVerdicts &verdicts);

  struct PathKernels
  {
    PathFilter vertex_facet, edge_edge;
  };
} // namespace Ricochet

#endif
