// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_summary_h
#define ricochet_output_summary_h

#include <ricochet/implicit/step_cuts.h>
#include <ricochet/output/output_directory.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * What a run tells at its end: how well it kept what physics keeps, what
   * contact did, and where the time went. Numbers that are nan are left out.
   */
  struct Summary
  {
    unsigned long int n_steps = 0;
    double start_time = 0., end_time = 0.;

    /** Change of linear momentum that nothing explains, and sum of m |v|. */
    double momentum_error = 0., momentum_scale = 0.;

    /**
     * Change of angular momentum: all of it, what remains without the changes
     * that are known, and the sum of m |x - c| |v|.
     */
    double angular_momentum_change = 0., angular_momentum_error = 0.,
           angular_momentum_scale = 0.;

    /** Energies at the start and at the end. */
    struct Energies
    {
      double kinetic = 0., internal = 0., total = 0.;
    };
    Energies start, end;

    /** Since the start. */
    double plastic = 0., viscous = 0., friction = 0., restitution = 0.,
           external_work = 0., contact_work = 0.;

    /** The largest at the end; nan if no body has them. */
    double plastic_strain = std::numeric_limits<double>::quiet_NaN(),
           temperature    = std::numeric_limits<double>::quiet_NaN();

    /** Largest rise of the shadow energy above the total at the start, the
     * step, and the energy that was there or supplied. */
    double largest_gain                 = 0.;
    double energy_scale                 = 0.;
    unsigned long int largest_gain_step = 0;

    /** Sums over all steps; rebuilds of the lists of candidates. */
    unsigned long int n_node_face = 0, n_edge_edge = 0, n_passes = 0,
                      n_rebuilds = 0;

    /** How many steps the lists of candidates of one body last on average. */
    double steps_per_rebuild = 0.;


    /** What passes did not settle: groups projected together and moved
     * rigidly. */
    unsigned long int n_projected = 0, n_rigid = 0;

    /** How often a step was halved. */
    StepCuts cuts;

    /** Steps whose passes ended before nothing changed any more, without the
     * guarantee. */
    unsigned long int n_unsettled_steps = 0;

    /** Of implicit steps: iterations of Newton's method and of the linear
     * solver, and how often multipliers of contact were raised. */
    unsigned long int n_iterations = 0, n_linear_iterations = 0,
                      n_augmentations = 0;

    /** Smallest gap at the end of any step; nan if nothing touched. */
    double min_gap = std::numeric_limits<double>::quiet_NaN();

    /** What the contact response has to say: names and numbers. */
    std::vector<std::pair<std::string, double>> response;

    /** The same of observers. */
    std::vector<std::pair<std::string, double>> observers;

    unsigned long int n_elements = 0, n_nodes = 0;
    unsigned int n_ranks = 1;

    /** Name of the one that all ranks used. */
    std::string instruction_set;

    /** Seconds of wall time of the whole run, of its steps alone, and of its
     * parts, which are shown with what is missing to the whole. */
    double wall_time = 0., step_time = 0.;
    std::vector<std::pair<std::string, double>> times;

    /** The text, lines of up to 80 columns. */
    std::string
    text() const;

    /** Write the text to summary.txt. */
    void
    write(const OutputDirectory &directory) const;
  };
} // namespace Ricochet

#endif
