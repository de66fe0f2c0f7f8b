// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/gnuplot.h>
#include <ricochet/output/output_file.h>
#include <ricochet/output/pictures.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>
#include <system_error>

#include "history_script.h"
#include "render_surface.h"
#include "trajectories_script.h"

namespace Ricochet
{
  namespace
  {
    /** Pixels around the area of the picture that shows the bodies. */
    struct Margins
    {
      unsigned int left, right, bottom, top;
    };

    /** The size of that area, and pixels per length. */
    struct Frame
    {
      Frame(const dealii::Point<2> &low, const dealii::Point<2> &high)
        : low(low)
      {
        const double dx = std::max(high[0] - low[0], 1e-300);
        const double dy = std::max(high[1] - low[1], 1e-300);
        scale           = std::min(900. / dx, 700. / dy);
        width  = std::max(200L, std::lround(std::min(900., dx * scale)));
        height = std::max(200L, std::lround(std::min(700., dy * scale)));
        this->low[0] -= 0.5 * (width / scale - dx);
        this->low[1] -= 0.5 * (height / scale - dy);
      }

      dealii::Point<2> low;
      double scale;
      unsigned int width, height;
    };



    /** The largest of 1, 2, 5 times a power of ten that is at most @p x. */
    double
    round_down(const double x)
    {
      const double power = std::pow(10., std::floor(std::log10(x)));
      return (x >= 5. * power ? 5. : x >= 2. * power ? 2. : 1.) * power;
    }



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



    /** Directions of x, y, z and a bar that shows the scale. */
    std::string
    orientation_and_scale(const Frame &frame)
    {
      std::ostringstream script;
      script << "set style arrow 1 head filled size 8,20 lc rgb '#404040' "
                "lw 1.5\n";
      const char *const names[3] = {"x", "y", "z"};
      for (unsigned int d = 0; d < 3; ++d)
        {
          const auto tip =
            View<3>::project(dealii::Point<3>::unit_vector(d)) * 40.;
          script << "set arrow from 50,40 rto " << tip[0] << ',' << tip[1]
                 << " arrowstyle 1 front\n"
                 << "set label '" << names[d] << "' at " << 50. + 1.3 * tip[0]
                 << ',' << 40. + 1.3 * tip[1] << " center front\n";
        }

      const double length = round_down(0.2 * frame.width / frame.scale);
      const double end    = frame.width - 20.;
      script << "set arrow from " << end - length * frame.scale << ",20 to "
             << end << ",20 heads size 4,90 lc rgb '#404040' lw 1.5 front\n"
             << "set label '" << length << "' at "
             << end - 0.5 * length * frame.scale << ",34 center front\n";
      return script.str();
    }


    /** The script that puts frame, text and legend around a picture. */
    template <int dim>
    std::string
    surface_script(const Frame &frame,
                   const std::string &name,
                   const std::string &title,
                   const std::string &subtitle,
                   const std::string &legend)
    {
      // Pixel (i,j) of the picture is at (i,j) in 3D, and where it belongs in
      // 2D.
      const double unit     = (dim == 2 ? 1. / frame.scale : 1.);
      const double x        = (dim == 2 ? frame.low[0] : 0.);
      const double y        = (dim == 2 ? frame.low[1] : 0.);
      const Margins margins = {dim == 2 ? 90U : 20U,
                               !legend.empty() ? 220U : 20U,
                               dim == 2 ? 60U : 20U,
                               50U};
      const unsigned int width  = margins.left + frame.width + margins.right;
      const unsigned int height = margins.bottom + frame.height + margins.top;
      std::ostringstream script;
      script.precision(10);
      script << "# Draws " << name << ".png. In the output directory:\n"
             << "#   gnuplot " << name << ".gp\n"
             << "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
             << "  set terminal pngcairo size " << width << ',' << height
             << " font 'Sans,11' noenhanced\n"
             << "} else {\n"
             << "  set terminal png size " << width << ',' << height << "\n"
             << "}\n"
             << "set output '" << name << ".png'\n"
             << "set lmargin at screen " << double(margins.left) / width << '\n'
             << "set rmargin at screen "
             << double(margins.left + frame.width) / width << '\n'
             << "set bmargin at screen " << double(margins.bottom) / height
             << '\n'
             << "set tmargin at screen "
             << double(margins.bottom + frame.height) / height << '\n'
             << "set label " << gnuplot_quoted(title)
             << " at graph 0,1 offset 0,1.2 "
             << "font ',13'\n"
             << "set label " << gnuplot_quoted(subtitle)
             << " at graph 1,1 offset 0,1.2 "
             << "right textcolor rgb '#606060'\n"
             << "set key at screen "
             << double(margins.left + frame.width + 12) / width
             << ",graph 1 top left vertical Left reverse "
             << "samplen 1 spacing 1.2\n"
             << "set xrange [" << x << ':' << x + unit * frame.width << "]\n"
             << "set yrange [" << y << ':' << y + unit * frame.height << "]\n";
      if (dim == 2)
        script << "set border lc rgb '#808080'\n"
               << "set tics out nomirror scale 0.6\n"
               << "set format '%.4g'\n"
               << "set xlabel 'x'\n"
               << "set ylabel 'y'\n";
      else
        script << "unset border\nunset tics\n" << orientation_and_scale(frame);
      script << "plot '" << name << ".rgb' binary array=(" << frame.width << ','
             << frame.height << ") format='%uchar' flipy dx=" << unit
             << " dy=" << unit << " origin=(" << x + 0.5 * unit << ','
             << y + 0.5 * unit << ") using 1:2:3 with rgbimage notitle"
             << legend << '\n';
      return script.str();
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
    const std::string name = directory.file("plots/outlines.csv");
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
    if (!std::filesystem::exists(directory.file("plots/outlines.csv")))
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
