// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/body_pairs.h>
#include <ricochet/base/error.h>
#include <ricochet/response/contact_parameters.h>

#include <deal.II/base/patterns.h>

#include <algorithm>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The symmetric table of pairs that "a:b, c:d" stands for. */
    std::vector<char>
    table_of_pairs(const std::string &pairs,
                   const std::vector<std::string> &names)
    {
      if (pairs == "all")
        return {};

      std::vector<char> table(names.size() * names.size(), 0);
      for (const auto &item : split_list_of_bodies(pairs))
        for (const auto &[a, b] : parse_body_pair(item, names, "Contact/Pairs"))
          table[a * names.size() + b] = table[b * names.size() + a] = 1;
      return table;
    }



    /** The range of a coefficient, and how messages call it. */
    struct Range
    {
      Patterns::Double pattern;
      std::string words;
    };

    const Range restitution_range{Patterns::Double(0., 1.), "from 0 to 1"};
    const Range friction_range{Patterns::Double(0.), "that is not negative"};



    /** Declare a coefficient and its exceptions. */
    void
    declare_values(ParameterHandler &prm,
                   const std::string &name,
                   const std::string &pairs,
                   const std::string &default_value,
                   const Range &range,
                   const std::string &documentation)
    {
      prm.declare_entry(name,
                        default_value,
                        range.pattern,
                        documentation + " Units: None.");
      prm.declare_entry(pairs,
                        "",
                        Patterns::Anything(),
                        "Exceptions from '" + name +
                          "' for pairs of bodies, with a number " +
                          range.words +
                          " each, such as 'ball:plate 0.3, ball:wall 0.1'; "
                          "the name of a repeated body stands for all of its "
                          "copies. Units: None.");
    }



    /** Restitution and friction. */
    void
    declare_laws(ParameterHandler &prm)
    {
      declare_values(prm,
                     "Restitution",
                     "Restitution of pairs",
                     "1",
                     restitution_range,
                     "Coefficient of restitution of each contact point. It "
                     "acts on the mass of the contact nodes only; it is not "
                     "the restitution of the bodies.");
      declare_values(prm,
                     "Friction coefficient",
                     "Friction of pairs",
                     "0",
                     friction_range,
                     "Coefficient of friction; 0 is none. The 'Friction law' "
                     "says how it acts.");
      declare_choice<FrictionLaw>(
        prm,
        "Friction law",
        "Coulomb",
        "How large friction is at a contact point. It never turns the sliding "
        "round.\n" +
          Registry<FrictionLaw>::documentation() + "\nUnits: None.");
      declare_classes<FrictionLaw>(prm);
    }



    void
    parse_laws(ParameterHandler &prm,
               const std::vector<std::string> &names,
               PassSettings &pass)
    {
      const auto values = [&](const std::string &name,
                              const std::string &pairs,
                              const Range &range) {
        PairValues result = prm.get_double(name);
        result.parse_exceptions(prm.get(pairs),
                                names,
                                "Contact/" + pairs,
                                range.pattern,
                                range.words);
        return result;
      };
      pass.restitution =
        values("Restitution", "Restitution of pairs", restitution_range);
      pass.friction =
        values("Friction coefficient", "Friction of pairs", friction_range);
      pass.friction_law = choose<FrictionLaw>(prm, "Friction law");
    }
  } // namespace



  // Long, for it lists all entries with their documentation.
  template <int dim>
  void
  ContactParameters<dim>::declare_parameters(ParameterHandler &prm)
  {
    using Corrections = Registry<ContactCorrection<dim>>;
    using Forces      = Registry<ContactForces<dim>>;
    const auto both   = [](const std::string &first,
                         const std::string &between,
                         const std::string &second) {
      return second.empty() ? first : first + between + second;
    };
    prm.declare_entry(
      "Response",
      "dcr",
      Patterns::Selection(
        both(Corrections::selection(), "|", Forces::selection())),
      "How collisions act on the bodies.\n" +
        both(Corrections::documentation(), "\n", Forces::documentation()) +
        "\nUnits: None.");
    declare_laws(prm);
    prm.declare_entry("Detection distance",
                      "1e-11",
                      Patterns::Double(0., 0.1),
                      "Features closer than this at the end of a step are in "
                      "contact; contact ends an approach there, or where the "
                      "pair was before if that is closer, and lifts nothing. "
                      "Units: local edge length of the surface.");
    prm.declare_entry(
      "Clearance",
      "1e-4",
      Patterns::Double(0., 0.1),
      "The gap that position corrections other than "
      "'velocities' move contact points to, or back to where "
      "they started if that is closer; doubled in every further "
      "pass of a step, up to ten times. At least the detection "
      "distance. 'nonsmooth' keeps it as well. "
      "Units: local edge length of the surface.");
    prm.declare_entry("Maximum passes",
                      "15",
                      Patterns::Integer(1),
                      "Detection and response are repeated in a step until "
                      "nothing is left to do, at most this often. Units: "
                      "None.");
    prm.declare_entry("Maximum projections",
                      "30",
                      Patterns::Integer(0),
                      "With the guarantee: what passes do not settle is "
                      "projected together and looked at again, at most this "
                      "often. Units: None.");
    prm.declare_entry("Guarantee",
                      "true",
                      Patterns::Bool(),
                      "Whether a step must end without intersections: what "
                      "passes do not settle is projected together, then moved "
                      "rigidly for this step, then the step is cut. 'false' "
                      "with one pass and zero clearance and detection distance "
                      "does as much as Cirak and West (2005), which leaves "
                      "intersections. Units: None.");
    prm.declare_entry("Search margin",
                      "0.05",
                      Patterns::Double(0.),
                      "How far bodies may leave their expected paths before "
                      "their candidate lists, which look some steps ahead, are "
                      "made anew. Changes the speed of a run, never its "
                      "result. Units: local edge length of the surface.");
    prm.declare_entry("Pairs",
                      "all",
                      Patterns::Anything(),
                      "Which bodies may touch: 'all', or pairs of names such "
                      "as 'ball:plate, ball:wall'; the name of a repeated body "
                      "stands for all of its copies, that of a body for its "
                      "rigid regions, too. Units: None.");
    prm.declare_entry("Self-contact",
                      "false",
                      Patterns::Bool(),
                      "Whether bodies may touch themselves; with 'Pairs', "
                      "those that are paired with themselves ('tube:tube'). "
                      "Units: None.");
    OverlapPolicies::declare_parameters(prm);
    declare_classes<ContactCorrection<dim>>(prm);
    declare_classes<ContactForces<dim>>(prm);
  }



  template <int dim>
  void
  ContactParameters<dim>::parse_parameters(
    ParameterHandler &prm,
    const std::vector<std::string> &names)
  {
    PassSettings &pass = settling.pass;
    parse_laws(prm, names, pass);
    pass.eta                 = prm.get_double("Detection distance");
    pass.delta               = prm.get_double("Clearance");
    settling.max_passes      = prm.get_integer("Maximum passes");
    settling.max_projections = prm.get_integer("Maximum projections");
    settling.guarantee       = prm.get_bool("Guarantee");
    search.eta               = pass.eta;
    search.margin            = prm.get_double("Search margin");
    search.self_contact      = prm.get_bool("Self-contact");
    search.body_pairs        = table_of_pairs(prm.get("Pairs"), names);
    overlaps.parse_parameters(prm, names);
    require(pass.delta >= pass.eta,
            "Contact: 'Clearance' (" + prm.get("Clearance") +
              ") must not be smaller than 'Detection distance' (" +
              prm.get("Detection distance") +
              "), or contacts would be found again forever. Make the "
              "detection distance smaller.");
    if (Registry<ContactForces<dim>>::entries().count(prm.get("Response")) > 0)
      forces = choose<ContactForces<dim>>(prm, "Response");
    else
      correction = choose<ContactCorrection<dim>>(prm, "Response");
    const auto finish = [&](ContactResponse<dim> &response) {
      response.set_bodies(names);
      response.check(pass);
    };
    if (forces != nullptr)
      finish(*forces);
    else
      finish(*correction);
  }



  template struct ContactParameters<2>;
  template struct ContactParameters<3>;
} // namespace Ricochet
