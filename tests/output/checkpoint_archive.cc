// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint_archive.h>

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  using dealii::Tensor;

  struct Values
  {
    bool flag                = false;
    unsigned long int number = 0;
    double length            = 0.;
    Tensor<1, 2> direction;
    std::vector<double> lengths;
    std::vector<Tensor<1, 3>> forces;
    std::vector<std::array<unsigned int, 2>> pairs;

    void
    serialize(CheckpointArchive &archive)
    {
      archive("flag", flag);
      archive("number", number);
      archive("length", length);
      archive("direction", direction);
      archive("lengths", lengths);
      archive("forces", forces);
      archive("pairs", pairs);
    }
  };



  TEST(CheckpointArchive, RestoresWhatWasSaved)
  {
    Values saved{true,
                 1234567890123UL,
                 1. / 3.,
                 Tensor<1, 2>({1., 2.}),
                 {},
                 {Tensor<1, 3>({3., 4., 5.}), Tensor<1, 3>({6., 7., 8.})},
                 {{{0, 9}}, {{3, 4294967295U}}}};
    CheckpointData data;
    CheckpointArchive writer(data, "owner");
    EXPECT_FALSE(writer.is_loading());
    EXPECT_FALSE(writer.has_values());
    saved.serialize(writer);
    EXPECT_TRUE(writer.has_values());

    Values restored;
    restored.lengths                = {1., 2.};
    const CheckpointData &read_data = data;
    CheckpointArchive reader(read_data, "owner");
    EXPECT_TRUE(reader.is_loading());
    restored.serialize(reader);
    EXPECT_EQ(restored.flag, saved.flag);
    EXPECT_EQ(restored.number, saved.number);
    EXPECT_EQ(restored.length, saved.length);
    EXPECT_EQ(restored.direction, saved.direction);
    EXPECT_EQ(restored.lengths, saved.lengths);
    EXPECT_EQ(restored.forces, saved.forces);
    EXPECT_EQ(restored.pairs, saved.pairs);
  }



  TEST(CheckpointArchive, KeepsOwnersApart)
  {
    CheckpointData data;
    double one = 1., two = 2., three = 0.;
    CheckpointArchive(data, "a")("x", one);
    CheckpointArchive(data, "ab")("x", two);
    const CheckpointData &read_data = data;
    EXPECT_FALSE(CheckpointArchive(read_data, "").has_values());
    EXPECT_FALSE(CheckpointArchive(read_data, "b").has_values());
    CheckpointArchive(read_data, "a")("x", three);
    EXPECT_EQ(three, 1.);
    CheckpointArchive(read_data, "ab")("x", three);
    EXPECT_EQ(three, 2.);
  }



  TEST(CheckpointArchive, TellsWhatIsNotThere)
  {
    CheckpointData data;
    std::vector<double> numbers{1., 2., 3., 4.};
    CheckpointArchive(data, "owner")("numbers", numbers);

    // Neither another name nor another number of numbers.
    const CheckpointData &read_data = data;
    CheckpointArchive reader(read_data, "owner");
    Tensor<1, 3> tensor;
    std::vector<Tensor<1, 3>> tensors;
    double value = 0.;
    for (const std::string &message :
         {message_of<UserError>([&]() { reader("number", value); }),
          message_of<UserError>([&]() { reader("numbers", value); }),
          message_of<UserError>([&]() { reader("numbers", tensor); }),
          message_of<UserError>([&]() { reader("numbers", tensors); })})
      EXPECT_NE(message.find("'owner: number"), std::string::npos) << message;
  }
} // namespace
