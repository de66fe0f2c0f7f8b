// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint.h>

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "checkpoint_contents.h"
#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  namespace MPI = dealii::Utilities::MPI;

  constexpr double nan      = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double denormal = std::numeric_limits<double>::denorm_min();

  /** With what is distributed on one rank. */
  CheckpointData
  example(const unsigned long int step)
  {
    CheckpointData data;
    data.step                    = step;
    data.time                    = 0.1 * step;
    data.scalars["work"]         = 1. / 3.;
    data.scalars["negative"]     = -0.;
    data.scalars["not a number"] = nan;
    data.scalars["of a/b, 100%"] = denormal;
    data.vectors["x"]            = {0.1, nan, denormal, -infinity, -0.};
    data.vectors["empty"]        = {};
    data.vectors["v"]            = std::vector<double>(100000, 1. + step);
    data.vectors["/."]           = {1.};
    data.vectors["."]            = {2.};
    data.vectors["..%2F/\n\"\xc3\xa4'"] = {3.};
    for (const unsigned int size : {0, 1, 2, 20000})
      {
        auto &numbers = data.distributed["a/b " + std::to_string(size)];
        numbers.size  = size;
        for (unsigned int i = 0; i < size; ++i)
          numbers.values.push_back(i % 7 == 0   ? -nan
                                   : i % 5 == 0 ? -0.
                                                : 1. / (i + step));
      }
    return data;
  }



  /** The same on the ranks of the world, the rest on the first one only. */
  CheckpointData
  piece_of_example(const unsigned long int step)
  {
    const unsigned int rank    = MPI::this_mpi_process(MPI_COMM_WORLD);
    const unsigned int n_ranks = MPI::n_mpi_processes(MPI_COMM_WORLD);
    CheckpointData data        = example(step);
    for (auto &[name, numbers] : data.distributed)
      {
        const auto &values = numbers.values;
        numbers.begin      = numbers.size * rank / n_ranks;
        const auto end     = numbers.size * (rank + 1) / n_ranks;
        numbers.values     = std::vector<double>(values.begin() + numbers.begin,
                                             values.begin() + end);
      }
    if (rank > 0)
      {
        data.step = 0;
        data.time = 0.;
        data.scalars.clear();
        data.vectors.clear();
      }
    return data;
  }



  TEST(Checkpoint, ComesBackBitForBitOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    Checkpoint checkpoint(directory.output(), MPI_COMM_WORLD);
    EXPECT_FALSE(checkpoint.exists());
    for (const unsigned int step : {7, 8, 9})
      {
        checkpoint.write(piece_of_example(step));
        EXPECT_TRUE(checkpoint.exists());
        expect_same(whole_checkpoint(directory, MPI_COMM_WORLD), example(step));

        const CheckpointData data = checkpoint.read();
        EXPECT_EQ(data.resume_point().step, step);
        EXPECT_EQ(data.resume_point().time, data.time);
        const CheckpointData own = piece_of_example(step);
        auto pieces              = own.distributed;
        for (auto &[name, numbers] : pieces)
          numbers.values.assign(numbers.values.size(), 1.);
        checkpoint.read_pieces(pieces);
        for (const auto &[name, numbers] : own.distributed)
          expect_same_bits(pieces.at(name).values, numbers.values, name);
      }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_FALSE(fs::exists(directory.file("checkpoint.new")));
    EXPECT_FALSE(fs::exists(directory.file("checkpoint.old")));
  }



  TEST(Checkpoint, FullDiskIsReportedOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Checkpoint checkpoint(directory.output(), MPI_COMM_WORLD);
    checkpoint.write(piece_of_example(1));
    {
      const FileSizeLimit limit(100000);
      const std::string message =
        message_of<RunError>([&]() { checkpoint.write(piece_of_example(2)); });
      EXPECT_NE(message.find(directory.file("checkpoint.new/state.h5") +
                             "': File too large"),
                std::string::npos)
        << message;
    }
    expect_same(whole_checkpoint(directory, MPI_COMM_WORLD), example(1));
    checkpoint.write(piece_of_example(3));
    expect_same(whole_checkpoint(directory, MPI_COMM_WORLD), example(3));
  }



  TEST(Checkpoint, MissingOneIsReportedOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    Checkpoint checkpoint(directory.output(), MPI_COMM_WORLD);
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
    /** What is in the files of a checkpoint. */
    struct Files
    {
      std::string state, complete;
    };

    Killed()
      : checkpoint(directory.output(), MPI_COMM_SELF)
    {
      checkpoint.write(example(1));
      one = files();
      checkpoint.write(example(2));
      two = files();
      fs::remove_all(directory.file("checkpoint"));
    }

    Files
    files() const
    {
      return {contents(directory.file("checkpoint/state.h5")),
              contents(directory.file("checkpoint/complete"))};
    }

    /** Put something where a checkpoint belongs. */
    void
    put(const std::string &name, const Files &files)
    {
      fs::create_directory(directory.file(name));
      write(directory.file(name + "/state.h5"), files.state);
      write(directory.file(name + "/complete"), files.complete);
    }

    /** The same before it was declared complete. */
    void
    put_incomplete(const std::string &name, const std::string &state)
    {
      fs::create_directory(directory.file(name));
      write(directory.file(name + "/state.h5"), state);
    }

    void
    expect_example(const unsigned long int step)
    {
      expect_same(whole_checkpoint(directory, MPI_COMM_SELF), example(step));
    }

    void
    expect_refused(const std::string &reason)
    {
      const std::string message =
        message_of<UserError>([&]() { checkpoint.read(); });
      EXPECT_NE(message.find(directory.file("checkpoint") + "'"),
                std::string::npos)
        << message;
      EXPECT_NE(message.find(reason), std::string::npos) << message;
    }

    /** After whatever happened, the next checkpoint is written as usual. */
    void
    expect_next_one_works()
    {
      checkpoint.write(example(3));
      expect_example(3);
      EXPECT_FALSE(fs::exists(directory.file("checkpoint.new")));
      EXPECT_FALSE(fs::exists(directory.file("checkpoint.old")));
    }

    const TemporaryDirectory directory;
    Checkpoint checkpoint;
    Files one, two;
  };



  TEST_F(Killed, WhileWritingTheState)
  {
    put("checkpoint", one);
    const std::string &state = two.state;
    for (const std::size_t size : {std::size_t(0),
                                   std::size_t(10),
                                   std::size_t(3000),
                                   state.size() / 2,
                                   state.size()})
      {
        put_incomplete("checkpoint.new", state.substr(0, size));
        expect_example(1);
      }

    // And while declaring it complete.
    for (std::size_t size = 0; size < two.complete.size(); size += 5)
      {
        put("checkpoint.new", {state, two.complete.substr(0, size)});
        expect_example(1);
      }
    expect_next_one_works();
  }



  TEST_F(Killed, BeforeTheFirstRenaming)
  {
    // Both are good; the one in place counts, since nobody knows whether the
    // other one was meant.
    put("checkpoint", one);
    put("checkpoint.new", two);
    expect_example(1);
    expect_next_one_works();
  }



  TEST_F(Killed, BetweenTheRenamings)
  {
    put("checkpoint.old", one);
    put("checkpoint.new", two);
    EXPECT_TRUE(checkpoint.exists());
    expect_example(2);
    expect_next_one_works();
  }



  TEST_F(Killed, BeforeRemovingTheOldOne)
  {
    put("checkpoint.old", one);
    put("checkpoint", two);
    expect_example(2);
    expect_next_one_works();
  }



  TEST_F(Killed, AndOnlyTheOldOneIsWhole)
  {
    put("checkpoint.old", one);
    put_incomplete("checkpoint.new", two.state.substr(0, 1000));
    EXPECT_TRUE(checkpoint.exists());
    expect_example(1);
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
    expect_example(2);
    expect_next_one_works();
  }



  TEST_F(Killed, FullDiskKeepsTheLastOne)
  {
    put("checkpoint", one);
    {
      const FileSizeLimit limit(100000);
      EXPECT_THROW(checkpoint.write(example(2)), RunError);
    }
    expect_example(1);

    // Nothing is left of the space that was claimed.
    EXPECT_EQ(contents(directory.file("checkpoint.new/state.h5")), "");
  }



  TEST_F(Killed, SpaceIsClaimedBeforeItIsUsed)
  {
    // With just enough space for what is written, claiming it must fail:
    // otherwise less was claimed.
    CheckpointData data;
    for (unsigned int i = 0; i < 300; ++i)
      {
        const std::string name = "of one in many " + std::to_string(i);
        data.scalars[name]     = i;
        data.vectors[name]     = {1. * i};
        data.distributed[name] = {1, 0, {2. * i}};
      }
    checkpoint.write(data);
    const auto size = fs::file_size(directory.file("checkpoint/state.h5"));
    const FileSizeLimit limit(size);
    EXPECT_NE(message_of<RunError>([&]() {
                checkpoint.write(data);
              }).find("File too large"),
              std::string::npos);
  }



  TEST_F(Killed, DamageIsNoticed)
  {
    const std::string &state = two.state;
    for (const std::size_t position : {std::size_t(0),
                                       std::size_t(21),
                                       std::size_t(60),
                                       std::size_t(2100),
                                       state.size() / 2,
                                       state.size() - 1})
      {
        std::string damaged = state;
        damaged[position] ^= 4;
        put("checkpoint", {damaged, two.complete});
        expect_refused("checksum");
      }
    for (std::size_t position = 0; position < two.complete.size() - 1;
         ++position)
      {
        std::string damaged = two.complete;
        damaged[position] ^= 1;
        put("checkpoint", {state, damaged});
        expect_refused("");
      }
    for (const std::string &other :
         {state + "x", state.substr(0, state.size() - 1), std::string()})
      {
        put("checkpoint", {other, two.complete});
        expect_refused("cut off");
      }
    fs::remove(directory.file("checkpoint/state.h5"));
    expect_refused("cut off");

    // One that can be read stands in.
    put("checkpoint.old", one);
    expect_example(1);
  }



  TEST_F(Killed, OtherVersionIsNamed)
  {
    std::string other         = two.complete;
    const std::string version = "version 4";
    other.replace(other.find(version), version.size(), "version 99");
    put("checkpoint", {two.state, other});
    expect_refused("version 99");

    // Before, there was one file.
    fs::remove_all(directory.file("checkpoint"));
    fs::create_directory(directory.file("checkpoint"));
    write(directory.file("checkpoint/state"), "Ricochet checkpoint\n");
    EXPECT_TRUE(checkpoint.exists());
    expect_refused("earlier version");
  }
} // namespace
