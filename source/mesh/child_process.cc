// SPDX-License-Identifier: LGPL-2.1-or-later

#include "child_process.h"

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace Ricochet
{
  namespace
  {
    /** How the child ends; libraries that end a process have other codes. */
    enum ExitCode
    {
      has_result = 90,
      has_message,
      out_of_memory
    };



    void
    write_all(const int pipe, const char *bytes, std::size_t size)
    {
      while (size > 0)
        {
          const ssize_t n = write(pipe, bytes, size);
          if (n < 0 && errno == EINTR)
            continue;
          if (n <= 0)
            return;
          bytes += n;
          size -= n;
        }
    }



    std::vector<char>
    read_all(const int pipe)
    {
      std::vector<char> bytes;
      std::size_t size = 0;
      while (true)
        {
          if (bytes.size() < size + 65536)
            bytes.resize(2 * size + 65536);
          const ssize_t n =
            read(pipe, bytes.data() + size, bytes.size() - size);
          if (n < 0 && errno == EINTR)
            continue;
          if (n <= 0)
            break;
          size += n;
        }
      bytes.resize(size);
      return bytes;
    }



    void
    lower_limit(const int resource, const rlim_t value)
    {
      rlimit limit;
      if (getrlimit(resource, &limit) != 0)
        return;
      if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > value)
        limit.rlim_cur = value;
      setrlimit(resource, &limit);
    }



    /** Bytes of address space in use, or zero where the system does not tell.
     */
    std::size_t
    used_memory()
    {
      std::size_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      return pages * sysconf(_SC_PAGESIZE);
    }



    /** Everything that the child does; ends it. */
    [[noreturn]] void
    run_child(const std::function<std::vector<char>()> &work,
              const ChildLimits &limits,
              const std::string &where,
              const int pipe)
    {
      // A crash is for the parent to tell about.
      for (const int signal :
           {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGXCPU})
        std::signal(signal, SIG_DFL);
      const int nothing = open("/dev/null", O_RDWR);
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(nothing, stream);
      lower_limit(RLIMIT_CORE, 0);
      lower_limit(RLIMIT_CPU, limits.cpu_time);
      const std::size_t used = used_memory();
      if (used > 0)
        lower_limit(RLIMIT_AS, used + limits.memory);

      // Without the destructors and handlers of the parent's libraries.
      const auto finish =
        [pipe](const ExitCode code, const char *bytes, const std::size_t size) {
          write_all(pipe, bytes, size);
          _exit(code);
        };
      try
        {
          const std::vector<char> result = work();
          finish(has_result, result.data(), result.size());
        }
      catch (const UserError &error)
        {
          finish(has_message, error.what(), std::strlen(error.what()));
        }
      catch (const std::bad_alloc &)
        {
          finish(out_of_memory, nullptr, 0);
        }
      catch (const std::exception &error)
        {
          const std::string text = where + ": " + text_of(error) + ".";
          finish(has_message, text.data(), text.size());
        }
      catch (...)
        {
          _exit(out_of_memory);
        }
      _exit(out_of_memory);
    }
  } // namespace



  std::vector<char>
  in_child_process(const std::function<std::vector<char>()> &work,
                   const ChildLimits &limits,
                   const std::string &where)
  {
    int ends[2];
    require(pipe(ends) == 0,
            where + ": cannot open a pipe: " + std::strerror(errno) + ".");
    const pid_t child = fork();
    if (child == 0)
      {
        close(ends[0]);
        run_child(work, limits, where, ends[1]);
      }
    const int error = errno;
    close(ends[1]);
    std::vector<char> result;
    if (child > 0)
      result = read_all(ends[0]);
    close(ends[0]);
    require(child > 0,
            where + ": cannot start a process to read it: " +
              std::strerror(error) + ".");

    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == has_result)
      return result;
    if (WIFEXITED(status) && WEXITSTATUS(status) == has_message)
      throw UserError(std::string(result.begin(), result.end()));
    std::string reason = "the library that reads it has failed";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
      reason = "the library that reads it has found no end";
    else if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory)
      reason =
        "the library that reads it wanted more memory than such a file "
        "can need";
    throw UserError(where + ": " + reason +
                    ", so it is damaged. Write it again.");
  }
} // namespace Ricochet
