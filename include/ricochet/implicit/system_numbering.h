// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_system_numbering_h
#define ricochet_implicit_system_numbering_h

#include <ricochet/base/rotation.h>
#include <ricochet/body/solids.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <memory>
#include <vector>

namespace Ricochet
{
  /**
   * One numbering for the degrees of freedom of all forests, which contact
   * couples. Each rank has one piece of it: those it owns in the first forest,
   * in their order there, then those in the next one. With one forest, the
   * numbers are those of its DoFHandler.
   *
   * The first rank has the unknowns of all rigid bodies at the end of its
   * piece.
   */
  template <int dim>
  class SystemNumbering
  {
  public:
    /** One entry per degree of freedom of the system. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** Unknowns of a rigid body: of its centre, and of its rotation. */
    static constexpr unsigned int n_rigid_unknowns = dim + n_rotations<dim>;

    /** Number the degrees of freedom of all forests. Collective. */
    void
    reinit(const Solids<dim> &solids);

    /** The number of what a forest's vectors have as local entry @p local,
     * owned or ghost. */
    dealii::types::global_dof_index
    of_local(const unsigned int forest, const unsigned int local) const;

    /** The number of what a forest's DoFHandler calls @p dof, anywhere. */
    dealii::types::global_dof_index
    of_dof(const unsigned int forest,
           const dealii::types::global_dof_index dof) const;

    /** Where this rank's entries of a forest begin in its piece. */
    unsigned int
    begin(const unsigned int forest) const
    {
      return begins[forest];
    }

    /** The number of the first unknown of a rigid body. */
    dealii::types::global_dof_index
    of_rigid_body(const unsigned int k) const
    {
      return first_rigid + n_rigid_unknowns * k;
    }

    /** Whether this rank has their unknowns. */
    bool
    owns_rigid_bodies() const
    {
      return has_rigid_bodies;
    }

    /** Where they begin in its piece. */
    unsigned int
    begin_of_rigid_bodies() const
    {
      return first_rigid;
    }

    /** What this rank owns. */
    const dealii::IndexSet &
    owned() const
    {
      return owned_indices;
    }

    /** Owned, and what ghost nodes have. */
    const dealii::IndexSet &
    relevant() const
    {
      return relevant_indices;
    }

    /** A vector of zeros. */
    VectorType
    zero_vector() const;

    /** Copy owned entries from the vectors of the forests. */
    void
    gather(const ForestVectors &from, VectorType &to) const;

    /** Copy owned entries to the vectors of the forests. */
    void
    scatter(const VectorType &from, ForestVectors &to) const;

    /** All ranks that share the system. */
    MPI_Comm
    get_communicator() const
    {
      return communicator;
    }

  private:
    using Partitioner = dealii::Utilities::MPI::Partitioner;

    MPI_Comm communicator = MPI_COMM_SELF;
    std::vector<std::shared_ptr<const Partitioner>> layouts; // of the forests
    std::vector<unsigned int> begins;
    unsigned int first_rigid = 0; // in both numberings
    bool has_rigid_bodies    = false;

    /** For each forest, the first degree of freedom of each rank there, and its
     * number in the system. */
    std::vector<std::vector<dealii::types::global_dof_index>> first_dofs,
      first_numbers;
    dealii::IndexSet owned_indices, relevant_indices;
    std::shared_ptr<const Partitioner> partitioner;
  };
} // namespace Ricochet

#endif
