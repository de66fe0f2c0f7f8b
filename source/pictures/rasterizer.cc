// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/pictures/rasterizer.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  Color
  body_color(const unsigned int b)
  {
    // Eight hues that people with any color vision can tell apart (after
    // Okabe and Ito), then the same a little lighter, and so on.
    static const std::array<Color, 8> hues = {{{{0.00f, 0.45f, 0.70f}},
                                               {{0.90f, 0.62f, 0.00f}},
                                               {{0.00f, 0.62f, 0.45f}},
                                               {{0.84f, 0.37f, 0.00f}},
                                               {{0.35f, 0.71f, 0.91f}},
                                               {{0.80f, 0.47f, 0.65f}},
                                               {{0.94f, 0.89f, 0.26f}},
                                               {{0.55f, 0.55f, 0.55f}}}};

    const float white = 0.22f * ((b / 8) % 3);
    Color color       = hues[b % 8];
    for (float &c : color)
      c += white * (1.f - c);
    return color;
  }



  Rasterizer::Rasterizer(const unsigned int width,
                         const unsigned int height,
                         const unsigned int oversampling)
    : width(width * oversampling)
    , height(height * oversampling)
    , oversampling(oversampling)
    , colors(this->width * this->height, Color{{1.f, 1.f, 1.f}})
    , depths(this->width * this->height, -std::numeric_limits<float>::max())
  {}



  void
  Rasterizer::draw_triangle(const std::array<Vertex, 3> &vertices,
                            const Color &color)
  {
    std::array<double, 3> x, y;
    for (unsigned int i = 0; i < 3; ++i)
      {
        // Sample points are in the middle of the pixels.
        x[i] = vertices[i][0] * oversampling - 0.5;
        y[i] = vertices[i][1] * oversampling - 0.5;
        if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
          return;
      }

    const double area =
      (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0.)
      return;

    const auto first = [](const std::array<double, 3> &a) {
      const double lowest = *std::min_element(a.begin(), a.end());
      return static_cast<long int>(std::max(0., std::ceil(lowest)));
    };
    const auto last = [](const std::array<double, 3> &a, const double n) {
      const double highest = *std::max_element(a.begin(), a.end());
      return static_cast<long int>(std::min(n - 1., std::floor(highest)));
    };

    const long int x_end = last(x, width), y_end = last(y, height);
    for (long int j = first(y); j <= y_end; ++j)
      for (long int i = first(x); i <= x_end; ++i)
        {
          // Barycentric coordinates of the sample point.
          const double b1 =
            ((i - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (j - y[0])) / area;
          const double b2 =
            ((x[1] - x[0]) * (j - y[0]) - (i - x[0]) * (y[1] - y[0])) / area;
          const double b0 = 1. - b1 - b2;
          if (b0 < 0. || b1 < 0. || b2 < 0.)
            continue;

          const float depth =
            b0 * vertices[0][2] + b1 * vertices[1][2] + b2 * vertices[2][2];
          const std::size_t pixel = j * std::size_t(width) + i;
          if (depth > depths[pixel])
            {
              depths[pixel] = depth;
              colors[pixel] = color;
            }
        }
  }



  void
  Rasterizer::draw_segment(const std::array<Vertex, 2> &vertices,
                           const Color &color,
                           const double line_width)
  {
    const double dx     = vertices[1][0] - vertices[0][0];
    const double dy     = vertices[1][1] - vertices[0][1];
    const double length = std::hypot(dx, dy);
    if (!(length > 0.))
      return;

    // A rectangle that is a little longer than the segment, so that segments
    // that follow each other have no notch between them.
    const double h = 0.5 * line_width / length;
    const auto corner =
      [&](const Vertex &v, const double along, const double across) {
        return Vertex(v[0] + h * (along * dx - across * dy),
                      v[1] + h * (along * dy + across * dx),
                      v[2]);
      };
    const Vertex a = corner(vertices[0], -1., -1.),
                 b = corner(vertices[1], 1., -1.),
                 c = corner(vertices[1], 1., 1.),
                 d = corner(vertices[0], -1., 1.);
    draw_triangle({{a, b, c}}, color);
    draw_triangle({{a, c, d}}, color);
  }



  void
  Rasterizer::fill(const std::vector<std::array<Vertex, 2>> &segments,
                   const Color &color)
  {
    // Where the middle of each row of pixels crosses the segments.
    std::vector<std::vector<double>> crossings(height);
    for (const auto &segment : segments)
      {
        const bool upward   = (segment[0][1] < segment[1][1]);
        const Vertex &low   = segment[upward ? 0 : 1];
        const Vertex &high  = segment[upward ? 1 : 0];
        const double y_low  = low[1] * oversampling - 0.5;
        const double y_high = high[1] * oversampling - 0.5;

        // A row through a vertex counts for one of its two segments.
        const double begin = std::max(0., std::ceil(y_low));
        const double end   = std::min<double>(height, std::ceil(y_high));
        for (double row = begin; row < end; ++row)
          {
            const double s = (row - y_low) / (y_high - y_low);
            crossings[static_cast<std::size_t>(row)].push_back(
              (low[0] + s * (high[0] - low[0])) * oversampling - 0.5);
          }
      }

    for (unsigned int row = 0; row < height; ++row)
      {
        auto &x = crossings[row];
        std::sort(x.begin(), x.end());
        for (unsigned int k = 0; k + 1 < x.size(); k += 2)
          {
            const double begin = std::max(0., std::ceil(x[k]));
            const double end   = std::min<double>(width, std::ceil(x[k + 1]));
            for (double column = begin; column < end; ++column)
              {
                const std::size_t pixel =
                  row * std::size_t(width) + static_cast<std::size_t>(column);
                if (segments[0][0][2] > depths[pixel])
                  {
                    depths[pixel] = segments[0][0][2];
                    colors[pixel] = color;
                  }
              }
          }
      }
  }



  std::string
  Rasterizer::bytes() const
  {
    const unsigned int n_columns = width / oversampling;
    const unsigned int n_rows    = height / oversampling;
    const float scale            = 255.f / (oversampling * oversampling);

    std::string result;
    result.reserve(3 * n_columns * n_rows);
    for (unsigned int row = 0; row < n_rows; ++row)
      for (unsigned int column = 0; column < n_columns; ++column)
        {
          Color sum = {{0.f, 0.f, 0.f}};
          for (unsigned int j = 0; j < oversampling; ++j)
            for (unsigned int i = 0; i < oversampling; ++i)
              {
                const std::size_t y = (n_rows - 1 - row) * oversampling + j;
                const std::size_t x = column * oversampling + i;
                for (unsigned int c = 0; c < 3; ++c)
                  sum[c] += colors[y * width + x][c];
              }
          for (unsigned int c = 0; c < 3; ++c)
            result += static_cast<char>(
              static_cast<unsigned char>(sum[c] * scale + 0.5f));
        }
    return result;
  }
} // namespace Ricochet
