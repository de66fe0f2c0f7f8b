// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_pictures_pictures_h
#define ricochet_pictures_pictures_h

#include <ricochet/output/checkpoint_archive.h>
#include <ricochet/output/output_directory.h>

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Pictures of a run for those who have no ParaView at hand, in the directory
   * plots:
   *   - history.png: energies, momentum and contacts over time, drawn from
   *     history.csv by the script history.gp, which stays there and can be
   *     changed and run again (in the output directory: gnuplot
   *     plots/history.gp);
   *   - picture-NNNNN.png: the surfaces of all bodies after step NNNNN;
   *   - trajectories.png: the outlines of all bodies at the times of these
   *     pictures, from outlines.csv, and the paths of their centres, from
   *     bodies.csv, drawn by the script trajectories.gp, which stays there too.
   *
   * Surfaces are drawn by Rasterizer, everything else by gnuplot. Where
   * gnuplot is missing, scripts and data are left there for another machine.
   * No failure here, apart from a full disk, ends a run. Belongs to rank 0.
   */
  class Pictures
  {
  public:
    /**
     * @param[in] body_names For the legend.
     * @param[in] program The name of gnuplot, or its path.
     */
    Pictures(const OutputDirectory &directory,
             const std::vector<std::string> &body_names,
             const std::string &program = "gnuplot");

    /** Go on from a checkpoint: forget the outlines of later times. */
    void
    resume(const double time);

    /** Save or restore the region that pictures show. */
    void
    serialize(CheckpointArchive &archive);

    /** Draw history.png; flush the table before. */
    void
    draw_history();

    /** Draw trajectories.png once pictures have been drawn; @p n_bodies is the
     * number of bodies in bodies.csv; flush the table before. */
    template <int dim>
    void
    draw_trajectories(const unsigned int n_bodies);

    /**
     * Draw the surface.
     *
     * All pictures of one object show at least the region of the earlier ones,
     * so that motion is seen. In 3D the view is from the front, right and above
     * (z is up); in 2D bodies with closed boundaries are filled.
     *
     * @param[in] facets Vertices of the triangles (in 2D of the segments).
     * @param[in] facet_bodies The body of each facet.
     * @param[in] positions Of the vertices.
     */
    template <int dim>
    void
    draw_surface(const double time,
                 const unsigned long int step,
                 const std::vector<std::array<unsigned int, dim>> &facets,
                 const std::vector<unsigned int> &facet_bodies,
                 const std::vector<dealii::Point<dim>> &positions);

    /**
     * One line about why pictures are missing, for the user; empty if none are.
     */
    const std::string &
    remark() const
    {
      return first_problem;
    }

  private:
    /** Make the directory plots. */
    void
    make_directory() const;

    /** Write a file, whose name starts with plots/. */
    void
    write_plot_file(const std::string &name, const std::string &contents) const;

    /** Append to outlines.csv, where @p vertices are seen. */
    template <int dim>
    void
    write_outlines(const double time,
                   const std::vector<std::array<unsigned int, dim>> &facets,
                   const std::vector<unsigned int> &facet_bodies,
                   const std::vector<dealii::Point<3>> &vertices) const;

    /** @return Whether the picture was drawn. */
    bool
    run_script(const std::string &script);

    /** Make the region hold the projected @p vertices, and some border. */
    void
    enlarge_region(const std::vector<dealii::Point<3>> &vertices);

    /** The part of a plot command that makes the legend; empty for one body. */
    std::string
    legend(const std::vector<unsigned int> &bodies) const;

    const OutputDirectory directory;
    const std::vector<std::string> body_names;
    const std::string program;
    std::string first_problem;

    /** Corners of the region shown so far, in the plane of the picture. */
    std::pair<dealii::Point<2>, dealii::Point<2>> region;
    bool region_is_empty = true;
  };
} // namespace Ricochet

#endif
