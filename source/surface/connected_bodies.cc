// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/surface/connected_bodies.h>

#include <boost/pending/disjoint_sets.hpp>
#include <map>

namespace Ricochet
{
  template <int dim>
  std::vector<unsigned int>
  connected_bodies(const Surface<dim> &surface)
  {
    boost::disjoint_sets_with_storage<> sets(surface.n_bodies);
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      for (const unsigned int v : surface.facets[f])
        if (surface.vertex_body[v] != surface.facet_body[f])
          sets.union_set(surface.vertex_body[v], surface.facet_body[f]);
    std::map<unsigned int, unsigned int> first; // of each set
    std::vector<unsigned int> result;
    for (unsigned int b = 0; b < surface.n_bodies; ++b)
      result.push_back(first.emplace(sets.find_set(b), b).first->second);
    return result;
  }



  template std::vector<unsigned int>
  connected_bodies(const Surface<2> &);
  template std::vector<unsigned int>
  connected_bodies(const Surface<3> &);
} // namespace Ricochet
