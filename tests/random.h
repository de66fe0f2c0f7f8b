// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_random_h
#define ricochet_tests_random_h

#include <deal.II/base/tensor.h>
#include <deal.II/physics/transformations.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <utility>

/**
 * Random numbers that are the same on every platform and rank, which those of
 * the distributions of the standard library are not.
 */
class Random
{
public:
  explicit Random(const unsigned int seed)
    : generator(seed)
  {}

  double
  uniform(const double a, const double b)
  {
    return boost::random::uniform_real_distribution<double>(a, b)(generator);
  }

  /** With the mean 0 and the variance 1. */
  double
  normal()
  {
    return boost::random::normal_distribution<double>()(generator);
  }

  /** An integer from 0 to @p n - 1. */
  unsigned int
  below(const unsigned int n)
  {
    return boost::random::uniform_int_distribution<unsigned int>(0, n - 1)(
      generator);
  }

  /** Put the elements of @p values into a random order. */
  template <class Values>
  void
  shuffle(Values &values)
  {
    for (unsigned int i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

  template <int dim>
  dealii::Tensor<1, dim>
  vector(const double size)
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = uniform(-size, size);
    return result;
  }

  template <int dim>
  dealii::Tensor<2, dim>
  matrix(const double size)
  {
    dealii::Tensor<2, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = vector<dim>(size);
    return result;
  }

  /** By an angle of at most @p limit. */
  template <int dim>
  dealii::Tensor<2, dim>
  rotation(const double limit)
  {
    namespace Rotations = dealii::Physics::Transformations::Rotations;
    const double angle  = uniform(-limit, limit);
    if constexpr (dim == 2)
      return Rotations::rotation_matrix_2d(angle);
    else
      {
        const auto axis = vector<3>(1.);
        return Rotations::rotation_matrix_3d(axis / axis.norm(), angle);
      }
  }

private:
  boost::random::mt19937_64 generator;
};

#endif
