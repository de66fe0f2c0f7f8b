// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_source_h
#define ricochet_mesh_mesh_source_h

#include <ricochet/base/rotation.h>
#include <ricochet/base/vector_function.h>
#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/mesh/mesh_check.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>
#include <deal.II/grid/tria.h>

#include <string>

namespace Ricochet
{
  /**
   * Where the mesh of one body comes from, and how it is refined and placed.
   *
   * The mesh (from a generator or a file) is refined first, with the manifolds
   * of its generator so that curved bodies get their shape; then it is
   * converted to simplices if wanted; what comes out is taken as a mesh with
   * straight edges and moved by
   * @f[
   *   x = \text{translation}
   *     + R(\text{rotation})\,\text{diag}(\text{scale})\,X.
   * @f]
   * Every rank makes the same mesh. Cells that are to be cut further where
   * they stand are left to the Forest.
   */
  template <int dim>
  class MeshSource
  {
  public:
    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /**
     * Read the section that the caller has entered. Throws a UserError if it
     * names no mesh or two.
     */
    void
    parse_parameters(dealii::ParameterHandler &prm);

    /** Read only where it is placed, for a surface that comes from elsewhere.
     * Throws a UserError if it names a mesh as well; @p surface is what
     * messages call the other one. */
    void
    parse_placement(dealii::ParameterHandler &prm, const std::string &surface);

    /** The folder at which relative names of mesh files start. */
    void
    set_base_directory(const std::string &directory);

    /** How messages call the owner of the mesh, e.g. "Body 'cube'". */
    void
    set_owner(const std::string &text);

    /**
     * Fill an empty triangulation with the placed mesh. Throws a UserError for
     * everything that is wrong with the mesh.
     */
    void
    create(dealii::Triangulation<dim> &triangulation) const;

    /** The same without the translation, as a list of cells. Collective: all
     * ranks get the mesh, a file is read by the first one only. */
    CoarseMesh<dim>
    create_untranslated(const MPI_Comm communicator = MPI_COMM_SELF) const;

    /** The same for a Forest, to which cuts of straight cells are left, see
     * CoarseMesh::refinements; boxes with numbers of cells that can be halved
     * have fewer and larger cells, which are cut. */
    CoarseMesh<dim>
    create_for_forest(const MPI_Comm communicator) const;

    /** Whether some cells do not deform, those with the material id
     * CoarseMesh::rigid_cell. */
    bool
    has_rigid_cells() const
    {
      return !selection.rigid_material_ids.empty();
    }

    /** R(rotation) */
    dealii::Tensor<2, dim>
    get_rotation() const
    {
      return rotation_matrix<dim>(rotation);
    }

    /** diag(scale) */
    dealii::Tensor<2, dim>
    get_scale() const
    {
      dealii::Tensor<2, dim> matrix;
      for (unsigned int d = 0; d < dim; ++d)
        matrix[d][d] = scale[d];
      return matrix;
    }

    /** Where the mesh is moved to, a length. */
    const dealii::Tensor<1, dim> &
    get_translation() const
    {
      return translation;
    }

    /**
     * How often a cell is to be cut after it has been placed, as a function of
     * its centre.
     */
    const VectorFunction<dim, 1> &
    get_local_refinement() const
    {
      return local_refinement;
    }

  private:
    /** Scale, rotation and translation. */
    void
    read_placement(const dealii::ParameterHandler &prm);

    /** Read and check the file, on the first rank. */
    CoarseMesh<dim>
    read_file(const MPI_Comm communicator) const;

    /** The mesh with all cells cut, or with some cuts left to be done. */
    CoarseMesh<dim>
    create_mesh(const MPI_Comm communicator, const bool leave_cuts) const;

    /** Refine; once more than wanted if the mesh is to be split into simplices.
     */
    void
    refine(dealii::Triangulation<dim> &triangulation,
           const unsigned int n_cuts) const;

    /** Find those of a grid generator. */
    void
    mark_rigid_cells(CoarseMesh<dim> &mesh) const;

    /** "Body 'cube', mesh file 'cube.msh'" */
    std::string
    where() const;

    std::string owner = "Mesh";
    std::string base_directory;

    std::string generator, arguments, file, format;
    MeshSelection selection;
    unsigned int refinements = 0;
    bool simplices           = false;
    VectorFunction<dim, 1> local_refinement;
    dealii::Tensor<1, dim> scale, translation;
    RotationVector<dim> rotation;
  };
} // namespace Ricochet

#endif
