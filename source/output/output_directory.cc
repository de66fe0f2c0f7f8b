// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/output_file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <regex>
#include <system_error>
#include <unistd.h>

namespace Ricochet
{
  namespace
  {
    namespace fs = std::filesystem;



    /** Directories that a run makes in the output directory. */
    const std::array<const char *, 4> directories_of_run = {
      {"checkpoint", "checkpoint.new", "checkpoint.old", "plots"}};



    /** Whether @p name, relative to the output directory, is one of a run's. */
    bool
    is_name_of_run(const std::string &name)
    {
      static const std::regex pattern(
        "(history|bodies|obstacles|reactions|contact_forces|probes|overlaps)"
        "\\.csv"
        "|parameters\\.prm"
        "|summary\\.txt"
        "|(solution|contact|obstacles)\\.pvd(\\.new)?"
        "|(solution|contact|obstacles)-[0-9]{5,}(-[a-z0-9-]+)?\\.p?vtu"
        "|checkpoint(\\.new|\\.old)?/(state|state\\.h5|complete)"
        "|plots/(history|trajectories)\\.(gp|png)"
        "|plots/outlines\\.csv"
        "|plots/picture-[0-9]{5,}\\.(gp|png|rgb)"
        "|plots/gnuplot\\.log");
      return std::regex_match(name, pattern);
    }



    void
    remove_files_of_run(const std::string &directory)
    {
      for (const std::string &name : OutputDirectory::files_of_run(directory))
        {
          std::error_code error;
          fs::remove(fs::path(directory) / name, error);
          require(!error,
                  "Cannot remove '" + directory + "/" + name +
                    "', which an earlier run has written: " + error.message() +
                    ". Remove it yourself or choose another output "
                    "directory (--output DIR).");
        }

      // Fails where the user has put something else, and should.
      std::error_code ignored;
      for (const char *const name : directories_of_run)
        fs::remove(fs::path(directory) / name, ignored);
    }
  } // namespace



  std::vector<std::string>
  OutputDirectory::files_of_run(const std::string &directory)
  {
    std::vector<std::string> names;
    const auto list = [&](const std::string &prefix) {
      std::error_code error;
      for (const auto &entry :
           fs::directory_iterator(directory + "/" + prefix, error))
        {
          const std::string name = prefix + entry.path().filename().string();
          if (is_name_of_run(name))
            names.push_back(name);
        }
    };

    list("");
    for (const char *const name : directories_of_run)
      list(std::string(name) + "/");
    std::sort(names.begin(), names.end());
    return names;
  }



  OutputDirectory::OutputDirectory(const std::string &name,
                                   const Existing existing,
                                   const MPI_Comm communicator)
    : directory(name)
  {
    while (directory.size() > 1 && directory.back() == '/')
      directory.pop_back();
    require(!directory.empty(),
            "The output directory has no name. Give one in the parameter file "
            "or by --output DIR; '.' is the current directory.");

    on_first_rank(communicator, [&]() { create(existing); });

    // Ranks on other machines may not see the same disk.
    on_all_ranks(communicator, [&]() {
      require(::access(directory.c_str(), W_OK | X_OK) == 0,
              "Cannot write to the output directory '" + directory +
                "' on all machines of this run: " + std::strerror(errno) +
                ". Choose a directory that all of them share (--output DIR).");
    });
  }



  void
  OutputDirectory::create(const Existing existing) const
  {
    std::error_code error;
    fs::create_directories(directory, error);
    require(fs::is_directory(directory),
            "Cannot make the output directory '" + directory +
              "': " + (error ? error.message() : "a file of that name exists") +
              ". Choose another one (--output DIR) or change the permissions.");

    // Permissions do not tell everything (quotas, read-only file systems).
    const std::string trial = file(".ricochet-trial");
    try
      {
        write_file(trial, "");
      }
    catch (const RunError &error)
      {
        throw UserError("Cannot use the output directory '" + directory +
                        "'. " + error.what());
      }
    fs::remove(trial, error);

    const auto names = files_of_run(directory);
    if (existing == Existing::overwrite)
      remove_files_of_run(directory);
    else if (existing == Existing::refuse && !names.empty())
      throw UserError("The output directory '" + directory +
                      "' holds the results of another run (" + names.front() +
                      (names.size() > 1 ? ", ..." : "") +
                      "). Choose another directory (--output DIR), continue "
                      "that run (--restart), or allow to overwrite it.");
  }
} // namespace Ricochet
