// SPDX-License-Identifier: LGPL-2.1-or-later

#include "surface_script.h"

#include <ricochet/pictures/gnuplot.h>

#include <sstream>

#include "render_surface.h"

namespace Ricochet
{
  namespace
  {
    /** Pixels around the area of the picture that shows the bodies. */
    struct Margins
    {
      unsigned int left, right, bottom, top;
    };



    /** The largest of 1, 2, 5 times a power of ten that is at most @p x. */
    double
    round_down(const double x)
    {
      const double power = std::pow(10., std::floor(std::log10(x)));
      return (x >= 5. * power ? 5. : x >= 2. * power ? 2. : 1.) * power;
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
  } // namespace



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
           << y + 0.5 * unit << ") using 1:2:3 with rgbimage notitle" << legend
           << '\n';
    return script.str();
  }



  template std::string
  surface_script<2>(const Frame &,
                    const std::string &,
                    const std::string &,
                    const std::string &,
                    const std::string &);
  template std::string
  surface_script<3>(const Frame &,
                    const std::string &,
                    const std::string &,
                    const std::string &,
                    const std::string &);
} // namespace Ricochet
