// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_options_h
#define ricochet_simulation_options_h

#include <string>
#include <vector>

namespace Ricochet
{
  /** What the command line asks for. */
  struct Options
  {
    /** What the program is to do. */
    enum class Action
    {
      run,
      validate,
      print_parameters,
      print_parameters_json,
      list_plugins,
      version,
      help
    };

    Action action = Action::run;

    /** The parameter file; may be empty for the last five actions. */
    std::string parameter_file;

    /** Texts "Section/Entry=value" that override the file. */
    std::vector<std::string> overrides;

    /** Replaces the output directory of the file unless empty. */
    std::string output_directory;

    /** Continue from the newest checkpoint of the output directory. */
    bool restart = false;
  };



  /**
   * Read the command line. Throws a UserError that quotes the offending
   * argument.
   */
  Options
  parse_command_line(const std::vector<std::string> &arguments);

  /** The text of --help. */
  std::string
  usage();
} // namespace Ricochet

#endif
