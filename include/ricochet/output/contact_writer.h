// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_contact_writer_h
#define ricochet_output_contact_writer_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/output/checkpoint_archive.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/paraview_series.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * What contact did to the nodes of the surface since the last output, the
   * steps summed up. Public data, so that a checkpoint can hold them.
   */
  template <int dim>
  struct ContactInterval
  {
    /** When the interval started. */
    double begin = 0.;

    /** Sum of the impulses. */
    std::vector<dealii::Tensor<1, dim>> impulses;

    /**
     * Sums of the impulse along the normals, and of the length of the rest of
     * each step's impulse.
     */
    std::vector<double> normal_impulses, tangential_impulses;

    /**
     * Of the last step in which the node took part in contact: the smallest
     * gap (nan if there was none) and the ContactStatus.
     */
    std::vector<double> gaps, status;

    /** Forget everything and start a new interval. */
    void
    reset(const unsigned int n_nodes, const double time);

    /** Add one step; the cost is that of the touched nodes. @p share is how
     * much of its impulses counts for pressures, see Balance::contact_share. */
    void
    add(const ContactState<dim> &state, const double share = 1.);

    /** Go on with the nodes of another one of the same time. */
    void
    append(const ContactInterval<dim> &other);

    /** Forget everything if that was of another number of nodes. */
    void
    prepare(const unsigned int n_nodes, const double time);

    /** Save or restore, under names that end with @p name. Throws a UserError
     * if the checkpoint is that of another number of nodes. */
    void
    serialize(CheckpointArchive &archive, const std::string &name);

  private:
    /** The nodes of one step without repetition. */
    std::vector<unsigned int> step_nodes;
  };



  /**
   * Writes the contact surface as Ricochet sees it for ParaView: contact.pvd
   * and contact-NNNNN.vtu, with the facets at their current positions, in
   * double precision, and
   *   - body: the number of the body,
   *   - contact_impulse: since the last output, in the share of the vertex,
   *   - normal_pressure, tangential_pressure: impulse since the last output
   *     over the vertex's share of the current area (length in 2D) and the time
   *     since the last output,
   *   - gap: smallest at the end of the last step with contact, nan if none,
   *   - status: 0 open, 1 slip, 2 stick.
   *
   * Every rank has the whole surface; only rank 0 writes.
   */
  template <int dim>
  class ContactWriter
  {
  public:
    /** @p surface must outlive this object; @p name is that of the series. */
    ContactWriter(const OutputDirectory &directory,
                  const Surface<dim> &surface,
                  const std::optional<ResumePoint> &resume = std::nullopt,
                  const std::string &name                  = "contact");

    /**
     * Write the next output.
     *
     * @param[in] positions Of the nodes of the surface.
     * @param[in] interval What happened; reset it afterwards. Pressures are
     *   zero when it has no length.
     */
    void
    write(const double time,
          const unsigned long int step,
          const std::vector<dealii::Point<dim>> &positions,
          const ContactInterval<dim> &interval);

  private:
    const OutputDirectory directory;
    const Surface<dim> &surface;
    ParaviewSeries series;
  };
} // namespace Ricochet

#endif
