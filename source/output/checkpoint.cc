// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/output_file.h>

#include <deal.II/base/exceptions.h>

#include <boost/crc.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "checkpoint_file.h"

namespace Ricochet
{
  namespace
  {
    namespace fs = std::filesystem;

    const std::string magic               = "Ricochet checkpoint";
    constexpr unsigned int format_version = 4;

    const std::string state = "/state.h5";

    /** Beside the state once that is whole, see complete_text(). */
    const std::string complete = "/complete";

    /** What earlier versions of the format have instead. */
    const std::string earlier_state = "/state";



    struct Fingerprint
    {
      std::uintmax_t size    = 0;
      std::uint32_t checksum = 0;
    };



    /** Of a file; of what can be read if there is an error. */
    Fingerprint
    fingerprint(const std::string &name)
    {
      std::ifstream file(name, std::ios::binary);
      std::vector<char> piece(1 << 20);
      boost::crc_32_type crc;
      Fingerprint result;
      while (file)
        {
          file.read(piece.data(), piece.size());
          crc.process_bytes(piece.data(), file.gcount());
          result.size += file.gcount();
        }
      result.checksum = crc.checksum();
      return result;
    }



    std::string
    complete_text(const Fingerprint &print)
    {
      std::ostringstream text;
      text << magic << "\nversion " << format_version << "\nbytes "
           << print.size << "\nCRC-32 " << print.checksum << '\n';
      return text.str();
    }



    /** Why there is no whole checkpoint in @p directory, or an empty string. */
    std::string
    defect(const std::string &directory)
    {
      std::string text;
      if (!read_file(directory + complete, text))
        {
          if (errno != ENOENT && errno != ENOTDIR)
            return std::strerror(errno);
          if (fs::exists(directory + earlier_state))
            return "it has an earlier version of the format, and this program "
                   "reads version " +
                   std::to_string(format_version);
          return "it is no checkpoint, or only the beginning of one";
        }

      std::istringstream lines(text);
      std::string first_line, word;
      std::getline(lines, first_line);
      unsigned int version = 0;
      lines >> word >> version;
      if (first_line != magic || word != "version" || !lines)
        return "it is no checkpoint, or only the beginning of one";
      if (version != format_version)
        return "it has version " + std::to_string(version) +
               " of the format, and this program reads version " +
               std::to_string(format_version);

      Fingerprint noted;
      lines >> word >> noted.size >> word >> noted.checksum;
      if (!lines || text != complete_text(noted))
        return "the file 'complete' in it was damaged";
      const Fingerprint found = fingerprint(directory + state);
      if (found.size != noted.size)
        return "the file 'state.h5' in it is cut off, or has something behind "
               "its end, or cannot be read";
      if (found.checksum != noted.checksum)
        return "the checksum of the file 'state.h5' in it is wrong, so it was "
               "damaged";
      return "";
    }



    /** Whether there is a checkpoint, or a part of one. */
    bool
    has_files(const std::string &directory)
    {
      std::error_code error;
      return fs::exists(directory + state, error) ||
             fs::exists(directory + complete, error) ||
             fs::exists(directory + earlier_state, error);
    }



    /** One of the steps that put a checkpoint in place. */
    void
    rename_directory(const std::string &from, const std::string &to)
    {
      std::error_code error;
      fs::rename(from, to, error);
      if (error)
        throw RunError("Cannot rename the checkpoint '" + from + "' to '" + to +
                       "': " + error.message() +
                       ". Check the permissions of the output directory.");
    }
  } // namespace



  Checkpoint::Checkpoint(const OutputDirectory &directory,
                         const MPI_Comm communicator)
    : current(directory.file("checkpoint"))
    , next(directory.file("checkpoint.new"))
    , previous(directory.file("checkpoint.old"))
    , directory(directory.name())
    , communicator(communicator)
  {}



  void
  Checkpoint::write(const CheckpointData &data) const
  {
    const std::string file = next + state;
    on_first_rank(communicator, [&]() { prepare(data); });
    try
      {
        write_checkpoint_file(file, data, communicator);
        // Each rank: they may be on computers with a memory of their own.
        on_all_ranks(communicator, [&]() {
          OutputFile(file, OutputFile::Mode::append).synchronize();
        });
        verify_checkpoint_file(file, data, communicator);
      }
    catch (...)
      {
        // The space may be wanted, and nobody can use this.
        std::error_code ignored;
        fs::remove(file, ignored);
        throw;
      }
    on_first_rank(communicator, [&]() { finish(); });
  }



  void
  Checkpoint::prepare(const CheckpointData &data) const
  {
    // After a kill while renaming, the last good one is not where it should
    // be. Put it there before something is written over it.
    std::error_code error;
    if (!has_files(current) && has_files(next) && defect(next).empty())
      {
        fs::remove_all(current, error);
        rename_directory(next, current);
      }

    fs::create_directories(next, error);
    for (const std::string &name : {complete, earlier_state})
      fs::remove(next + name, error);

    // A full disk is noticed here, since MPI does not tell the reason, prints
    // lines of its own, and may wait forever for a rank that failed.
    OutputFile(next + state).reserve(size_of_checkpoint_file(data));
  }



  void
  Checkpoint::finish() const
  {
    OutputFile file(next + complete);
    file.write(complete_text(fingerprint(next + state)));
    file.synchronize();
    file.close();
    synchronize_directory(next);

    std::error_code error;
    if (fs::exists(current))
      {
        fs::remove_all(previous, error);
        rename_directory(current, previous);
      }
    rename_directory(next, current);
    synchronize_directory(directory);
    fs::remove_all(previous, error);
  }



  std::string
  Checkpoint::newest() const
  {
    std::string defects;
    for (const std::string &name : {current, next, previous})
      if (has_files(name))
        {
          const std::string reason = defect(name);
          if (reason.empty())
            return name;
          defects += " '" + name + "': " + reason + ".";
        }

    require(!defects.empty(),
            "There is no checkpoint in '" + directory +
              "'. A run writes them as its parameters tell; start from the "
              "beginning, without --restart.");
    throw UserError("No checkpoint in '" + directory +
                    "' can be used to restart." + defects +
                    " Use the version of the program that wrote it, or start "
                    "from the beginning, without --restart.");
  }



  CheckpointData
  Checkpoint::read()
  {
    CheckpointData data;
    on_first_rank(communicator, [&]() {
      source = newest() + state;
      // Not to read only, which deal.II cannot.
      OutputFile(source, OutputFile::Mode::append);
      data = read_checkpoint_file(source);
    });

    namespace MPI = dealii::Utilities::MPI;
    std::map<std::string, std::uint64_t> sizes;
    for (const auto &[name, numbers] : data.distributed)
      sizes[name] = numbers.size;
    source       = MPI::broadcast(communicator, source, 0);
    data.step    = MPI::broadcast(communicator, data.step, 0);
    data.time    = MPI::broadcast(communicator, data.time, 0);
    data.scalars = MPI::broadcast(communicator, data.scalars, 0);
    data.vectors = MPI::broadcast(communicator, data.vectors, 0);
    for (const auto &[name, size] : MPI::broadcast(communicator, sizes, 0))
      data.distributed[name].size = size;
    return data;
  }



  void
  Checkpoint::read_pieces(
    std::map<std::string, DistributedNumbers> &pieces) const
  {
    AssertThrow(!source.empty(), dealii::ExcMessage("Call read() first."));
    read_checkpoint_pieces(source, pieces, communicator);
  }



  bool
  Checkpoint::exists() const
  {
    bool found = false;
    for (const std::string &name : {current, next, previous})
      found = found || has_files(name);
    return dealii::Utilities::MPI::broadcast(communicator, found, 0);
  }
} // namespace Ricochet
