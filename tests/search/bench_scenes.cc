// SPDX-License-Identifier: LGPL-2.1-or-later

#include "bench_scenes.h"

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    using Facets = std::vector<std::array<unsigned int, 3>>;

    /** splitmix64 (Steele, Lea and Flood 2014), whose numbers and their
     * conversion do not depend on the standard library. */
    class Random
    {
    public:
      explicit Random(const std::uint64_t seed)
        : state(seed)
      {}

      double
      between(const double low, const double high)
      {
        state += 0x9E3779B97F4A7C15u;
        std::uint64_t bits = state;
        bits               = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits               = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        bits ^= bits >> 31;
        return low + (high - low) * std::ldexp(double(bits >> 11), -53);
      }

      Tensor<1, 3>
      vector()
      {
        Tensor<1, 3> result;
        for (unsigned int d = 0; d < 3; ++d)
          result[d] = between(-1., 1.);
        return result;
      }

      /** A rotation by a unit quaternion that is distributed evenly
       * (Shoemake 1992). */
      Tensor<2, 3>
      rotation()
      {
        const double u = between(0., 1.);
        const double a = 2. * M_PI * between(0., 1.);
        const double b = 2. * M_PI * between(0., 1.);
        const double r = std::sqrt(1. - u), s = std::sqrt(u);
        const std::array<double, 3> q{
          {r * std::sin(a), r * std::cos(a), s * std::sin(b)}};
        const double w = s * std::cos(b);

        Tensor<2, 3> R;
        for (unsigned int i = 0; i < 3; ++i)
          {
            const unsigned int j = (i + 1) % 3, k = (i + 2) % 3;
            const unsigned int low = std::min(j, k), high = std::max(j, k);
            R[i][i] = 1. - 2. * (q[low] * q[low] + q[high] * q[high]);
            R[i][j] = 2. * (q[i] * q[j] - q[k] * w);
            R[j][i] = 2. * (q[i] * q[j] + q[k] * w);
          }
        return R;
      }

    private:
      std::uint64_t state;
    };



    /** A square with its diagonal through corner 0 or through corner 1. */
    void
    add_square(const std::array<unsigned int, 4> &v,
               const bool diagonal_through_0,
               Facets &facets)
    {
      const unsigned int k = diagonal_through_0 ? 2 : 3;
      facets.push_back({{v[0], v[1], v[k]}});
      facets.push_back({{v[(k + 2) % 4], v[2], v[3]}});
    }



    /** The surface of the unit cube about the origin. */
    void
    make_cube(const unsigned int n,
              std::vector<Point<3>> &points,
              Facets &facets)
    {
      std::map<std::array<unsigned int, 3>, unsigned int> numbers;
      const auto number = [&](const std::array<unsigned int, 3> &grid) {
        const auto entry = numbers.emplace(grid, points.size());
        if (entry.second)
          points.emplace_back(double(grid[0]) / n - 0.5,
                              double(grid[1]) / n - 0.5,
                              double(grid[2]) / n - 0.5);
        return entry.first->second;
      };
      for (unsigned int side = 0; side < 6; ++side)
        for (unsigned int square = 0; square < n * n; ++square)
          {
            const unsigned int i = square / n, j = square % n;
            std::array<unsigned int, 4> corners;
            for (unsigned int c = 0; c < 4; ++c)
              {
                std::array<unsigned int, 3> grid;
                grid[side / 2]           = side % 2 * n;
                grid[(side / 2 + 1) % 3] = i + (c == 1 || c == 2);
                grid[(side / 2 + 2) % 3] = j + c / 2;
                corners[c]               = number(grid);
              }
            if (side % 2 == 0)
              std::swap(corners[1], corners[3]);
            add_square(corners, (i + j) % 2 == 0, facets);
          }
    }



    void
    add_body(BenchScene &scene,
             const std::vector<Point<3>> &shape,
             const Facets &facets,
             const Tensor<2, 3> &rotation,
             const Tensor<1, 3> &centre_begin,
             const Tensor<1, 3> &centre_end)
    {
      std::vector<Point<3>> points;
      for (const auto &p : shape)
        {
          const Tensor<1, 3> x = rotation * p;
          points.push_back(Point<3>(x + centre_begin));
          scene.end.push_back(Point<3>(x + centre_end));
        }
      scene.bodies.add(points, facets);
    }



    /** Whether no plane separates two unit cubes by @p gap. */
    bool
    overlap(const Tensor<2, 3> &A,
            const Tensor<2, 3> &B,
            const Tensor<1, 3> &distance,
            const double gap)
    {
      const Tensor<2, 3> sides_a = transpose(A), sides_b = transpose(B);
      const auto separates = [&](const Tensor<1, 3> &normal) {
        double reach = gap;
        for (unsigned int i = 0; i < 3; ++i)
          reach += 0.5 * (std::abs(normal * sides_a[i]) +
                          std::abs(normal * sides_b[i]));
        return std::abs(normal * distance) > reach;
      };
      for (unsigned int i = 0; i < 3; ++i)
        {
          if (separates(sides_a[i]) || separates(sides_b[i]))
            return false;
          for (unsigned int j = 0; j < 3; ++j)
            {
              const Tensor<1, 3> n =
                dealii::cross_product_3d(sides_a[i], sides_b[j]);
              if (n.norm() > 1e-6 && separates(n / n.norm()))
                return false;
            }
        }
      return true;
    }
  } // namespace



  double
  BenchScene::mean_length() const
  {
    double sum = 0.;
    for (const auto &edge : bodies.surface.edges)
      sum += bodies.positions[edge[0]].distance(bodies.positions[edge[1]]);
    return sum / bodies.surface.n_edges();
  }



  BenchScene
  make_spheres(const unsigned int n)
  {
    std::vector<Point<3>> points;
    Facets facets;
    make_cube(n, points, facets);
    for (auto &p : points)
      {
        // Equal angles between the lines of the grid.
        for (unsigned int d = 0; d < 3; ++d)
          p[d] = std::tan(p[d] * M_PI / 2.);
        // Tensor's division multiplies by the inverse, which rounds twice.
        const double norm = p.norm();
        for (unsigned int d = 0; d < 3; ++d)
          p[d] /= norm;
      }

    BenchScene scene;
    scene.name = "spheres";
    Random random(1);
    const double cell = M_PI / 2. / n;
    const Tensor<1, 3> direction({0.48, 0.6, 0.64});
    for (unsigned int body = 0; body < 2; ++body)
      add_body(scene,
               points,
               facets,
               random.rotation(),
               double(body) * direction * (2. + 0.5 * cell),
               double(body) * direction * (2. - 2. * cell));
    scene.bodies.finish();
    return scene;
  }



  BenchScene
  make_cubes(const unsigned int n_cubes)
  {
    constexpr unsigned int n        = 4;
    constexpr double spacing        = 1.3;
    constexpr double gap            = 0.01;
    constexpr unsigned int attempts = 4000;

    std::vector<Point<3>> points;
    Facets facets;
    make_cube(n, points, facets);

    BenchScene scene;
    scene.name = "cubes" + std::to_string(n_cubes);
    Random random(2);
    unsigned int per_side = 1;
    while (per_side * per_side * per_side < n_cubes)
      ++per_side;
    const double middle = spacing * (per_side - 1) / 2.;

    std::vector<Tensor<2, 3>> rotations;
    std::vector<Point<3>> centres;
    for (unsigned int cube = 0; cube < n_cubes; ++cube)
      {
        const Point<3> centre((cube % per_side) * spacing,
                              (cube / per_side % per_side) * spacing,
                              (cube / (per_side * per_side)) * spacing);
        Tensor<2, 3> R      = random.rotation();
        const auto overlaps = [&]() {
          for (unsigned int other = 0; other < cube; ++other)
            {
              const Tensor<1, 3> distance = centre - centres[other];
              if (distance.norm_square() < 3.1 &&
                  overlap(rotations[other], R, distance, gap))
                return true;
            }
          return false;
        };
        for (unsigned int k = 0; k < attempts && overlaps(); ++k)
          R = random.rotation();
        rotations.push_back(R);
        centres.push_back(centre);

        const Tensor<1, 3> direction = random.vector();
        Tensor<1, 3> to;
        for (unsigned int d = 0; d < 3; ++d)
          to[d] = middle + (centre[d] - middle) * 0.97 +
                  0.2 / n * direction[d] / (direction.norm() + 1e-12);
        add_body(scene, points, facets, R, centre, to);
      }
    scene.bodies.finish();
    return scene;
  }



  BenchScene
  make_sheet(const unsigned int n)
  {
    constexpr unsigned int n_layers = 8;
    const unsigned int width        = n / n_layers;

    // Space is warped by six waves.
    struct Wave
    {
      Tensor<1, 3> direction, amplitude;
      double phase;
    };
    Random random(3);
    std::array<Wave, 6> waves;
    for (Wave &wave : waves)
      {
        wave.direction = random.vector();
        wave.phase     = random.between(0., 6.28);
        wave.amplitude = random.vector();
      }
    const double k  = 2. * M_PI / (1.3 * width);
    const auto warp = [&](Point<3> p) {
      for (const Wave &wave : waves)
        p += (0.25 / k) * wave.amplitude *
             std::sin(k * (wave.direction * p) + wave.phase);
      return p;
    };

    BenchScene scene;
    scene.name = "sheet";
    std::vector<Point<3>> points;
    for (unsigned int i = 0; i <= n; ++i)
      for (unsigned int j = 0; j <= n; ++j)
        {
          const unsigned int layer = std::min(i / (width + 1), n_layers - 1);
          const unsigned int along = i - layer * (width + 1);
          Point<3> p(layer % 2 == 0 ? along : double(width) - along, j, layer);
          points.push_back(warp(p));
          p[2] += 0.7 * (layer % 2 == 0 ? -1. : 1.) *
                  std::sin(2. * M_PI * p[0] / 9.3 + 0.1 * j) *
                  std::sin(2. * M_PI * p[1] / 11.7);
          scene.end.push_back(warp(p));
        }

    Facets facets;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        {
          const unsigned int v = i * (n + 1) + j, w = v + n + 1;
          add_square({{v, w, w + 1, v + 1}}, (i + j) % 2 == 0, facets);
        }
    scene.bodies.add(points, facets);
    scene.bodies.finish();
    return scene;
  }
} // namespace Ricochet
