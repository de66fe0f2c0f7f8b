// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/output_file.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace Ricochet
{
  namespace
  {
    std::string
    remedy(const int error)
    {
      switch (error)
        {
          case ENOSPC:
          case EDQUOT:
            return "Free some space there, or write less (longer output "
                   "intervals) or elsewhere (--output DIR). What was written "
                   "before can still be read; continue the run with --restart "
                   "if it has a checkpoint.";
          case EACCES:
          case EPERM:
          case EROFS:
            return "Change the permissions, or write elsewhere (--output DIR).";
          case EMFILE:
          case ENFILE:
            return "Raise the limit on open files (ulimit -n).";
          default:
            return "Check the disk, or write elsewhere (--output DIR).";
        }
    }



    [[noreturn]] void
    fail(const std::string &what, const std::string &file, const int error)
    {
      throw RunError("Cannot " + what + " the file '" + file +
                     "': " + std::strerror(error) + ". " + remedy(error));
    }
  } // namespace



  OutputFile::OutputFile(const std::string &name, const Mode mode)
    : file_name(name)
  {
    descriptor = ::open(name.c_str(),
                        O_WRONLY | O_CREAT | O_CLOEXEC |
                          (mode == Mode::create ? O_TRUNC : O_APPEND),
                        0666);
    if (descriptor < 0)
      fail("open", name, errno);
  }



  OutputFile::OutputFile(OutputFile &&other) noexcept
    : file_name(std::move(other.file_name))
    , descriptor(std::exchange(other.descriptor, -1))
  {}



  OutputFile &
  OutputFile::operator=(OutputFile &&other) noexcept
  {
    std::swap(file_name, other.file_name);
    std::swap(descriptor, other.descriptor);
    return *this;
  }



  OutputFile::~OutputFile()
  {
    if (is_open())
      ::close(descriptor);
  }



  void
  OutputFile::write(const char *data, const std::size_t size)
  {
    std::size_t written = 0;
    while (written < size)
      {
        const ssize_t n = ::write(descriptor, data + written, size - written);
        if (n > 0)
          written += n;
        else if (n < 0 && errno == EINTR)
          continue;
        else
          {
            const int error = (n == 0 ? ENOSPC : errno);

            // Devices and pipes cannot be cut; nothing is lost by trying.
            const off_t end = ::lseek(descriptor, 0, SEEK_CUR);
            if (written > 0 && end >= static_cast<off_t>(written))
              {
                const off_t begin = end - static_cast<off_t>(written);
                if (::ftruncate(descriptor, begin) == 0)
                  ::lseek(descriptor, begin, SEEK_SET);
              }
            fail("write to", file_name, error);
          }
      }
  }



  void
  OutputFile::reserve(const std::size_t size)
  {
    const int error = ::posix_fallocate(descriptor, 0, size);
    if (error == 0 || error == EINVAL || error == EOPNOTSUPP ||
        error == ENODEV || error == ESPIPE)
      return;
    // Only to leave nothing behind; the reason is known already.
    if (::ftruncate(descriptor, 0) == 0)
      ::lseek(descriptor, 0, SEEK_SET);
    fail("write to", file_name, error);
  }



  void
  OutputFile::synchronize()
  {
    // Files that are no files on a disk (pipes, devices) say EINVAL.
    if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
      fail("write to", file_name, errno);
  }



  void
  OutputFile::close()
  {
    if (::close(std::exchange(descriptor, -1)) != 0 && errno != EINTR)
      fail("write to", file_name, errno);
  }



  void
  write_file(const std::string &name, const std::string &contents)
  {
    OutputFile file(name);
    file.write(contents);
    file.close();
  }



  void
  replace_file(const std::string &name, const std::string &contents)
  {
    const std::string temporary = name + ".new";
    try
      {
        write_file(temporary, contents);
      }
    catch (...)
      {
        std::remove(temporary.c_str());
        throw;
      }
    if (std::rename(temporary.c_str(), name.c_str()) != 0)
      fail("replace", name, errno);
  }



  bool
  read_file(const std::string &name, std::string &contents)
  {
    struct stat status;
    if (::stat(name.c_str(), &status) != 0)
      return false;
    if (S_ISDIR(status.st_mode))
      {
        errno = EISDIR;
        return false;
      }

    std::ifstream file(name, std::ios::binary);
    if (!file)
      return false;
    contents.resize(status.st_size);
    file.read(&contents[0], contents.size());
    contents.resize(file.gcount());
    return !file.bad();
  }



  void
  synchronize_directory(const std::string &name)
  {
    const int directory = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (directory >= 0)
      {
        // Some file systems do not support this for directories.
        (void)::fsync(directory);
        ::close(directory);
      }
  }
} // namespace Ricochet
