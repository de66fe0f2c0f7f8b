// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/tables.h>

namespace Ricochet
{
  Columns<HistoryRow>
  history_columns()
  {
    using Row = HistoryRow;
    return {
      {"dt", [](const Row &row) { return row.step.dt; }},
      {"kinetic_energy",
       [](const Row &row) { return row.totals.all.kinetic_energy; }},
      // What unloading gives back.
      {"internal_energy",
       [](const Row &row) { return row.totals.all.internal_energy; }},
      {"dissipated_energy",
       [](const Row &row) { return row.totals.dissipated_energy(); }},
      {"external_work",
       [](const Row &row) { return row.totals.external_work; }},
      // Energy that contact put in beyond its losses.
      {"contact_work", [](const Row &row) { return row.totals.contact_work; }},
      {"total_energy",
       [](const Row &row) { return row.totals.total_energy(); }},
      {"shadow_energy",
       [](const Row &row) { return row.totals.shadow_energy(); }},
      // Linear momentum, and angular momentum about the origin.
      {"p", [](const Row &row) { return row.totals.all.momentum; }},
      {"l", [](const Row &row) { return row.totals.all.angular_momentum; }},
      // Contact points of this step, and passes of the response.
      {"node_face", [](const Row &row) { return row.contact.n_node_face; }},
      {"edge_edge", [](const Row &row) { return row.contact.n_edge_edge; }},
      {"passes", [](const Row &row) { return row.contact.n_passes; }},
      // Of the contact points of this step; nan if there are none.
      {"min_gap", [](const Row &row) { return row.contact.min_gap; }},
      // Losses since the start.
      {"plastic", [](const Row &row) { return row.totals.all.plastic_loss; }},
      {"viscous", [](const Row &row) { return row.totals.all.viscous_loss; }},
      {"friction", [](const Row &row) { return row.totals.friction_loss; }},
      {"restitution",
       [](const Row &row) { return row.totals.restitution_loss; }},
      // Change of angular momentum that nothing explains.
      {"l_error",
       [](const Row &row) { return row.totals.unexplained_angular_momentum; }},
      {"wall_time", [](const Row &row) { return row.wall_time; }},
      // Groups that were projected together or moved rigidly in this step, and
      // how often it was cut.
      {"projected", [](const Row &row) { return row.contact.n_projected; }},
      {"rigid", [](const Row &row) { return row.contact.n_rigid; }},
      {"cuts", [](const Row &row) { return row.step.cuts.total(); }},
      // Of implicit steps: what it took to solve their equations.
      {"newton", [](const Row &row) { return row.step.n_iterations; }},
      {"linear", [](const Row &row) { return row.step.n_linear_iterations; }},
      {"augmentations",
       [](const Row &row) { return row.step.n_augmentations; }}};
  }



  Columns<BodyRow>
  body_columns()
  {
    using Row = BodyRow;
    return {{"body", [](const Row &row) { return row.name; }},
            {"mass", [](const Row &row) { return row.sums.mass; }},
            // Centre of mass and its velocity.
            {"c", [](const Row &row) { return row.sums.centre(); }},
            {"v",
             [](const Row &row) { return row.sums.momentum / row.sums.mass; }},
            // About the own centre.
            {"l", [](const Row &row) { return row.sums.spin(); }},
            {"kinetic_energy",
             [](const Row &row) { return row.sums.kinetic_energy; }},
            {"internal_energy",
             [](const Row &row) { return row.sums.internal_energy; }},
            {"r", [](const Row &row) { return row.rotation; }},
            {"w", [](const Row &row) { return row.angular_velocity; }}};
  }



  Columns<ContactForceRow>
  contact_force_columns()
  {
    using Row = ContactForceRow;
    return {{"body", [](const Row &row) { return row.body; }},
            {"partner", [](const Row &row) { return row.partner; }},
            {"f", [](const Row &row) { return row.force; }},
            {"m", [](const Row &row) { return row.moment; }},
            {"normal", [](const Row &row) { return row.normal; }},
            {"tangential", [](const Row &row) { return row.tangential; }},
            {"area", [](const Row &row) { return row.area; }}};
  }



  Columns<ObstacleRow>
  obstacle_columns()
  {
    using Row = ObstacleRow;
    return {{"obstacle", [](const Row &row) { return row.name; }},
            {"j", [](const Row &row) { return row.impulse; }},
            {"f", [](const Row &row) { return row.force; }},
            {"l", [](const Row &row) { return row.angular_impulse; }},
            {"work", [](const Row &row) { return row.work; }}};
  }



  Columns<ReactionRow>
  reaction_columns()
  {
    using Row = ReactionRow;
    return {{"body", [](const Row &row) { return row.body; }},
            {"boundary_id", [](const Row &row) { return row.boundary_id; }},
            {"f", [](const Row &row) { return row.force; }}};
  }



  Columns<ProbeRow>
  probe_columns()
  {
    using Row = ProbeRow;
    return {{"probe", [](const Row &row) { return row.name; }},
            {"", [](const Row &row) { return row.position; }},
            {"u", [](const Row &row) { return row.displacement; }},
            {"v", [](const Row &row) { return row.velocity; }}};
  }
} // namespace Ricochet
