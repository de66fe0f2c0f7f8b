// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/csv_table.h>
#include <ricochet/simulation/starting_overlaps.h>

#include <algorithm>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** Lines on the screen; the table has all. */
    constexpr unsigned int max_lines = 20;

    const char *const remedy =
      ". Move the bodies apart, or see 'Contact/Starting overlaps'.";



    std::string
    kind_name(const OverlapKind kind)
    {
      switch (kind)
        {
          case OverlapKind::first_inside:
            return "a in b";
          case OverlapKind::second_inside:
            return "b in a";
          default:
            return "crossing";
        }
    }
  } // namespace



  template <int dim>
  StartingOverlaps<dim>::StartingOverlaps(const Contact<dim> &contact,
                                          const std::vector<std::string> &names)
    : names(names)
    , overlaps(contact.find_overlaps())
  {
    for (const Overlap<dim> &overlap : overlaps)
      {
        if (pairs.empty() || pairs.back().bodies != overlap.bodies)
          pairs.push_back({overlap.bodies,
                           contact.overlap_policies().policy(overlap.bodies),
                           0,
                           overlap});
        Pair &pair = pairs.back();
        ++pair.n_places;
        if (overlap.depth > pair.deepest.depth)
          pair.deepest = overlap;
      }
  }



  template <int dim>
  void
  StartingOverlaps<dim>::write(const OutputDirectory &directory) const
  {
    if (overlaps.empty())
      return;
    CsvTable table(directory.file("overlaps.csv"),
                   "body_a,body_b,kind,x,y,z,depth");
    for (const Overlap<dim> &overlap : overlaps)
      {
        dealii::Tensor<1, 3> place;
        for (unsigned int d = 0; d < dim; ++d)
          place[d] = overlap.place[d];
        table << names[overlap.bodies[0]] << names[overlap.bodies[1]]
              << kind_name(overlap.kind) << place << overlap.depth;
        table.end_row();
      }
    table.close();
  }



  template <int dim>
  std::string
  StartingOverlaps<dim>::describe(const Pair &pair) const
  {
    std::ostringstream text;
    text << "'" << names[pair.bodies[0]] << "' and '" << names[pair.bodies[1]]
         << "' overlap at the start, at " << pair.n_places
         << (pair.n_places == 1 ? " place" : " places") << ", by up to "
         << pair.deepest.depth << " at (";
    for (unsigned int d = 0; d < dim; ++d)
      text << (d > 0 ? ", " : "") << pair.deepest.place[d];
    text << ")";
    return text.str();
  }



  template <int dim>
  std::vector<std::string>
  StartingOverlaps<dim>::report() const
  {
    std::vector<std::string> lines;
    for (const Pair &pair : pairs)
      if (lines.size() < max_lines)
        lines.push_back("Bodies " + describe(pair) + ": " +
                        to_string(pair.policy) + ".");
    if (pairs.size() > max_lines)
      lines.push_back("Another " + std::to_string(pairs.size() - max_lines) +
                      " pairs of bodies overlap at the start.");
    return lines;
  }



  template <int dim>
  std::vector<BodyPair>
  StartingOverlaps<dim>::bodies_with(const OverlapPolicy policy) const
  {
    std::vector<BodyPair> result;
    for (const Pair &pair : pairs)
      if (pair.policy == policy)
        result.push_back(pair.bodies);
    return result;
  }



  template <int dim>
  void
  StartingOverlaps<dim>::refuse() const
  {
    const Pair *deepest    = nullptr;
    unsigned int n_refused = 0;
    for (const Pair &pair : pairs)
      if (pair.policy == OverlapPolicy::refuse)
        {
          ++n_refused;
          if (deepest == nullptr || pair.deepest.depth > deepest->deepest.depth)
            deepest = &pair;
        }
    if (deepest != nullptr)
      throw UserError("Bodies " + describe(*deepest) +
                      (n_refused > 1
                         ? ", and so do " + std::to_string(n_refused - 1) +
                             " more pairs of bodies"
                         : std::string()) +
                      remedy);
  }



  template <int dim>
  void
  StartingOverlaps<dim>::project(const Solids<dim> &solids,
                                 Contact<dim> &contact,
                                 State &state) const
  {
    std::string which;
    for (const BodyPair &bodies : bodies_with(OverlapPolicy::project))
      which += (which.empty() ? "'" : ", '") + names[bodies[0]] + ":" +
               names[bodies[1]] + "'";
    if (which.empty())
      return;

    typename Contact<dim>::Vectors positions;
    for (auto &vector : state.positions)
      positions.push_back(&vector);
    require(contact.remove_overlaps(positions, &state.rigid_motions),
            "No way was found to move apart what overlaps at the start of the "
            "bodies " +
              which + remedy);
    solids.move_tied_nodes(state);
    solids.distribute_to_hanging_nodes(state.positions);
    for (auto &vector : state.positions)
      vector.update_ghost_values();
    try
      {
        solids.evaluate_forces(state, false);
      }
    catch (const RunError &error)
      {
        throw UserError("Bodies that overlap at the start are moved apart (" +
                        which + "), too far for their cells: " + error.what() +
                        " Or move the bodies.");
      }
  }



  template <int dim>
  void
  StartingOverlaps<dim>::treat(const Solids<dim> &solids,
                               Contact<dim> &contact,
                               State &state) const
  {
    refuse();
    const auto ignored = bodies_with(OverlapPolicy::ignore);
    if (!ignored.empty())
      contact.ignore_overlaps(ignored);
    project(solids, contact, state);
  }



  template <int dim>
  bool
  StartingOverlaps<dim>::contains(const BodyPair &bodies) const
  {
    return std::any_of(pairs.begin(), pairs.end(), [&](const Pair &pair) {
      return pair.bodies == bodies;
    });
  }



  template <int dim>
  void
  StartingOverlaps<dim>::refuse_wrong_sides(const Contact<dim> &contact) const
  {
    auto wrong = contact.find_wrong_sides();
    wrong.erase(std::remove_if(wrong.begin(),
                               wrong.end(),
                               [this](const BodyPair &pair) {
                                 return contains(pair);
                               }),
                wrong.end());
    if (!wrong.empty())
      throw UserError(
        "Obstacle '" + names[wrong[0][1]] + "': body '" + names[wrong[0][0]] +
        "' and " + std::to_string(wrong.size() - 1) +
        " others are behind its surface, where nothing would keep them. Turn "
        "its facets around (of STL files by 'Reverse = true'), place the "
        "body on the other side, or leave the pair out of 'Contact/Pairs'.");
  }



  template class StartingOverlaps<2>;
  template class StartingOverlaps<3>;
} // namespace Ricochet
