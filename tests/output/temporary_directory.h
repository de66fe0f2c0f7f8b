// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_output_temporary_directory_h
#define ricochet_tests_output_temporary_directory_h

#include <ricochet/output/output_directory.h>

#include <deal.II/base/mpi.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/resource.h>

namespace Ricochet
{
  namespace Testing
  {
    namespace fs = std::filesystem;

    /** A new directory, removed in the end; the same on all ranks. */
    class TemporaryDirectory
    {
    public:
      explicit TemporaryDirectory(const MPI_Comm communicator = MPI_COMM_SELF)
        : communicator(communicator)
        , path((fs::temp_directory_path() / "ricochet-XXXXXX").string())
      {
        if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0 &&
            mkdtemp(&path[0]) == nullptr)
          ADD_FAILURE() << "No temporary directory could be made.";
        path = dealii::Utilities::MPI::broadcast(communicator, path, 0);
      }

      ~TemporaryDirectory()
      {
        MPI_Barrier(communicator);
        std::error_code ignored;
        if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
          fs::remove_all(path, ignored);
      }

      std::string
      file(const std::string &name) const
      {
        return path + "/" + name;
      }

      /** The same as an output directory that is used as it is. */
      OutputDirectory
      output() const
      {
        return OutputDirectory(path,
                               OutputDirectory::Existing::resume,
                               communicator);
      }

    private:
      const MPI_Comm communicator;

    public:
      std::string path;
    };



    /**
     * Stands for a disk that becomes full: while it lives, files cannot grow
     * beyond a number of bytes.
     */
    class FileSizeLimit
    {
    public:
      explicit FileSizeLimit(const rlim_t n_bytes)
      {
        old_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &old_limit);
        rlimit limit   = old_limit;
        limit.rlim_cur = n_bytes;
        EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
      }

      ~FileSizeLimit()
      {
        setrlimit(RLIMIT_FSIZE, &old_limit);
        std::signal(SIGXFSZ, old_handler);
      }

    private:
      rlimit old_limit;
      void (*old_handler)(int);
    };



    inline std::string
    contents(const std::string &file)
    {
      std::ifstream in(file, std::ios::binary);
      EXPECT_TRUE(in) << file;
      return std::string(std::istreambuf_iterator<char>(in),
                         std::istreambuf_iterator<char>());
    }



    inline void
    write(const std::string &file, const std::string &text)
    {
      std::ofstream(file, std::ios::binary) << text;
    }



    /** What @p function throws, or an empty string and a failure. */
    template <class Error, class Function>
    std::string
    message_of(const Function &function)
    {
      try
        {
          function();
        }
      catch (const Error &error)
        {
          return error.what();
        }
      ADD_FAILURE() << "Nothing was thrown.";
      return "";
    }
  } // namespace Testing
} // namespace Ricochet

#endif
