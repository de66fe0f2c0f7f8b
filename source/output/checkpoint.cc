// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/output_file.h>

#include <deal.II/base/exceptions.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <type_traits>

namespace Ricochet
{
  namespace
  {
    namespace fs = std::filesystem;

    const std::string magic                = "Ricochet checkpoint\n";
    constexpr std::uint32_t format_version = 2;

    /** Read back as another number on machines with the other byte order. */
    constexpr std::uint32_t byte_order_mark = 0x01020304;

    /** magic, byte order, version, size of the rest, checksum of the rest. */
    const std::size_t header_size = magic.size() + 4 + 4 + 8 + 4;



    std::uint32_t
    checksum(const char *const data, const std::size_t size)
    {
      boost::crc_32_type crc;
      crc.process_bytes(data, size);
      return crc.checksum();
    }



    /** Appends numbers and texts to a string of bytes. */
    class Packer
    {
    public:
      template <typename Number>
      void
      number(const Number value)
      {
        static_assert(std::is_arithmetic<Number>::value, "Not a number");
        bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
      }

      void
      text(const std::string &value)
      {
        number<std::uint64_t>(value.size());
        bytes += value;
      }

      std::string bytes;
    };



    /** Takes out what Packer put in. */
    class Unpacker
    {
    public:
      Unpacker(const std::string &bytes, const std::size_t begin)
        : bytes(bytes)
        , position(begin)
      {}

      template <typename Number>
      Number
      number()
      {
        Number value;
        copy(&value, sizeof(value));
        return value;
      }

      std::string
      text()
      {
        std::string value(number<std::uint64_t>(), ' ');
        copy(&value[0], value.size());
        return value;
      }

      std::vector<double>
      vector()
      {
        std::vector<double> value(number<std::uint64_t>());
        copy(value.data(), value.size() * sizeof(double));
        return value;
      }

    private:
      void
      copy(void *const destination, const std::size_t size)
      {
        // The checksum was right, so this is not about damaged files.
        AssertThrow(size <= bytes.size() - position,
                    dealii::ExcMessage("The checkpoint ends too early."));
        if (size > 0)
          std::memcpy(destination, bytes.data() + position, size);
        position += size;
      }

      const std::string &bytes;
      std::size_t position;
    };



    std::string
    pack_contents(const CheckpointData &data)
    {
      Packer payload;
      payload.number<std::uint64_t>(data.step);
      payload.number(data.time);
      payload.number<std::uint64_t>(data.scalars.size());
      for (const auto &scalar : data.scalars)
        {
          payload.text(scalar.first);
          payload.number(scalar.second);
        }
      payload.number<std::uint64_t>(data.vectors.size());
      for (const auto &vector : data.vectors)
        {
          payload.text(vector.first);
          payload.number<std::uint64_t>(vector.second.size());
          payload.bytes.append(reinterpret_cast<const char *>(
                                 vector.second.data()),
                               vector.second.size() * sizeof(double));
        }
      return payload.bytes;
    }



    /** What stands before @p contents in the file. */
    std::string
    pack_header(const std::string &contents)
    {
      Packer header;
      header.bytes = magic;
      header.number(byte_order_mark);
      header.number(format_version);
      header.number<std::uint64_t>(contents.size());
      header.number(checksum(contents.data(), contents.size()));
      return header.bytes;
    }



    CheckpointData
    unpack(const std::string &contents)
    {
      CheckpointData data;
      Unpacker payload(contents, header_size);
      data.step = payload.number<std::uint64_t>();
      data.time = payload.number<double>();
      for (auto n = payload.number<std::uint64_t>(); n > 0; --n)
        {
          const std::string name = payload.text();
          data.scalars[name]     = payload.number<double>();
        }
      for (auto n = payload.number<std::uint64_t>(); n > 0; --n)
        {
          const std::string name = payload.text();
          data.vectors[name]     = payload.vector();
        }
      return data;
    }



    /** Why the contents of a file are no checkpoint, or an empty string. */
    std::string
    defect(const std::string &contents)
    {
      if (contents.size() < header_size ||
          contents.compare(0, magic.size(), magic) != 0)
        return "it is no checkpoint, or only the beginning of one";

      Unpacker header(contents, magic.size());
      const auto mark = header.number<std::uint32_t>();
      if (mark != byte_order_mark)
        return "it was written on a machine with another byte order";
      const auto version = header.number<std::uint32_t>();
      if (version != format_version)
        return "it has version " + std::to_string(version) +
               " of the format, and this program reads version " +
               std::to_string(format_version);
      const auto size = header.number<std::uint64_t>();
      if (size != contents.size() - header_size)
        return "it is cut off or has something behind its end";
      if (header.number<std::uint32_t>() !=
          checksum(contents.data() + header_size, size))
        return "its checksum is wrong, so it was damaged";
      return "";
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
    on_first_rank(communicator, [&]() { write_on_first_rank(data); });
  }



  void
  Checkpoint::write_on_first_rank(const CheckpointData &data) const
  {
    // After a kill while renaming, the last good one is not where it should
    // be. Put it there before something is written over it.
    std::string contents;
    if (!read_file(current + "/state", contents) &&
        read_file(next + "/state", contents) && defect(contents).empty())
      {
        std::error_code error;
        fs::remove_all(current, error);
        rename_directory(next, current);
      }

    std::error_code error;
    fs::create_directories(next, error);
    const std::string packed = pack_contents(data);
    OutputFile file(next + "/state");
    file.write(pack_header(packed));
    file.write(packed);
    file.synchronize();
    file.close();
    synchronize_directory(next);

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
      {
        const std::string file = name + "/state";
        std::string contents;
        if (read_file(file, contents))
          {
            const std::string reason = defect(contents);
            if (reason.empty())
              return contents;
            defects += " '" + file + "': " + reason + ".";
          }
        else if (errno != ENOENT && errno != ENOTDIR)
          defects += " '" + file + "': " + std::strerror(errno) + ".";
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
  Checkpoint::read() const
  {
    std::string contents;
    on_first_rank(communicator, [&]() { contents = newest(); });

    namespace MPI = dealii::Utilities::MPI;
    std::uint64_t size =
      MPI::broadcast(communicator, std::uint64_t(contents.size()), 0);
    contents.resize(size);
    MPI::broadcast(&contents[0], contents.size(), 0, communicator);
    return unpack(contents);
  }



  bool
  Checkpoint::exists() const
  {
    std::error_code error;
    bool found = false;
    for (const std::string &name : {current, next, previous})
      found = found || fs::exists(name + "/state", error);
    return dealii::Utilities::MPI::broadcast(communicator, found, 0);
  }
} // namespace Ricochet
