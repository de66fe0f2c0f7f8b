// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_surface_boundary_faces_h
#define ricochet_source_surface_boundary_faces_h

#include <ricochet/surface/extraction.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>
#include <deal.II/grid/cell_id.h>

#include <array>
#include <boost/serialization/array.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** A node of the surface as ranks tell each other about it. */
  template <int dim>
  struct SurfaceNode
  {
    std::array<dealii::types::global_dof_index, dim> dofs;
    dealii::Point<dim> position;
    RigidPoint<dim> rigid; // if it is one

    /** Whether it is a point of a rigid body. */
    bool
    is_rigid() const
    {
      return rigid.body != dealii::numbers::invalid_unsigned_int;
    }

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int)
    {
      archive &dofs &position &rigid.body &rigid.X;
    }
  };



  /** A vertex of the surface as the weighted sum of nodes. */
  template <int dim>
  struct SurfaceVertex
  {
    /** The first degree of freedom; invalid for the centre of a face. */
    dealii::types::global_dof_index number = dealii::numbers::invalid_dof_index;
    dealii::Point<dim> position;
    std::vector<std::pair<double, SurfaceNode<dim>>> nodes;

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int)
    {
      archive &number &position &nodes;
    }
  };



  /** One boundary face, cut into facets. */
  template <int dim>
  struct BoundaryFace
  {
    unsigned int body;
    unsigned int source;
    dealii::CellId::binary_type cell;
    unsigned int face;
    dealii::types::boundary_id boundary_id;

    /** The corners come first. */
    std::vector<SurfaceVertex<dim>> vertices;

    /** Numbers of the vertices, outward oriented. */
    std::vector<std::array<unsigned int, dim>> facets;

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int)
    {
      archive &body &source &cell &face &boundary_id &vertices &facets;
    }
  };



  /** The faces of this rank's cells that take part in contact; sources have a
   * body(). */
  template <int dim>
  std::vector<BoundaryFace<dim>>
  own_boundary_faces(const std::vector<SurfaceSource<dim>> &sources);
} // namespace Ricochet

#endif
