// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/simulation/options.h>

namespace Ricochet
{
  namespace
  {
    bool
    needs_file(const Options::Action action)
    {
      return action == Options::Action::run ||
             action == Options::Action::validate;
    }
  } // namespace



  Options
  parse_command_line(const std::vector<std::string> &arguments)
  {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      {
        // "--name value" and "--name=value" mean the same.
        const std::string &argument = arguments[i];
        const auto equals           = argument.find('=');
        const std::string name      = argument.substr(0, equals);
        const auto value            = [&]() {
          if (equals != std::string::npos)
            return argument.substr(equals + 1);
          require(i + 1 < arguments.size(),
                  "The option " + name + " needs a value. See --help.");
          return arguments[++i];
        };

        if (name == "--set")
          options.overrides.push_back(value());
        else if (name == "--output")
          options.output_directory = value();
        else if (argument == "--validate")
          options.action = Options::Action::validate;
        else if (argument == "--restart")
          options.restart = true;
        else if (argument == "--print-parameters" ||
                 argument == "--print-parameters=prm")
          options.action = Options::Action::print_parameters;
        else if (argument == "--print-parameters=json")
          options.action = Options::Action::print_parameters_json;
        else if (argument == "--list-plugins")
          options.action = Options::Action::list_plugins;
        else if (argument == "--version" || argument == "-v")
          options.action = Options::Action::version;
        else if (argument == "--help" || argument == "-h")
          options.action = Options::Action::help;
        else if (!argument.empty() && argument[0] == '-')
          throw UserError("There is no option '" + argument + "'. See --help.");
        else
          {
            require(options.parameter_file.empty(),
                    "Only one parameter file can be given, but there are '" +
                      options.parameter_file + "' and '" + argument + "'.");
            options.parameter_file = argument;
          }
      }
    require(!needs_file(options.action) || !options.parameter_file.empty(),
            "No parameter file was given.\n" + usage());
    return options;
  }



  std::string
  usage()
  {
    return R"(Usage: ricochet [options] file.prm
       mpirun -np N ricochet [options] file.prm

Options:
  --set "Section/Subsection/Entry=value"
                       override an entry of the file (repeatable)
  --output DIR         write to DIR instead of the file's output directory
  --restart            continue from the newest checkpoint there
  --validate           build the model, report sizes, mass, time step and
                       initial overlaps, and stop
  --print-parameters[=prm|json]
                       print all entries with defaults and documentation
  --list-plugins       print materials, responses and integrators
  --version            print the versions of Ricochet and its libraries, and
                       the instruction set that runs use on this machine
  --help               print this text

RICOCHET_SIMD=baseline, avx2 or avx512 in the environment makes runs use this
instruction set instead of the widest that the processors of all ranks have.

Exit code: 0 finished; 1 bad input or failed run; 130, 143 stopped by a signal
after writing a checkpoint.
)";
  }
} // namespace Ricochet
