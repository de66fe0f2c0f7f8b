// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_vector_function_h
#define ricochet_base_vector_function_h

#include <deal.II/base/function_parser.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <memory>
#include <string>

namespace Ricochet
{
  /**
   * A vector-valued function of x, y[, z] and t that the user wrote, one
   * expression in muParser's syntax per component, separated by ";". The
   * constant pi is known. Expressions that depend on nothing are evaluated
   * once.
   */
  template <int dim, int n_components = dim>
  class VectorFunction
  {
  public:
    /** The zero function. */
    VectorFunction() = default;

    /**
     * @param[in] expressions For instance "0; 0; -9.81".
     * @param[in] where Start of error messages, e.g. "Body 'cube', entry 'Body
     *   force'".
     * Throws a UserError for a wrong number of components, for what muParser
     * does not understand, and for random numbers (which would differ between
     * ranks).
     */
    VectorFunction(const std::string &expressions, const std::string &where);

    /**
     * The value at a point and time. Throws a UserError if it is not finite.
     * Threads may share the object for one time, but not for several at once.
     */
    dealii::Tensor<1, n_components>
    value(const dealii::Point<dim> &point, const double time) const;

    /** Whether the value is the same at all points and times. */
    bool
    is_constant() const
    {
      return parser == nullptr;
    }

    /** Whether the value is zero at all points and times. */
    bool
    is_zero() const
    {
      return is_constant() && constant.norm_square() == 0;
    }

    /** The value if is_constant(). */
    const dealii::Tensor<1, n_components> &
    constant_value() const
    {
      return constant;
    }

  private:
    dealii::Tensor<1, n_components>
    evaluate(const dealii::Point<dim> &point, const double time) const;

    std::string expressions, where;
    dealii::Tensor<1, n_components> constant;
    std::shared_ptr<dealii::FunctionParser<dim>> parser;
  };
} // namespace Ricochet

#endif
