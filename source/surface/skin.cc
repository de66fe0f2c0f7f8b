// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/surface/skin.h>

#include <deal.II/base/tensor.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Unit normal of a face; of a quadrilateral, of its two diagonals. */
    template <typename Face>
    Tensor<1, 2>
    face_normal(const Face &face, const Tensor<1, 2> &)
    {
      const Tensor<1, 2> t = face->vertex(1) - face->vertex(0);
      return Tensor<1, 2>({t[1], -t[0]}) / t.norm();
    }



    template <typename Face>
    Tensor<1, 3>
    face_normal(const Face &face, const Tensor<1, 3> &)
    {
      const unsigned int last = face->n_vertices() - 1;
      const Tensor<1, 3> n =
        dealii::cross_product_3d(face->vertex(last) - face->vertex(0),
                                 face->vertex(2) - face->vertex(1));
      return n / n.norm();
    }



    /** The smallest distance of the cell's other vertices from the plane of a
     * face. */
    template <int dim, typename Cell>
    double
    height_over(const Cell &cell, const unsigned int f)
    {
      const auto face        = cell->face(f);
      const Tensor<1, dim> n = face_normal(face, Tensor<1, dim>());
      std::set<unsigned int> on_face;
      for (unsigned int v = 0; v < face->n_vertices(); ++v)
        on_face.insert(face->vertex_index(v));
      double height = std::numeric_limits<double>::infinity();
      for (const unsigned int v : cell->vertex_indices())
        if (on_face.count(cell->vertex_index(v)) == 0)
          height =
            std::min(height, std::abs(n * (cell->vertex(v) - face->center())));
      return height;
    }
  } // namespace



  template <int dim>
  std::vector<double>
  smallest_skin_heights(const std::vector<SurfaceSource<dim>> &sources,
                        const unsigned int n_bodies,
                        const MPI_Comm communicator)
  {
    std::vector<double> heights(n_bodies,
                                std::numeric_limits<double>::infinity());
    for (const SurfaceSource<dim> &source :
         number_bodies(sources, communicator))
      for (const auto &cell : source.dof_handler->active_cell_iterators())
        if (cell->is_locally_owned() && cell->at_boundary())
          for (const unsigned int f : cell->face_indices())
            if (cell->face(f)->at_boundary() &&
                (!source.is_contact_face || source.is_contact_face(cell, f)))
              {
                double &height = heights[source.body(cell)];
                height         = std::min(height, height_over<dim>(cell, f));
              }
    dealii::Utilities::MPI::min(heights, communicator, heights);
    return heights;
  }



  template std::vector<double>
  smallest_skin_heights(const std::vector<SurfaceSource<2>> &,
                        const unsigned int,
                        const MPI_Comm);
  template std::vector<double>
  smallest_skin_heights(const std::vector<SurfaceSource<3>> &,
                        const unsigned int,
                        const MPI_Comm);
} // namespace Ricochet
