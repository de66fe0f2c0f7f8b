// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/curved_nodes.h>

#include <algorithm>
#include <limits>

namespace Ricochet
{
  namespace
  {
    constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  }



  template <int dim>
  typename CurvedNodes<dim>::Key
  CurvedNodes<dim>::key_of(const std::vector<unsigned int> &vertices)
  {
    Key key;
    key.fill(unused);
    std::copy_n(vertices.begin(),
                std::min(vertices.size(), key.size()),
                key.begin());
    std::sort(key.begin(), key.end());
    return key;
  }



  template <int dim>
  const dealii::Point<dim> &
  CurvedNodes<dim>::add(const std::vector<unsigned int> &vertices,
                        const dealii::Point<dim> &node)
  {
    return of_vertices.emplace(key_of(vertices), node).first->second;
  }



  template <int dim>
  const dealii::Point<dim> *
  CurvedNodes<dim>::find(const std::vector<unsigned int> &vertices) const
  {
    const auto node = of_vertices.find(key_of(vertices));
    return node == of_vertices.end() ? nullptr : &node->second;
  }



  template <int dim>
  void
  CurvedNodes<dim>::append(const CurvedNodes &other, const unsigned int offset)
  {
    for (const auto &entry : other.of_vertices)
      {
        Key key = entry.first;
        for (std::uint32_t &vertex : key)
          if (vertex != unused)
            vertex += offset;
        of_vertices.emplace(key, entry.second);
      }
  }



  template <int dim>
  void
  CurvedNodes<dim>::renumber(const std::vector<dealii::CellData<dim>> &from,
                             const std::vector<dealii::CellData<dim>> &to)
  {
    std::map<std::uint32_t, std::uint32_t> number;
    for (std::size_t c = 0; c < from.size() && !empty(); ++c)
      for (std::size_t v = 0; v < from[c].vertices.size(); ++v)
        number[from[c].vertices[v]] = to[c].vertices[v];
    std::map<Key, dealii::Point<dim>> renumbered;
    for (const auto &entry : of_vertices)
      {
        Key key = entry.first;
        for (std::uint32_t &vertex : key)
          if (vertex != unused)
            vertex = number.at(vertex);
        std::sort(key.begin(), key.end());
        renumbered.emplace(key, entry.second);
      }
    of_vertices = std::move(renumbered);
  }



  template <int dim>
  void
  CurvedNodes<dim>::transform(const dealii::Tensor<2, dim> &matrix,
                              const dealii::Tensor<1, dim> &shift)
  {
    for (auto &node : of_vertices)
      node.second = dealii::Point<dim>(matrix * node.second + shift);
  }



  template class CurvedNodes<2>;
  template class CurvedNodes<3>;
} // namespace Ricochet
