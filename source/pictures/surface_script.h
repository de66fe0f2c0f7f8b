// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_pictures_surface_script_h
#define ricochet_source_pictures_surface_script_h

#include <deal.II/base/point.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace Ricochet
{
  /** The area of a picture that shows the bodies: its lower left corner, pixels
   * per length, and its size in pixels. */
  struct Frame
  {
    Frame(const dealii::Point<2> &low, const dealii::Point<2> &high)
      : low(low)
    {
      const double dx = std::max(high[0] - low[0], 1e-300);
      const double dy = std::max(high[1] - low[1], 1e-300);
      scale           = std::min(900. / dx, 700. / dy);
      width           = std::max(200L, std::lround(std::min(900., dx * scale)));
      height          = std::max(200L, std::lround(std::min(700., dy * scale)));
      this->low[0] -= 0.5 * (width / scale - dx);
      this->low[1] -= 0.5 * (height / scale - dy);
    }

    dealii::Point<2> low;
    double scale;
    unsigned int width, height;
  };



  /** The script that puts frame, text and legend around a picture. */
  template <int dim>
  std::string
  surface_script(const Frame &frame,
                 const std::string &name,
                 const std::string &title,
                 const std::string &subtitle,
                 const std::string &legend);
} // namespace Ricochet

#endif
