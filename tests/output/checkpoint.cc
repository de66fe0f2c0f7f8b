// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint.h>

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;

  CheckpointData
  example(const unsigned long int step)
  {
    CheckpointData data;
    data.step                = step;
    data.time                = 0.1 * step;
    data.scalars["work"]     = 1. / 3.;
    data.scalars["negative"] = -0.;
    data.vectors["x"]        = {0.1,
                                std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::denorm_min(),
                                -std::numeric_limits<double>::infinity()};
    data.vectors["empty"]    = {};
    data.vectors["v"]        = std::vector<double>(100000, 1. + step);
    return data;
  }



  void
  expect_same_bits(const double a, const double b)
  {
    EXPECT_EQ(std::memcmp(&a, &b, sizeof(double)), 0) << a << " and " << b;
  }



  void
  expect_example(const CheckpointData &data, const unsigned long int step)
  {
    const CheckpointData expected = example(step);
    EXPECT_EQ(data.step, expected.step);
    expect_same_bits(data.time, expected.time);
    ASSERT_EQ(data.scalars.size(), expected.scalars.size());
    for (const auto &scalar : expected.scalars)
      expect_same_bits(data.scalars.at(scalar.first), scalar.second);
    ASSERT_EQ(data.vectors.size(), expected.vectors.size());
    for (const auto &vector : expected.vectors)
      {
        const auto &values = data.vectors.at(vector.first);
        ASSERT_EQ(values.size(), vector.second.size());
        for (unsigned int i = 0; i < values.size(); ++i)
          expect_same_bits(values[i], vector.second[i]);
      }
  }



  TEST(Checkpoint, ComesBackBitForBitOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Checkpoint checkpoint(directory.output(), MPI_COMM_WORLD);
    EXPECT_FALSE(checkpoint.exists());

    // Only the first rank's data count.
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    for (const unsigned int step : {7, 8, 9})
      {
        checkpoint.write(rank == 0 ? example(step) : CheckpointData());
        EXPECT_TRUE(checkpoint.exists());
        const CheckpointData data = checkpoint.read();
        expect_example(data, step);
        EXPECT_EQ(data.resume_point().step, step);
        EXPECT_EQ(data.resume_point().time, data.time);
      }
    EXPECT_FALSE(fs::exists(directory.file("checkpoint.new")));
    EXPECT_FALSE(fs::exists(directory.file("checkpoint.old")));
  }



  TEST(Checkpoint, MissingOneIsReportedOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Checkpoint checkpoint(directory.output(), MPI_COMM_WORLD);
    const std::string message =
      message_of<UserError>([&]() { checkpoint.read(); });
    EXPECT_NE(message.find("no checkpoint in '" + directory.path + "'"),
              std::string::npos)
      << message;
  }



  /** A directory with checkpoints of steps 1 and 2 to play with. */
  class Killed : public ::testing::Test
  {
  protected:
    Killed()
      : checkpoint(directory.output(), MPI_COMM_SELF)
    {
      checkpoint.write(example(1));
      one = contents(directory.file("checkpoint/state"));
      checkpoint.write(example(2));
      two = contents(directory.file("checkpoint/state"));
      fs::remove_all(directory.file("checkpoint"));
    }

    /** Put something where a checkpoint belongs. */
    void
    put(const std::string &name, const std::string &bytes)
    {
      fs::create_directory(directory.file(name));
      write(directory.file(name + "/state"), bytes);
    }

    /** After whatever happened, the next checkpoint is written as usual. */
    void
    expect_next_one_works()
    {
      checkpoint.write(example(3));
      expect_example(checkpoint.read(), 3);
      EXPECT_FALSE(fs::exists(directory.file("checkpoint.new")));
      EXPECT_FALSE(fs::exists(directory.file("checkpoint.old")));
    }

    const TemporaryDirectory directory;
    const Checkpoint checkpoint;
    std::string one, two;
  };



  TEST_F(Killed, WhileWritingTheState)
  {
    put("checkpoint", one);
    for (const std::size_t size : {std::size_t(0),
                                   std::size_t(10),
                                   std::size_t(30),
                                   two.size() / 2,
                                   two.size() - 1})
      {
        put("checkpoint.new", two.substr(0, size));
        expect_example(checkpoint.read(), 1);
      }
    expect_next_one_works();
  }



  TEST_F(Killed, BeforeTheFirstRenaming)
  {
    // Both are good; the one in place counts, since nobody knows whether the
    // other one was meant.
    put("checkpoint", one);
    put("checkpoint.new", two);
    expect_example(checkpoint.read(), 1);
    expect_next_one_works();
  }



  TEST_F(Killed, BetweenTheRenamings)
  {
    put("checkpoint.old", one);
    put("checkpoint.new", two);
    EXPECT_TRUE(checkpoint.exists());
    expect_example(checkpoint.read(), 2);
    expect_next_one_works();
  }



  TEST_F(Killed, BeforeRemovingTheOldOne)
  {
    put("checkpoint.old", one);
    put("checkpoint", two);
    expect_example(checkpoint.read(), 2);
    expect_next_one_works();
  }



  TEST_F(Killed, AndOnlyTheOldOneIsWhole)
  {
    put("checkpoint.old", one);
    put("checkpoint.new", two.substr(0, 1000));
    EXPECT_TRUE(checkpoint.exists());
    expect_example(checkpoint.read(), 1);
    expect_next_one_works();
  }



  TEST_F(Killed, WhileWritingAfterAKillBetweenTheRenamings)
  {
    // The state of BetweenTheRenamings, then a full disk: the good one must
    // not have been written over.
    put("checkpoint.new", two);
    {
      const FileSizeLimit limit(1000);
      EXPECT_THROW(checkpoint.write(example(3)), RunError);
    }
    expect_example(checkpoint.read(), 2);
    expect_next_one_works();
  }



  TEST_F(Killed, FullDiskKeepsTheLastOne)
  {
    put("checkpoint", one);
    fs::create_directory(directory.file("checkpoint.new"));
    fs::create_symlink("/dev/full", directory.file("checkpoint.new/state"));
    const std::string message =
      message_of<RunError>([&]() { checkpoint.write(example(2)); });
    EXPECT_NE(message.find("No space left on device"), std::string::npos)
      << message;
    expect_example(checkpoint.read(), 1);
  }



  TEST_F(Killed, DamageIsNoticed)
  {
    // Any byte: of magic, byte order, version, size, checksum, and contents.
    for (const std::size_t position : {std::size_t(0),
                                       std::size_t(21),
                                       std::size_t(25),
                                       std::size_t(30),
                                       std::size_t(37),
                                       std::size_t(60),
                                       two.size() / 2,
                                       two.size() - 1})
      {
        std::string damaged = two;
        damaged[position] ^= 4;
        put("checkpoint", damaged);
        const std::string message =
          message_of<UserError>([&]() { checkpoint.read(); });
        EXPECT_NE(message.find(directory.file("checkpoint/state")),
                  std::string::npos)
          << message;
      }

    put("checkpoint", two + "x");
    EXPECT_THROW(checkpoint.read(), UserError);

    // One that can be read stands in.
    put("checkpoint.old", one);
    expect_example(checkpoint.read(), 1);
  }



  TEST_F(Killed, OtherVersionIsNamed)
  {
    std::string other = two;
    other[24]         = 99; // behind 20 bytes of magic and 4 of byte order
    put("checkpoint", other);
    const std::string message =
      message_of<UserError>([&]() { checkpoint.read(); });
    EXPECT_NE(message.find("version 99"), std::string::npos) << message;
  }
} // namespace
