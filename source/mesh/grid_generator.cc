// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/compat.h>
#include <ricochet/base/edit_distance.h>
#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/mesh/grid_generator.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>
#include <deal.II/grid/grid_generator.h>

#include <algorithm>
#include <array>
#include <exception>

namespace Ricochet
{
  namespace
  {
    struct Generator
    {
      std::string name;

      /** Arguments in two and three dimensions; empty where it does not exist.
       */
      std::array<std::string, 2> examples;

      /**
       * The first argument is a list, and the library reads as many of its
       * elements as the example has without looking whether they are there.
       */
      bool first_has_fixed_length = false;
    };



    const std::vector<Generator> &
    generators()
    {
      static const std::vector<Generator> list = {
        {"channel_with_cylinder",
         {{"0.03 : 2 : 2.0 : true", "0.03 : 2 : 2.0 : true"}}},
        {"cheese", {{"2, 2", "2, 2, 2"}}, true},
        {"concentric_hyper_shells",
         {{"0, 0 : 0.5 : 1 : 2 : 0.1 : 8 : true",
           "0, 0, 0 : 0.5 : 1 : 2 : 0.1 : 12 : true"}}},
        {"cylinder", {{"1 : 1", "1 : 2"}}},
        {"cylinder_shell",
         {{"",
           cylinder_shell_has_colors ? "2 : 0.5 : 1 : 8 : 4 : true"
                                     : "2 : 0.5 : 1 : 8 : 4"}}},
        {"eccentric_hyper_shell",
         {{"0.1, 0 : 0, 0 : 0.5 : 1 : 12",
           "0.1, 0, 0 : 0, 0, 0 : 0.5 : 1 : 12"}}},
        {"enclosed_hyper_cube", {{"0 : 1 : 0.5 : true", "0 : 1 : 0.5 : true"}}},
        {"general_cell",
         {{"0, 0 ; 1, 0 ; 0, 1 ; 1, 1 : true",
           "0, 0, 0 ; 1, 0, 0 ; 0, 1, 0 ; 1, 1, 0 ; "
           "0, 0, 1 ; 1, 0, 1 ; 0, 1, 1 ; 1, 1, 1 : true"}},
         true},
        {"half_hyper_ball", {{"0, 0 : 1", "0, 0, 0 : 1"}}},
        {"half_hyper_shell",
         {{"0, 0 : 0.5 : 1 : 4 : true", "0, 0, 0 : 0.5 : 1 : 5 : true"}}},
        // With curved cells at the boundary only, those of the ball fold over
        // when they are cut twice.
        {"hyper_ball", {{"0, 0 : 1 : true", "0, 0, 0 : 1 : false"}}},
        {"hyper_ball_balanced", {{"0, 0 : 1", "0, 0, 0 : 1"}}},
        {"hyper_cross",
         {{"1, 1, 1, 1 : true", "1, 1, 1, 1, 1, 1 : true"}},
         true},
        {"hyper_cube", {{"0 : 1 : true", "0 : 1 : true"}}},
        {"hyper_cube_slit", {{"0 : 1 : true", "0 : 1 : true"}}},
        {"hyper_cube_with_cylindrical_hole",
         {{"0.25 : 0.5 : 0.5 : 1 : true", "0.25 : 0.5 : 0.5 : 1 : true"}}},
        {"hyper_L", {{"0 : 1 : true", "0 : 1 : false"}}},
        {"hyper_rectangle",
         {{"0, 0 : 2, 1 : true", "0, 0, 0 : 2, 1, 1 : true"}}},
        {"hyper_shell",
         {{"0, 0 : 0.5 : 1 : 8 : true", "0, 0, 0 : 0.5 : 1 : 12 : true"}}},
        {"moebius", {{"", "16 : 0 : 1 : 0.2"}}},
        {"plate_with_a_hole",
         {{"0.4 : 1 : 2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : true",
           "0.4 : 1 : 2 : 2 : 2 : 2 : 0, 0, 0 : 0 : 1 : 1 : 2 : true"}}},
        {"quarter_hyper_ball", {{"0, 0 : 1", "0, 0, 0 : 1"}}},
        {"quarter_hyper_shell",
         {{"0, 0 : 0.5 : 1 : 4 : true", "0, 0, 0 : 0.5 : 1 : 3 : true"}}},
        {"simplex",
         {{"0, 0 ; 1, 0 ; 0, 1", "0, 0, 0 ; 1, 0, 0 ; 0, 1, 0 ; 0, 0, 1"}},
         true},
        {"subdivided_cylinder", {{"", "2 : 1 : 2"}}},
        {"subdivided_hyper_cube", {{"4 : 0 : 1 : true", "4 : 0 : 1 : true"}}},
        {"subdivided_hyper_rectangle",
         {{"4, 2 : 0, 0 : 2, 1 : true", "4, 2, 2 : 0, 0, 0 : 2, 1, 1 : true"}},
         true},
        {"torus", {{"", "1 : 0.3 : 6 : 6.283185307179586"}}},
        {"truncated_cone", {{"1 : 0.5 : 1", "1 : 0.5 : 1"}}}};
      return list;
    }



    /**
     * Number of elements of the first argument. Elements of elements, as in
     * the step sizes that subdivided_hyper_rectangle also takes, count as the
     * list that they are in.
     */
    unsigned int
    length_of_first(const std::string &arguments)
    {
      const std::string first = arguments.substr(0, arguments.find(':'));
      const char separator = first.find(';') == std::string::npos ? ',' : ';';
      return dealii::Utilities::split_string_list(first, separator).size();
    }



    template <int dim>
    void
    check_name_and_length(const std::string &name,
                          const std::string &arguments,
                          const std::string &message)
    {
      const auto generator =
        std::find_if(generators().begin(),
                     generators().end(),
                     [&](const Generator &g) { return g.name == name; });
      if (generator == generators().end())
        return; // a later version of the library may know it

      const std::string &example = generator->examples[dim - 2];
      require(!example.empty(),
              message + " It exists only for Dimension = " +
                std::to_string(5 - dim) + ".");
      if (generator->first_has_fixed_length)
        {
          const unsigned int expected = length_of_first(example);
          require(length_of_first(arguments) == expected,
                  message + " The first of its arguments must have " +
                    std::to_string(expected) + " elements, as in \"" + example +
                    "\".");
        }
    }



    /** What to write instead of arguments that did not work. */
    template <int dim>
    std::string
    remedy(const std::string &name)
    {
      std::vector<std::string> names;
      for (const auto &example : grid_generator_examples<dim>())
        {
          if (example.first == name)
            return "None of its arguments can be left out, and all must suit "
                   "Dimension = " +
                   std::to_string(dim) + ". An example: \"" + example.second +
                   "\".";
          names.push_back(example.first);
        }

      std::string result = "Similar names:";
      for (const auto &candidate : nearest_names(name, names))
        result += " " + candidate;
      return result + ".";
    }



    /** The first argument of a subdivided mesh are numbers of cells; the
     * library takes negative ones for huge ones. */
    void
    check_counts(const std::string &arguments, const std::string &message)
    {
      for (const auto &count : dealii::Utilities::split_string_list(
             arguments.substr(0, arguments.find(':')),
             ','))
        require(count.find('-') == std::string::npos,
                message + " '" + count + "' is not a number of cells.");
    }
  } // namespace



  template <int dim>
  HalvedBox
  halved_box(const std::string &name, const std::string &arguments)
  {
    const unsigned int n_counts = name == "subdivided_hyper_rectangle" ? dim
                                  : name == "subdivided_hyper_cube"    ? 1
                                                                       : 0;
    const auto end              = arguments.find(':');
    const auto words =
      dealii::Utilities::split_string_list(arguments.substr(0, end), ',');
    if (end == std::string::npos || words.size() != n_counts)
      return {arguments, 0};

    std::vector<unsigned int> counts;
    for (const std::string &word : words)
      {
        if (word.empty() || word.size() > 8 ||
            word.find_first_not_of("0123456789") != std::string::npos)
          return {arguments, 0};
        counts.push_back(std::stoul(word));
      }
    unsigned int n_cuts = 0;
    const auto all_even = [&]() {
      return std::all_of(counts.begin(), counts.end(), [](const auto count) {
        return count > 0 && count % 2 == 0;
      });
    };
    for (; all_even(); ++n_cuts)
      for (unsigned int &count : counts)
        count /= 2;
    std::string text;
    for (const unsigned int count : counts)
      text += (text.empty() ? "" : ", ") + std::to_string(count);
    return {text + " " + arguments.substr(end), n_cuts};
  }



  template <int dim>
  std::vector<std::pair<std::string, std::string>>
  grid_generator_examples()
  {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto &generator : generators())
      if (!generator.examples[dim - 2].empty())
        result.emplace_back(generator.name, generator.examples[dim - 2]);
    return result;
  }



  template <int dim>
  void
  generate_grid(const std::string &name,
                const std::string &arguments,
                const std::string &where,
                dealii::Triangulation<dim> &triangulation)
  {
    const std::string message =
      where + ": the grid generator '" + name +
      "' did not work with 'Grid generator arguments' = " + arguments + ".";
    check_name_and_length<dim>(name, arguments, message);

    if (name.compare(0, 10, "subdivided") == 0)
      check_counts(arguments, message + " " + remedy<dim>(name));
    try
      {
        dealii::GridGenerator::generate_from_name_and_arguments(triangulation,
                                                                name,
                                                                arguments);
      }
    catch (const dealii::Patterns::Tools::ExcNoMatch &)
      {
        // The library's text lists nested patterns; the example says it better.
        throw UserError(message + " " + remedy<dim>(name));
      }
    catch (const std::exception &exception)
      {
        const std::string text = text_of(exception);
        if (text == name + "(" + arguments + ") not implemented")
          throw UserError(where + ": there is no grid generator called '" +
                          name + "' for Dimension = " + std::to_string(dim) +
                          " (entry 'Grid generator'). " + remedy<dim>(name));
        throw UserError(message + " " + remedy<dim>(name) +
                        " The library says: " + text);
      }
    require(triangulation.n_active_cells() > 0,
            message + " It made no cells. " + remedy<dim>(name));
  }



  template HalvedBox
  halved_box<2>(const std::string &, const std::string &);
  template HalvedBox
  halved_box<3>(const std::string &, const std::string &);
  template std::vector<std::pair<std::string, std::string>>
  grid_generator_examples<2>();
  template std::vector<std::pair<std::string, std::string>>
  grid_generator_examples<3>();

  template void
  generate_grid(const std::string &,
                const std::string &,
                const std::string &,
                dealii::Triangulation<2> &);
  template void
  generate_grid(const std::string &,
                const std::string &,
                const std::string &,
                dealii::Triangulation<3> &);
} // namespace Ricochet
