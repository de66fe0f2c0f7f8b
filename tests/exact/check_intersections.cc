// SPDX-License-Identifier: LGPL-2.1-or-later

// Checks the contact surfaces that a run wrote, by exact predicates:
//
//   check_intersections [--self] [--shrink X] DIRECTORY...
//
// Each vertex is first moved into its body by 1e-13 (or X) of the body's size.
// Then no two facets of different bodies may have a point in common (with
// --self, nor two of the same body that share no vertex), no body may be
// inside another, and no facet may have lost its area. Prints what is wrong,
// and exits with code 0 if nothing is, 1 if something is, 2 if it could not
// tell.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "contact_surface.h"

namespace
{
  using namespace Ricochet::Testing;

  struct Options
  {
    bool same_body = false;
    double shrink  = 1e-13;
    std::vector<std::filesystem::path> directories;
  };



  Options
  parse(const int argc, const char *const *const argv)
  {
    Options options;
    for (int i = 1; i < argc; ++i)
      {
        const std::string argument = argv[i];
        if (argument == "--self")
          options.same_body = true;
        else if (argument == "--shrink" && i + 1 < argc)
          options.shrink = std::stod(argv[++i]);
        else
          options.directories.emplace_back(argument);
      }
    if (options.directories.empty())
      throw std::runtime_error("Name an output directory.");
    return options;
  }



  std::vector<std::filesystem::path>
  contact_files(const std::filesystem::path &directory)
  {
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      if (entry.path().extension() == ".vtu" &&
          entry.path().filename().string().rfind("contact-", 0) == 0)
        files.push_back(entry.path());
    if (files.empty())
      throw std::runtime_error("No contact-*.vtu is in " + directory.string());
    std::sort(files.begin(), files.end());
    return files;
  }



  /** The number of faults in one file. */
  std::size_t
  check(const std::filesystem::path &file, const Options &options)
  {
    auto surface = ContactSurface::read(file.string());
    surface.shrink(options.shrink);

    const auto flat = surface.degenerate_facets();
    for (const std::size_t f : flat)
      std::cout << file.string() << ": facet " << f << " of body "
                << surface.facet_body[f] << " has no area\n";
    if (!flat.empty())
      return flat.size();

    const auto pairs = surface.intersections(options.same_body);
    for (const auto &pair : pairs)
      std::cout << file.string() << ": facet " << pair.first << " of body "
                << surface.facet_body[pair.first] << " intersects facet "
                << pair.second << " of body " << surface.facet_body[pair.second]
                << '\n';

    const auto contained = surface.contained();
    for (const auto &pair : contained)
      std::cout << file.string() << ": part of body " << pair.inner
                << " is inside body " << pair.outer << '\n';
    return pairs.size() + contained.size();
  }
} // namespace



int
main(int argc, char **argv)
{
  try
    {
      const Options options = parse(argc, argv);
      std::size_t n_files = 0, n_faults = 0;
      for (const auto &directory : options.directories)
        for (const auto &file : contact_files(directory))
          {
            n_faults += check(file, options);
            ++n_files;
          }
      std::cout << n_files << " surfaces, " << n_faults << " faults\n";
      return n_faults > 0 ? 1 : 0;
    }
  catch (const std::exception &exception)
    {
      std::cerr << exception.what() << '\n';
      return 2;
    }
}
