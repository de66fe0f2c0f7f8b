// SPDX-License-Identifier: LGPL-2.1-or-later

// Which bodies may touch, and what is said about parameters that cannot be.

#include <gtest/gtest.h>
#include <set>

#include "scenes.h"

using namespace Ricochet;

namespace
{
  /** The pairs of bodies that have contact points after one step. */
  template <int dim>
  std::set<std::set<unsigned int>>
  touching(const std::string &pairs)
  {
    Model<dim> model(MPI_COMM_WORLD, cubes_in_a_row<dim>(3, 3));
    Contact<dim> contact;
    parse(contact, {{"Pairs", pairs}}, {"a", "b", "c"});
    model.reinit(contact);
    model.predict(impact_step);
    model.correct(contact, impact_step);
    std::set<std::set<unsigned int>> result;
    for (const auto &collision : contact.get_state().handled)
      {
        std::set<unsigned int> bodies;
        for (const unsigned int node : collision.nodes)
          bodies.insert(contact.get_surface().vertex_body[node]);
        result.insert(bodies);
      }
    return result;
  }



  /** The message that these entries cause. */
  std::string
  message(const std::vector<std::pair<std::string, std::string>> &entries)
  {
    Contact<2> contact;
    try
      {
        parse(contact, entries, {"ball", "plate"});
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "no error";
  }

  void
  expect_parts(const std::string &text, const std::vector<std::string> &parts)
  {
    for (const std::string &part : parts)
      EXPECT_NE(text.find(part), std::string::npos)
        << "\"" << part << "\" is missing in: " << text;
  }
} // namespace



TEST(Pairs, RestrictContact)
{
  using Pairs = std::set<std::set<unsigned int>>;
  EXPECT_EQ(touching<2>("all"), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(touching<2>("c:b"), (Pairs{{1, 2}}));
  EXPECT_EQ(touching<2>("a:c"), (Pairs{}));
  EXPECT_EQ(touching<3>("all"), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(touching<3>("a:b"), (Pairs{{0, 1}}));
  EXPECT_EQ(touching<3>("a:b, b:c"), (Pairs{{0, 1}, {1, 2}}));
}



TEST(Pairs, MustExist)
{
  expect_parts(message({{"Pairs", "ball:wall"}}),
               {"Contact/Pairs", "'wall'", "ball, plate"});
  expect_parts(message({{"Pairs", "ball"}}),
               {"Contact/Pairs", "'ball' is not a pair", "ball:plate"});
  EXPECT_EQ(message({{"Pairs", "ball:plate"}}), "no error");
}



TEST(Parameters, ClearanceIsAtLeastTheDetectionDistance)
{
  expect_parts(message({{"Clearance", "1e-5"}, {"Detection distance", "1e-4"}}),
               {"'Clearance'", "1e-5", "'Detection distance'", "1e-4"});
  EXPECT_EQ(message({{"Clearance", "1e-5"}, {"Detection distance", "1e-5"}}),
            "no error");
}
