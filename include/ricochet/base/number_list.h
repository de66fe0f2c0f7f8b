// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_number_list_h
#define ricochet_base_number_list_h

#include <ricochet/base/error.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/utilities.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** Declare an entry of exactly @p n numbers; all of them @p value at first.
   */
  inline void
  declare_numbers(dealii::ParameterHandler &prm,
                  const std::string &name,
                  const unsigned int n,
                  const std::string &value,
                  const std::string &documentation,
                  const dealii::Patterns::PatternBase &pattern)
  {
    std::string all = value;
    for (unsigned int i = 1; i < n; ++i)
      all += ", " + value;
    prm.declare_entry(name,
                      all,
                      dealii::Patterns::List(pattern, n, n),
                      documentation);
  }



  /**
   * The @p n numbers of an entry as a tensor. One number alone stands for all
   * if the pattern lets it through.
   */
  template <int n>
  dealii::Tensor<1, n>
  get_numbers(const dealii::ParameterHandler &prm, const std::string &name)
  {
    const std::vector<double> numbers = dealii::Utilities::string_to_double(
      dealii::Utilities::split_string_list(prm.get(name)));
    require(numbers.size() == 1 || numbers.size() == n,
            "Entry '" + name + "' = " + prm.get(name) + " must have 1 or " +
              std::to_string(n) + " numbers.");
    dealii::Tensor<1, n> result;
    for (unsigned int i = 0; i < n; ++i)
      result[i] = numbers[numbers.size() == 1 ? 0 : i];
    return result;
  }
} // namespace Ricochet

#endif
