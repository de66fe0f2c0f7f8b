// SPDX-License-Identifier: LGPL-2.1-or-later

// Names of bodies in lists of pairs.

#include <ricochet/base/body_pairs.h>
#include <ricochet/base/error.h>

#include <gtest/gtest.h>

namespace
{
  using namespace Ricochet;
  using Pairs = std::vector<BodyPair>;

  const std::vector<std::string> names = {"ball",
                                          "cube[0,0]",
                                          "cube[0,1]",
                                          "cub"};

  TEST(BodyPairs, lists_are_split_between_names)
  {
    EXPECT_EQ(split_list_of_bodies("ball:cub"),
              std::vector<std::string>{"ball:cub"});
    EXPECT_EQ(split_list_of_bodies(" ball:cube[0,0] , cube[0,1]:cub ignore"),
              (std::vector<std::string>{"ball:cube[0,0]",
                                        "cube[0,1]:cub ignore"}));
  }

  TEST(BodyPairs, are_found)
  {
    const auto pairs = [](const std::string &text) {
      return parse_body_pair(text, names, "Pairs");
    };
    EXPECT_EQ(pairs("cub:ball"), (Pairs{{{0, 3}}}));
    EXPECT_EQ(pairs("cube[0,1] : cube[0,0]"), (Pairs{{{1, 2}}}));
    EXPECT_EQ(pairs("cube:ball"), (Pairs{{{0, 1}}, {{0, 2}}}));
    EXPECT_EQ(pairs("cube:cube"),
              (Pairs{{{1, 1}}, {{1, 2}}, {{1, 2}}, {{2, 2}}}));
  }

  TEST(BodyPairs, bodies_stand_for_their_rigid_regions)
  {
    const std::vector<std::string> fishes = {"fish[0]",
                                             "fish[1]",
                                             "fishes",
                                             "fish[0].rigid[0]",
                                             "fish[0].rigid[1]"};
    const auto called                     = [&](const std::string &name) {
      return bodies_called(name, fishes, "Pairs");
    };
    using Numbers = std::vector<unsigned int>;
    EXPECT_EQ(called("fish"), (Numbers{0, 1, 3, 4}));
    EXPECT_EQ(called("fish[0]"), (Numbers{0, 3, 4}));
    EXPECT_EQ(called("fish[1]"), (Numbers{1}));
    EXPECT_EQ(called("fish[0].rigid"), (Numbers{3, 4}));
    EXPECT_EQ(called("fish[0].rigid[1]"), (Numbers{4}));
    EXPECT_EQ(called("fishes"), (Numbers{2}));
  }

  TEST(BodyPairs, mistakes_are_told)
  {
    for (const char *const text : {"ball", "ball:", "ball:cu", "a:b:c", ""})
      EXPECT_THROW(parse_body_pair(text, names, "Pairs"), UserError) << text;
    try
      {
        parse_body_pair("ball:wall", names, "Contact/Pairs");
        FAIL();
      }
    catch (const UserError &error)
      {
        EXPECT_STREQ(error.what(),
                     "Contact/Pairs: there is no body called 'wall'. Bodies: "
                     "ball, cube[0,0], cube[0,1], cub.");
      }
  }
} // namespace
