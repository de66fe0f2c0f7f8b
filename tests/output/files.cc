// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/output_file.h>

#include <gtest/gtest.h>
#include <stdexcept>

#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  using ::testing::Test;

  bool
  has(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  TEST(OutputFile, WritesAndAppends)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("a");
    {
      OutputFile file(name);
      file.write("one\n");
      file.write("two\n");
      file.synchronize();
      file.close();
    }
    EXPECT_EQ(contents(name), "one\ntwo\n");
    {
      OutputFile file(name, OutputFile::Mode::append);
      file.write("three\n");
    }
    EXPECT_EQ(contents(name), "one\ntwo\nthree\n");
    {
      OutputFile file(name);
    }
    EXPECT_EQ(contents(name), "");
  }



  TEST(OutputFile, FullDiskIsReportedWithFileReasonAndRemedy)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("full");
    fs::create_symlink("/dev/full", name);

    OutputFile file(name);
    const std::string message =
      message_of<RunError>([&]() { file.write("text"); });
    EXPECT_TRUE(has(message, "'" + name + "'")) << message;
    EXPECT_TRUE(has(message, "No space left on device")) << message;
    EXPECT_TRUE(has(message, "Free some space")) << message;
  }



  TEST(OutputFile, WriteThatFailedHalfwayIsTakenBack)
  {
    const TemporaryDirectory directory;
    for (const auto mode : {OutputFile::Mode::create, OutputFile::Mode::append})
      {
        const std::string name = directory.file("a");
        write(name, "");
        OutputFile file(name, mode);
        file.write(std::string(600, 'a'));
        {
          const FileSizeLimit limit(1000);
          EXPECT_THROW(file.write(std::string(600, 'b')), RunError);
          EXPECT_EQ(contents(name), std::string(600, 'a'));

          // The position is right as well.
          file.write(std::string(100, 'c'));
        }
        EXPECT_EQ(contents(name),
                  std::string(600, 'a') + std::string(100, 'c'));
      }
  }



  TEST(OutputFile, SpaceCanBeReserved)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("a");
    const FileSizeLimit limit(100000);
    OutputFile file(name);
    const std::string message =
      message_of<RunError>([&]() { file.reserve(100001); });
    EXPECT_TRUE(has(message, "'" + name + "': File too large")) << message;
    EXPECT_EQ(contents(name), "");
    file.reserve(100000);
    file.write("text");
    EXPECT_EQ(contents(name).substr(0, 4), "text");
  }



  TEST(OutputFile, MissingDirectoryIsReported)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("none/a");
    EXPECT_TRUE(has(message_of<RunError>([&]() { OutputFile file(name); }),
                    "'" + name + "': No such file"));
  }



  TEST(ReplaceFile, KeepsOldContentsWhenDiskIsFull)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("list.pvd");
    replace_file(name, "old");
    {
      const FileSizeLimit limit(1000);
      EXPECT_THROW(replace_file(name, std::string(2000, 'n')), RunError);
    }
    EXPECT_EQ(contents(name), "old");
    EXPECT_FALSE(fs::exists(name + ".new"));
    replace_file(name, "new");
    EXPECT_EQ(contents(name), "new");
  }



  TEST(OnAllRanks, ErrorOfOneRankIsThrownOnAll)
  {
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    const unsigned int last =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) - 1;

    EXPECT_EQ(message_of<RunError>([&]() {
                on_all_ranks(MPI_COMM_WORLD, [&]() {
                  if (rank == last)
                    throw RunError("disk full");
                });
              }),
              "disk full");

    // Of several errors, that of the lowest rank.
    EXPECT_EQ(message_of<UserError>([&]() {
                on_all_ranks(MPI_COMM_WORLD, [&]() {
                  throw UserError("rank " + std::to_string(rank));
                });
              }),
              "rank 0");
    EXPECT_EQ(message_of<std::runtime_error>([&]() {
                on_first_rank(MPI_COMM_WORLD,
                              [&]() { throw std::out_of_range("index"); });
              }),
              "index");
    EXPECT_NO_THROW(on_all_ranks(MPI_COMM_WORLD, []() {}));
  }



  TEST(OutputDirectory, IsMadeWithParents)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const std::string name = directory.file("a/b/c");
    const OutputDirectory output(name + "/",
                                 OutputDirectory::Existing::refuse,
                                 MPI_COMM_WORLD);
    EXPECT_EQ(output.name(), name);
    EXPECT_EQ(output.file("history.csv"), name + "/history.csv");
    EXPECT_TRUE(fs::is_directory(name));
    EXPECT_TRUE(fs::is_empty(name));
  }



  TEST(OutputDirectory, UnusablePlacesAreReportedOnAllRanks)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    write(directory.file("file"), "not a directory");
    MPI_Barrier(MPI_COMM_WORLD);

    // Even root cannot write to these.
    for (const std::string &name : {directory.file("file"),
                                    directory.file("file/below"),
                                    std::string("/proc/ricochet"),
                                    std::string("/proc")})
      {
        const std::string message = message_of<UserError>([&]() {
          OutputDirectory(name,
                          OutputDirectory::Existing::overwrite,
                          MPI_COMM_WORLD);
        });
        EXPECT_TRUE(has(message, "'" + name + "'")) << message;
        EXPECT_TRUE(has(message, "--output DIR")) << message;
      }
    EXPECT_TRUE(has(message_of<UserError>([&]() {
                      OutputDirectory("",
                                      OutputDirectory::Existing::refuse,
                                      MPI_COMM_WORLD);
                    }),
                    "has no name"));
  }



  class OldResults : public Test
  {
  protected:
    OldResults()
    {
      for (const char *const name : {"checkpoint", "checkpoint.new", "plots"})
        fs::create_directory(directory.file(name));
      for (const char *const name : of_run)
        write(directory.file(name), "old");
      for (const char *const name : of_user)
        write(directory.file(name), "mine");
    }

    const TemporaryDirectory directory;
    const std::vector<const char *> of_run  = {"bodies.csv",
                                               "checkpoint.new/state",
                                               "checkpoint/complete",
                                               "checkpoint/state",
                                               "checkpoint/state.h5",
                                               "contact-00000.vtu",
                                               "contact.pvd",
                                               "contact_forces.csv",
                                               "history.csv",
                                               "parameters.prm",
                                               "plots/history.gp",
                                               "plots/history.png",
                                               "plots/picture-00100.png",
                                               "probes.csv",
                                               "solution-00000-1-r0003.vtu",
                                               "solution-00000.pvtu",
                                               "solution-123456.vtu",
                                               "solution.pvd",
                                               "summary.txt"};
    const std::vector<const char *> of_user = {"history.csv.bak",
                                               "mesh.vtu",
                                               "my-history.csv",
                                               "plots/paper.png",
                                               "solution-final.vtu",
                                               "thesis.tex"};
  };



  TEST_F(OldResults, AreListed)
  {
    EXPECT_EQ(OutputDirectory::files_of_run(directory.path),
              std::vector<std::string>(of_run.begin(), of_run.end()));
    EXPECT_TRUE(OutputDirectory::files_of_run(directory.file("none")).empty());
  }



  TEST_F(OldResults, AreNotTouchedUnlessAllowed)
  {
    const std::string message = message_of<UserError>([&]() {
      OutputDirectory(directory.path,
                      OutputDirectory::Existing::refuse,
                      MPI_COMM_SELF);
    });
    EXPECT_TRUE(has(message, "results of another run (bodies.csv, ...)"))
      << message;
    OutputDirectory(directory.path,
                    OutputDirectory::Existing::resume,
                    MPI_COMM_SELF);
    for (const char *const name : of_run)
      EXPECT_EQ(contents(directory.file(name)), "old");
  }



  TEST_F(OldResults, AreAllThatIsOverwritten)
  {
    OutputDirectory(directory.path,
                    OutputDirectory::Existing::overwrite,
                    MPI_COMM_SELF);
    EXPECT_TRUE(OutputDirectory::files_of_run(directory.path).empty());
    EXPECT_FALSE(fs::exists(directory.file("checkpoint")));
    EXPECT_FALSE(fs::exists(directory.file("checkpoint.new")));
    for (const char *const name : of_user)
      EXPECT_EQ(contents(directory.file(name)), "mine");

    // What is left is no reason to refuse.
    EXPECT_NO_THROW(OutputDirectory(directory.path,
                                    OutputDirectory::Existing::refuse,
                                    MPI_COMM_SELF));
  }
} // namespace
