// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_case_file_h
#define ricochet_tests_response_case_file_h

#include <deal.II/base/tensor.h>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <vector>

namespace Ricochet
{
  using Tree = boost::property_tree::ptree;

  inline std::vector<double>
  numbers_in(const Tree &tree)
  {
    std::vector<double> values;
    for (const auto &child : tree)
      values.push_back(child.second.get_value<double>());
    return values;
  }



  /** Rows of numbers; a number instead of a row is a row of one. */
  template <int dim>
  std::vector<dealii::Tensor<1, dim>>
  rows(const Tree &tree)
  {
    std::vector<dealii::Tensor<1, dim>> result;
    for (const auto &child : tree)
      {
        dealii::Tensor<1, dim> row;
        const std::vector<double> values = numbers_in(child.second);
        if (values.empty())
          row[0] = child.second.get_value<double>();
        for (unsigned int d = 0; d < values.size(); ++d)
          row[d] = values[d];
        result.push_back(row);
      }
    return result;
  }



  template <int dim>
  dealii::Tensor<1, dim>
  vector(const Tree &tree)
  {
    dealii::Tensor<1, dim> result;
    const std::vector<double> values = numbers_in(tree);
    for (unsigned int d = 0; d < values.size(); ++d)
      result[d] = values[d];
    return result;
  }
} // namespace Ricochet

#endif
