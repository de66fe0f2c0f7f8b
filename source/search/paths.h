// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_paths_h
#define ricochet_source_search_paths_h

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



  /**
   * Keeps those of @p n pairs of features that no plane across an axis keeps
   * further apart than @p reach on their whole way.
   *
   * @param[in] pairs Numbers of two features for each pair.
   * @param[in] vertices_a, vertices_b The vertices of the features on both
   *   sides; not used for features that are vertices.
   * @param[out] kept The numbers of the pairs in order; room for @p n.
   * @return How many are kept.
   */
  using PathFilter = unsigned int (*)(const unsigned int *pairs,
                                      const unsigned int n,
                                      const unsigned int *vertices_a,
                                      const unsigned int *vertices_b,
                                      const Path *paths,
                                      const double reach,
                                      unsigned int *kept);

  struct PathKernels
  {
    PathFilter vertex_facet, edge_edge;
  };
} // namespace Ricochet

#endif
