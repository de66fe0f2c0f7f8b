// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/output_file.h>
#include <ricochet/pictures/gnuplot.h>
#include <ricochet/pictures/pictures.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <system_error>

#include "history_script.h"
#include "render_surface.h"
#include "surface_script.h"
#include "trajectories_script.h"

namespace Ricochet
{
  namespace
  {
    const std::string outlines_table = "plots/outlines.csv";



    std::string
    hexadecimal(const Color &color)
    {
      char text[10];
      std::snprintf(text,
                    sizeof(text),
                    "#%02x%02x%02x",
                    static_cast<unsigned int>(255.f * color[0] + 0.5f),
                    static_cast<unsigned int>(255.f * color[1] + 0.5f),
                    static_cast<unsigned int>(255.f * color[2] + 0.5f));
      return text;
    }
  } // namespace



  Pictures::Pictures(const OutputDirectory &directory,
                     const std::vector<std::string> &body_names,
                     const std::string &program)
    : directory(directory)
    , body_names(body_names)
    , program(program)
  {}



  void
  Pictures::resume(const double time)
  {
    const std::string name = directory.file(outlines_table);
    std::ifstream file(name);
    std::string kept;
    // Times only grow, so what is kept is the first part of the file. They have
    // seven digits there.
    for (std::string line; std::getline(file, line); kept += line + '\n')
      {
        double x, y, line_time;
        if (std::sscanf(line.c_str(), "%lf,%lf,%lf", &x, &y, &line_time) == 3 &&
            line_time > time * (1. + 1e-6))
          break;
      }
    if (!kept.empty())
      replace_file(name, kept);
  }



  void
  Pictures::serialize(CheckpointArchive &archive)
  {
    archive("lower corner", region.first);
    archive("upper corner", region.second);
    archive("nothing to see yet", region_is_empty);
  }



  void
  Pictures::make_directory() const
  {
    // If this fails, so does writing, and tells why.
    std::error_code error;
    std::filesystem::create_directories(directory.file("plots"), error);
  }



  void
  Pictures::write_plot_file(const std::string &name,
                            const std::string &contents) const
  {
    make_directory();
    write_file(directory.file(name), contents);
  }



  bool
  Pictures::run_script(const std::string &script)
  {
    const std::string log = "plots/gnuplot.log";
    const auto result =
      run_gnuplot(program, directory.name(), script, directory.file(log));

    // Warnings are of no interest once there is a picture.
    std::error_code error;
    if (result.outcome == GnuplotResult::done)
      std::filesystem::remove(directory.file(log), error);

    if (result.outcome != GnuplotResult::done && first_problem.empty())
      first_problem =
        "No picture was drawn: " + result.reason +
        (result.outcome == GnuplotResult::not_found
           ? " (Debian: apt install gnuplot-nox). Scripts and data are in '"
           : ". The script is in '") +
        directory.file("plots") + "'.";
    return result.outcome == GnuplotResult::done;
  }



  void
  Pictures::draw_history()
  {
    write_plot_file("plots/history.gp", history_script);
    run_script("plots/history.gp");
  }



  std::string
  Pictures::legend(const std::vector<unsigned int> &bodies) const
  {
    const unsigned int limit = 16;

    std::string script;
    if (bodies.size() < 2)
      return script;
    for (unsigned int i = 0; i < bodies.size() && i < limit; ++i)
      {
        const unsigned int b = bodies[i];
        const std::string name =
          (b < body_names.size() ? body_names[b] : "body " + std::to_string(b));
        script += ", \\\n  1/0 with points pt 5 ps 1.5 lc rgb '" +
                  hexadecimal(body_color(b)) + "' title " +
                  gnuplot_quoted(name.substr(0, 20));
      }
    if (bodies.size() > limit)
      script += ", \\\n  1/0 with points ps 0 title 'and " +
                std::to_string(bodies.size() - limit) + " more'";
    return script;
  }



  template <int dim>
  void
  Pictures::write_outlines(
    const double time,
    const std::vector<std::array<unsigned int, dim>> &facets,
    const std::vector<unsigned int> &facet_bodies,
    const std::vector<dealii::Point<3>> &vertices) const
  {
    make_directory();
    std::ostringstream table;
    table.precision(7);
    const std::string name = directory.file(outlines_table);
    if (!std::filesystem::exists(name))
      table << "x,y,time,red,green,blue\n";
    for (const auto &[ends, f] : outlines<dim>(facets, vertices))
      {
        const Color color = body_color(facet_bodies[f]);
        for (const unsigned int v : ends)
          {
            table << vertices[v][0] << ',' << vertices[v][1] << ',' << time;
            for (const float c : color)
              table << ',' << std::lround(255.f * c);
            table << '\n';
          }
        table << '\n';
      }
    OutputFile(name, OutputFile::Mode::append).write(table.str());
  }



  template <int dim>
  void
  Pictures::draw_trajectories(const unsigned int n_bodies)
  {
    if (!std::filesystem::exists(directory.file(outlines_table)))
      return;
    std::vector<unsigned int> bodies(n_bodies);
    std::iota(bodies.begin(), bodies.end(), 0U);
    std::ostringstream script;
    script << "# Draws plots/trajectories.png from bodies.csv and "
              "plots/outlines.csv. In the\n# output directory:\n"
              "#   gnuplot plots/trajectories.gp\ndim = "
           << dim << "\nn = " << n_bodies << "\ncolors = '";
    for (const unsigned int b : bodies)
      script << hexadecimal(body_color(b)) << ' ';
    script << "'\n";
    for (unsigned int d = 0; d < 2; ++d)
      {
        script << "uv"[d] << "(x, y, z) = 0";
        for (unsigned int e = 0; e < dim; ++e)
          script << " + "
                 << View<dim>::project(dealii::Point<dim>::unit_vector(e))[d]
                 << " * "
                 << "xyz"[e];
        script << '\n';
      }
    const std::string name = "plots/trajectories.gp";
    write_plot_file(name,
                    script.str() + trajectories_script + legend(bodies) + '\n');
    run_script(name);
  }



  template <int dim>
  void
  Pictures::draw_surface(
    const double time,
    const unsigned long int step,
    const std::vector<std::array<unsigned int, dim>> &facets,
    const std::vector<unsigned int> &facet_bodies,
    const std::vector<dealii::Point<dim>> &positions)
  {
    std::vector<dealii::Point<3>> vertices;
    for (const auto &x : positions)
      vertices.push_back(View<dim>::project(x));
    enlarge_region(vertices);
    if (region_is_empty)
      return;
    write_outlines<dim>(time, facets, facet_bodies, vertices);

    const Frame frame(region.first, region.second);
    for (auto &v : vertices)
      v = dealii::Point<3>((v[0] - frame.low[0]) * frame.scale,
                           (v[1] - frame.low[1]) * frame.scale,
                           v[2] * frame.scale);
    Rasterizer picture(frame.width, frame.height);
    render_surface<dim>(facets, facet_bodies, vertices, picture);

    const std::string name =
      "plots/picture-" + dealii::Utilities::int_to_string(step, 5);
    const std::set<unsigned int> bodies(facet_bodies.begin(),
                                        facet_bodies.end());
    std::ostringstream title;
    title << "t = " << time;
    const std::string script =
      surface_script<dim>(frame,
                          name,
                          title.str(),
                          "step " + std::to_string(step),
                          legend({bodies.begin(), bodies.end()}));

    write_plot_file(name + ".rgb", picture.bytes());
    write_plot_file(name + ".gp", script);
    if (run_script(name + ".gp"))
      for (const char *const extension : {".rgb", ".gp"})
        {
          std::error_code error;
          std::filesystem::remove(directory.file(name + extension), error);
        }
  }



  void
  Pictures::enlarge_region(const std::vector<dealii::Point<3>> &vertices)
  {
    dealii::Point<2> low, high;
    bool empty = true;
    for (const auto &v : vertices)
      if (std::isfinite(v[0]) && std::isfinite(v[1]))
        {
          for (unsigned int d = 0; d < 2; ++d)
            {
              low[d]  = (empty ? v[d] : std::min(low[d], v[d]));
              high[d] = (empty ? v[d] : std::max(high[d], v[d]));
            }
          empty = false;
        }
    if (empty)
      return;

    const double border = 0.04 * low.distance(high);
    for (unsigned int d = 0; d < 2; ++d)
      {
        low[d] -= border;
        high[d] += border;
        if (!region_is_empty)
          {
            low[d]  = std::min(low[d], region.first[d]);
            high[d] = std::max(high[d], region.second[d]);
          }
      }
    region          = {low, high};
    region_is_empty = false;
  }



  template void
  Pictures::draw_trajectories<2>(const unsigned int);
  template void
  Pictures::draw_trajectories<3>(const unsigned int);
  template void
  Pictures::draw_surface<2>(const double,
                            const unsigned long int,
                            const std::vector<std::array<unsigned int, 2>> &,
                            const std::vector<unsigned int> &,
                            const std::vector<dealii::Point<2>> &);
  template void
  Pictures::draw_surface<3>(const double,
                            const unsigned long int,
                            const std::vector<std::array<unsigned int, 3>> &,
                            const std::vector<unsigned int> &,
                            const std::vector<dealii::Point<3>> &);
} // namespace Ricochet
