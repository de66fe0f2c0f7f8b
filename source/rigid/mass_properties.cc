// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/rigid/mass_properties.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/symmetric_tensor.h>

#include <map>
#include <sstream>
#include <utility>

namespace Ricochet
{
  using dealii::outer_product;
  using dealii::Point;
  using dealii::Tensor;
  using dealii::trace;
  using dealii::transpose;
  using dealii::unit_symmetric_tensor;

  namespace
  {
    /** tr(S) 1 - S, or the polar moment about all axes. */
    template <int dim>
    Tensor<2, 3>
    inertia_of(const Tensor<2, dim> &second)
    {
      Tensor<2, 3> result = trace(second) * unit_symmetric_tensor<3>();
      if constexpr (dim == 3)
        result -= second;
      return result;
    }



    /** dim! times the volume of the simplex of the origin and a facet. */
    double
    determinant_of(const std::array<Tensor<1, 2>, 2> &x)
    {
      return x[0][0] * x[1][1] - x[0][1] * x[1][0];
    }

    double
    determinant_of(const std::array<Tensor<1, 3>, 3> &x)
    {
      return x[0] * cross_product_3d(x[1], x[2]);
    }



    /** The numbers of the ends of side @p i of a facet; in 2D both are the
     * vertex itself. */
    template <int dim>
    std::pair<unsigned int, unsigned int>
    side(const std::array<unsigned int, dim> &facet, const unsigned int i)
    {
      return {facet[i], facet[dim == 2 ? i : (i + 1) % dim]};
    }
  } // namespace



  template <int dim>
  Tensor<2, 3>
  VolumeMoments<dim>::inertia() const
  {
    return inertia_of(second);
  }



  template <int dim>
  Tensor<2, 3>
  VolumeMoments<dim>::inertia_about(const Point<dim> &point) const
  {
    const Tensor<1, dim> arm = centre - point;
    return inertia_of(
      Tensor<2, dim>(second + volume * outer_product(arm, arm)));
  }



  template <int dim>
  VolumeMoments<dim>
  VolumeMoments<dim>::transformed(const Tensor<2, dim> &matrix,
                                  const Tensor<1, dim> &shift) const
  {
    const double stretch = determinant(matrix);
    VolumeMoments result;
    result.volume = stretch * volume;
    result.centre = Point<dim>(matrix * centre + shift);
    result.second = stretch * matrix * second * transpose(matrix);
    return result;
  }



  template <int dim>
  VolumeMoments<dim>
  moments_of_surface(const std::vector<Point<dim>> &vertices,
                     const std::vector<std::array<unsigned int, dim>> &facets)
  {
    // About a point that is near, so that not much cancels.
    Tensor<1, dim> middle;
    for (const Point<dim> &x : vertices)
      middle += x / static_cast<double>(vertices.size());

    // On a simplex of volume v with a vertex in the origin and the others x_i,
    // the integral of x is v s / (dim + 1), that of x x^T is
    // v (sum_i x_i x_i^T + s s^T) / ((dim + 1) (dim + 2)), with s = sum_i x_i.
    double volume = 0.;
    Tensor<1, dim> first;
    Tensor<2, dim> second;
    for (const auto &facet : facets)
      {
        std::array<Tensor<1, dim>, dim> x;
        Tensor<1, dim> sum;
        Tensor<2, dim> products;
        for (unsigned int i = 0; i < dim; ++i)
          {
            x[i] = vertices[facet[i]] - middle;
            sum += x[i];
            products += outer_product(x[i], x[i]);
          }
        const double v = determinant_of(x) / (dim == 2 ? 2. : 6.);
        volume += v;
        first += v / (dim + 1) * sum;
        second +=
          v / ((dim + 1) * (dim + 2)) * (products + outer_product(sum, sum));
      }

    VolumeMoments<dim> result;
    result.volume = volume;
    if (volume != 0.)
      first /= volume;
    result.centre = Point<dim>(middle + first);
    result.second = second - volume * outer_product(first, first);
    return result;
  }



  template <int dim>
  VolumeMoments<dim>
  moments_of_ball(const double radius)
  {
    const double square = radius * radius;
    VolumeMoments<dim> result;
    result.volume =
      dealii::numbers::PI * square * (dim == 2 ? 1. : 4. / 3. * radius);
    result.second =
      result.volume * square / (dim + 2) * unit_symmetric_tensor<dim>();
    return result;
  }



  VolumeMoments<3>
  moments_of_cylinder(const double radius, const double length)
  {
    VolumeMoments<3> result;
    result.volume       = dealii::numbers::PI * radius * radius * length;
    result.second[0][0] = result.second[1][1] =
      result.volume * radius * radius / 4.;
    result.second[2][2] = result.volume * length * length / 12.;
    return result;
  }



  template <int dim>
  void
  check_closed(const std::vector<Point<dim>> &vertices,
               const std::vector<std::array<unsigned int, dim>> &facets,
               const std::string &where)
  {
    // How often a side is passed from its smaller to its larger end, less how
    // often the other way; in 2D how often a vertex is left, less how often it
    // is reached.
    std::map<std::pair<unsigned int, unsigned int>, int> passes;
    for (const auto &facet : facets)
      for (unsigned int i = 0; i < dim; ++i)
        {
          auto [a, b]      = side<dim>(facet, i);
          const bool ahead = dim == 2 ? i == 0 : a < b;
          if (a > b)
            std::swap(a, b);
          passes[{a, b}] += ahead ? 1 : -1;
        }

    unsigned int n_open = 0;
    std::ostringstream place;
    for (const auto &[ends, sum] : passes)
      if (sum != 0 && n_open++ == 0)
        {
          place << "(" << vertices[ends.first] << ")";
          if (dim == 3)
            place << " to (" << vertices[ends.second] << ")";
        }
    require(n_open == 0,
            where + ": the surface is not closed: " + std::to_string(n_open) +
              (dim == 2 ? " of its vertices have segments on one side only, "
                          "such as that at "
                        : " of its edges have triangles on one side only, such "
                          "as that from ") +
              place.str() +
              ". A rigid body needs a surface with an inside. Close the hole "
              "in the program that made the surface.");
  }



  void
  check_inertia(const Tensor<2, 3> &inertia, const std::string &where)
  {
    // The largest comes first.
    const std::array<double, 3> moments =
      eigenvalues(dealii::symmetrize(inertia));
    // A flat plate has the largest allowed moment, up to round-off.
    constexpr double margin = 1. + 1e-10, smallest = 1e-14;
    const bool is_positive = moments[2] > smallest * moments[0];
    if (is_positive && moments[0] <= margin * (moments[1] + moments[2]))
      return;
    std::ostringstream message;
    message
      << where << ": no body has this inertia. Its principal moments are "
      << moments[0] << ", " << moments[1] << " and " << moments[2] << "; "
      << (is_positive
            ? "none of them can be larger than the sum of the two others. "
            : "all of them must be positive. ")
      << "Correct the numbers, or leave the entry empty to have the "
         "inertia computed from the shape.";
    throw UserError(message.str());
  }



  template struct VolumeMoments<2>;
  template struct VolumeMoments<3>;
  template VolumeMoments<2>
  moments_of_surface<2>(const std::vector<Point<2>> &,
                        const std::vector<std::array<unsigned int, 2>> &);
  template VolumeMoments<3>
  moments_of_surface<3>(const std::vector<Point<3>> &,
                        const std::vector<std::array<unsigned int, 3>> &);
  template VolumeMoments<2>
  moments_of_ball<2>(const double);
  template VolumeMoments<3>
  moments_of_ball<3>(const double);
  template void
  check_closed<2>(const std::vector<Point<2>> &,
                  const std::vector<std::array<unsigned int, 2>> &,
                  const std::string &);
  template void
  check_closed<3>(const std::vector<Point<3>> &,
                  const std::vector<std::array<unsigned int, 3>> &,
                  const std::string &);
} // namespace Ricochet
