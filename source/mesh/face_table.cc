// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/face_table.h>

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <limits>
#include <tuple>

namespace Ricochet
{
  template <int dim>
  std::vector<unsigned int>
  face_vertices(const dealii::CellData<dim> &cell, const unsigned int face)
  {
    std::vector<unsigned int> vertices;
    for (unsigned int v = 0; v < cell.vertices.size(); ++v)
      if (is_simplex(cell) ? v != face : (v >> (face / 2)) % 2 == face % 2)
        vertices.push_back(cell.vertices[v]);
    return vertices;
  }



  template <int dim>
  typename FaceTable<dim>::Key
  FaceTable<dim>::key_of(const std::vector<unsigned int> &vertices)
  {
    Key key;
    key.fill(*std::max_element(vertices.begin(), vertices.end()));
    std::copy_n(vertices.begin(),
                std::min(vertices.size(), key.size()),
                key.begin());
    std::sort(key.begin(), key.end());
    return key;
  }



  template <int dim>
  FaceTable<dim>::FaceTable(const std::vector<dealii::CellData<dim>> &cells)
  {
    if (!cells.empty())
      entries.reserve(cells.size() * n_faces(cells[0]));
    for (std::uint32_t c = 0; c < cells.size(); ++c)
      for (std::uint32_t f = 0; f < n_faces(cells[c]); ++f)
        entries.push_back({key_of(face_vertices(cells[c], f)), c, f});
    std::sort(entries.begin(),
              entries.end(),
              [](const Entry &a, const Entry &b) {
                return std::tie(a.key, a.cell, a.face) <
                       std::tie(b.key, b.cell, b.face);
              });
  }



  template <int dim>
  typename FaceTable<dim>::Range
  FaceTable<dim>::find(const Key &key) const
  {
    struct ByKey
    {
      bool
      operator()(const Entry &a, const Key &b) const
      {
        return a.key < b;
      }
      bool
      operator()(const Key &a, const Entry &b) const
      {
        return a < b.key;
      }
    };
    const Entry *const begin = entries.data();
    return std::equal_range(begin, begin + entries.size(), key, ByKey());
  }



  template <int dim>
  std::vector<unsigned int>
  FaceTable<dim>::pieces(const std::size_t n_cells) const
  {
    std::vector<unsigned int> rank(n_cells), parent(n_cells);
    boost::disjoint_sets<unsigned int *, unsigned int *> sets(rank.data(),
                                                              parent.data());
    for (unsigned int c = 0; c < n_cells; ++c)
      sets.make_set(c);
    for_each_face([&](const Range &range) {
      for (const Entry *entry = range.first + 1; entry < range.second; ++entry)
        sets.union_set(range.first->cell, entry->cell);
    });

    constexpr unsigned int none = std::numeric_limits<unsigned int>::max();
    std::vector<unsigned int> number_of_root(n_cells, none), result(n_cells);
    unsigned int n_pieces = 0;
    for (unsigned int c = 0; c < n_cells; ++c)
      {
        unsigned int &number = number_of_root[sets.find_set(c)];
        if (number == none)
          number = n_pieces++;
        result[c] = number;
      }
    return result;
  }



  template std::vector<unsigned int>
  face_vertices(const dealii::CellData<2> &, const unsigned int);
  template std::vector<unsigned int>
  face_vertices(const dealii::CellData<3> &, const unsigned int);
  template class FaceTable<2>;
  template class FaceTable<3>;
} // namespace Ricochet
