// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/pictures/gnuplot.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace Ricochet
{
  namespace
  {
    /**
     * Wait for a child process, at most a minute.
     *
     * @return Why it did not succeed, or an empty string.
     */
    std::string
    wait_for(const pid_t child)
    {
      using Clock         = std::chrono::steady_clock;
      const auto deadline = Clock::now() + std::chrono::minutes(1);
      while (true)
        {
          int status         = 0;
          const pid_t result = ::waitpid(child, &status, WNOHANG);
          if (result == child)
            {
              if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                return "";
              // What spawning without a check of the program's name leads to.
              if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
                return "it could not be started";
              return WIFEXITED(status) ? "it reported an error"
                                       : "it was stopped by a signal";
            }
          if (result < 0 && errno != EINTR)
            return "";
          if (Clock::now() > deadline)
            {
              ::kill(child, SIGKILL);
              ::waitpid(child, &status, 0);
              return "it took more than a minute";
            }
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
  } // namespace



  GnuplotResult
  run_gnuplot(const std::string &program,
              const std::string &directory,
              const std::string &script,
              const std::string &log)
  {
    // gnuplot changes the directory itself, since spawning cannot everywhere;
    // -d: without the settings of the user.
    std::vector<std::string> arguments = {program,
                                          "-d",
                                          "-e",
                                          "cd " + gnuplot_quoted(directory),
                                          script};
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
      pointers.push_back(&argument[0]);
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions,
                                       STDIN_FILENO,
                                       "/dev/null",
                                       O_RDONLY,
                                       0);
    ::posix_spawn_file_actions_addopen(&actions,
                                       STDOUT_FILENO,
                                       log.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC,
                                       0666);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);

    pid_t child     = -1;
    const int error = ::posix_spawnp(&child,
                                     program.c_str(),
                                     &actions,
                                     nullptr,
                                     pointers.data(),
                                     environ);
    ::posix_spawn_file_actions_destroy(&actions);

    if (error == ENOENT)
      return {GnuplotResult::not_found, "'" + program + "' is not installed"};
    if (error != 0)
      return {GnuplotResult::failed, std::strerror(error)};

    const std::string reason = wait_for(child);
    if (reason.empty())
      return {GnuplotResult::done, ""};
    return {GnuplotResult::failed, reason + " (see " + log + ")"};
  }



  std::string
  gnuplot_quoted(const std::string &text)
  {
    std::string result = "'";
    for (const char c : text)
      {
        if (c == '\'')
          result += '\'';
        result += (c == '\n' ? ' ' : c);
      }
    return result + "'";
  }
} // namespace Ricochet
