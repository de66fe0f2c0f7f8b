// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_curved_nodes_h
#define ricochet_mesh_curved_nodes_h

#include <deal.II/base/point.h>
#include <deal.II/grid/tria_description.h>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace Ricochet
{
  /**
   * Where the nodes of elements of degree 2 are that are no vertices: in the
   * middle of edges, faces and cells. Cells whose nodes are not told have them
   * where straight edges put them.
   */
  template <int dim>
  class CurvedNodes
  {
  public:
    /** Whether all cells are straight. */
    bool
    empty() const
    {
      return of_vertices.empty();
    }

    /** Set the node amidst an edge, face or cell with these vertices, in any
     * order, if there is none yet; returns the one there is. */
    const dealii::Point<dim> &
    add(const std::vector<unsigned int> &vertices,
        const dealii::Point<dim> &node);

    /** The node amidst these vertices, or nullptr. */
    const dealii::Point<dim> *
    find(const std::vector<unsigned int> &vertices) const;

    /** Add those of @p other, whose vertices got numbers larger by @p offset.
     */
    void
    append(const CurvedNodes &other, const unsigned int offset);

    /** Replace the vertices of @p from, cell by cell, by those of @p to. */
    void
    renumber(const std::vector<dealii::CellData<dim>> &from,
             const std::vector<dealii::CellData<dim>> &to);

    /** x -> matrix x + shift for all nodes. */
    void
    transform(const dealii::Tensor<2, dim> &matrix,
              const dealii::Tensor<1, dim> &shift);

    /** For a copy on another rank. */
    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &of_vertices;
    }

  private:
    /** The vertices in ascending order; unused places have the largest number.
     */
    using Key = std::array<std::uint32_t, 8>;

    static Key
    key_of(const std::vector<unsigned int> &vertices);

    std::map<Key, dealii::Point<dim>> of_vertices;
  };
} // namespace Ricochet

#endif
