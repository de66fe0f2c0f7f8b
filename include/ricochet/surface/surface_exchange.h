// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_surface_exchange_h
#define ricochet_surface_surface_exchange_h

#include <ricochet/surface/extraction.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <array>
#include <memory>
#include <vector>

namespace Ricochet
{
  /**
   * Carries values between the vectors of the sources of a surface, one vector
   * per source with a value per degree of freedom on the rank that owns it, and
   * the nodes of the surface, which every rank knows.
   */
  template <int dim>
  class SurfaceExchange
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** One vector per source, to be read. */
    using ConstVectors = std::vector<const VectorType *>;

    /** One vector per source, to be changed. */
    using Vectors = std::vector<VectorType *>;

    /** Vectors, and the field of points or tensors at the nodes where their
     * values go. */
    struct NodalField
    {
      /** Of one kind of vectors, and one of fields. */
      template <typename SomeVector, typename Value>
      NodalField(const std::vector<SomeVector *> &vectors,
                 std::vector<Value> &field)
        : vectors(vectors.begin(), vectors.end())
        , values(field.empty() ? nullptr : &field[0][0])
      {}

      /** One per source. */
      ConstVectors vectors;

      /** The numbers of the field, dim per node. */
      double *values;
    };

    /**
     * @param[in] nodes Where the nodes live; must outlive this object.
     * @param[in] samples A vector of each source, for their layouts. All others
     *   must have the same owned entries.
     */
    void
    reinit(const SurfaceNodes<dim> &nodes,
           const ConstVectors &samples,
           const MPI_Comm communicator);

    /** Collect the values of all nodes on every rank, in one message.
     * Collective. */
    void
    gather(const std::vector<NodalField> &fields) const;

    /** Write one vector per node, a tensor or a point, to owned entries. */
    template <typename Field>
    void
    scatter(const Field &field, const Vectors &vectors) const
    {
      for (const OwnedNode &owned : owned_nodes)
        for (unsigned int d = 0; d < dim; ++d)
          vectors[owned.source]->local_element(owned.entries[d]) =
            field[owned.node][d];
    }

    /** The same, added. */
    template <typename Field>
    void
    add(const Field &field, const Vectors &vectors) const
    {
      for (const OwnedNode &owned : owned_nodes)
        for (unsigned int d = 0; d < dim; ++d)
          vectors[owned.source]->local_element(owned.entries[d]) +=
            field[owned.node][d];
    }

    /** A node that this rank owns, and its entries of the vector of a source,
     * one per component. */
    struct OwnedNode
    {
      unsigned int node, source;
      std::array<unsigned int, dim> entries;
    };

    /** Those of this rank, in the order of their numbers. */
    const std::vector<OwnedNode> &
    get_owned_nodes() const
    {
      return owned_nodes;
    }

    /** How many sources there are. */
    unsigned int
    n_sources() const
    {
      return layouts.size();
    }

    /** A vector of zeros with the layout of a source. */
    VectorType
    zero_vector(const unsigned int source) const
    {
      return VectorType(layouts[source]);
    }

  private:
    /** Of one rank: there is nothing to send. */
    void
    copy(const NodalField &field) const;

    const SurfaceNodes<dim> *nodes = nullptr;
    std::vector<OwnedNode> owned_nodes;
    MPI_Comm communicator = MPI_COMM_SELF;
    std::vector<std::shared_ptr<const dealii::Utilities::MPI::Partitioner>>
      layouts;
    mutable std::vector<double> send_buffer, receive_buffer;
  };
} // namespace Ricochet

#endif
