// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_face_table_h
#define ricochet_mesh_face_table_h

#include <deal.II/grid/tria_description.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** Whether a cell with so many vertices is a simplex. */
  template <int dim>
  bool
  is_simplex(const dealii::CellData<dim> &cell)
  {
    return cell.vertices.size() == dim + 1;
  }

  /** Number of faces of a hypercube or simplex. */
  template <int dim>
  unsigned int
  n_faces(const dealii::CellData<dim> &cell)
  {
    return is_simplex(cell) ? dim + 1 : 2 * dim;
  }

  /**
   * The vertices of a face of a cell, ready for a dealii::SubCellData. Face
   * 2d + s of a hypercube has the coordinate d equal to s, face i of a simplex
   * is opposite to vertex i.
   */
  template <int dim>
  std::vector<unsigned int>
  face_vertices(const dealii::CellData<dim> &cell, const unsigned int face);



  /**
   * All faces of a list of cells, sorted so that equal ones are neighbors. For
   * meshes that are not yet known to be good: a face may belong to any number
   * of cells. 24 bytes for each face of each cell.
   */
  template <int dim>
  class FaceTable
  {
  public:
    /** The vertices of a face in ascending order; simplices repeat the last
     * one. */
    using Key = std::array<std::uint32_t, 4>;

    /** A face as one of its cells has it. */
    struct Entry
    {
      Key key;
      std::uint32_t cell;
      std::uint32_t face;
    };

    /** Entries that follow each other. */
    using Range = std::pair<const Entry *, const Entry *>;

    /** Of cells with the vertices in the order of deal.II. */
    explicit FaceTable(const std::vector<dealii::CellData<dim>> &cells);

    /** The key of the face with these vertices, in any order. */
    static Key
    key_of(const std::vector<unsigned int> &vertices);

    /** All faces, those with equal vertices one after the other. */
    const std::vector<Entry> &
    all() const
    {
      return entries;
    }

    /** The faces with this key, empty if there are none. */
    Range
    find(const Key &key) const;

    /** Call @p action(range) for each face, with the entries of its cells. */
    template <typename Action>
    void
    for_each_face(const Action &action) const
    {
      const Entry *const end = entries.data() + entries.size();
      for (const Entry *first = entries.data(); first != end;)
        {
          const Entry *last = first;
          while (last != end && last->key == first->key)
            ++last;
          action(Range(first, last));
          first = last;
        }
    }

    /** For each cell the number of the piece that hangs together by faces, from
     * zero on in the order of their first cells. */
    std::vector<unsigned int>
    pieces(const std::size_t n_cells) const;

  private:
    std::vector<Entry> entries;
  };
} // namespace Ricochet

#endif
