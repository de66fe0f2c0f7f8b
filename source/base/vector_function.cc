// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/base/vector_function.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

namespace Ricochet
{
  namespace
  {
    /** Whether one of the words of an expression matches @p pattern. */
    bool
    has_word(const std::string &expression, const std::string &pattern)
    {
      // Digits in front belong to a number such as 1e5, not to a word.
      return std::regex_search(expression,
                               std::regex("(^|[^A-Za-z0-9_])(" + pattern +
                                          ")($|[^A-Za-z0-9_])"));
    }



    /** Drops all that is written to a stream while it lives. */
    class SilentStream
    {
    public:
      explicit SilentStream(std::ostream &stream)
        : stream(stream)
        , buffer(stream.rdbuf(nullptr))
      {}

      ~SilentStream()
      {
        stream.rdbuf(buffer);
      }

    private:
      std::ostream &stream;
      std::streambuf *const buffer;
    };
  } // namespace



  template <int dim, int n_components>
  VectorFunction<dim, n_components>::VectorFunction(
    const std::string &text,
    const std::string &text_where)
    : expressions(text)
    , where(text_where)
  {
    const std::string message = where + " = " + expressions + ": ";
    std::string example       = "0";
    for (unsigned int d = 1; d < n_components; ++d)
      example += "; 0";

    const std::vector<std::string> components =
      dealii::Utilities::split_string_list(expressions, ';');
    require(components.size() == n_components,
            message + "there must be " + std::to_string(n_components) +
              " expressions, separated by ';', as in " + example + ".");
    for (const std::string &component : components)
      require(!component.empty(),
              message + "an expression is empty. Write 0 for no value.");
    require(!has_word(expressions, "rand|rand_seed"),
            message +
              "random numbers are not possible here, because they "
              "would differ between ranks.");

    const std::string variables = dim == 2 ? "x,y,t" : "x,y,z,t";
    parser = std::make_shared<dealii::FunctionParser<dim>>(n_components);
    // deal.II writes what the parser says there, too.
    const SilentStream silent(std::cerr);
    try
      {
        parser->initialize(variables,
                           components,
                           {{"pi", dealii::numbers::PI}},
                           true);
        constant = evaluate(dealii::Point<dim>(), 0.);
      }
    catch (const std::exception &exception)
      {
        throw UserError(message + "this is no function of " + variables +
                        ". The parser says: " + text_of(exception));
      }

    if (!has_word(expressions, dim == 2 ? "x|y|t" : "x|y|z|t"))
      {
        parser.reset();
        value(dealii::Point<dim>(), 0.); // is it finite?
      }
  }



  template <int dim, int n_components>
  dealii::Tensor<1, n_components>
  VectorFunction<dim, n_components>::evaluate(const dealii::Point<dim> &point,
                                              const double time) const
  {
    if (parser->get_time() != time)
      parser->set_time(time);
    dealii::Tensor<1, n_components> result;
    for (unsigned int d = 0; d < n_components; ++d)
      result[d] = parser->value(point, d);
    return result;
  }



  template <int dim, int n_components>
  dealii::Tensor<1, n_components>
  VectorFunction<dim, n_components>::value(const dealii::Point<dim> &point,
                                           const double time) const
  {
    const dealii::Tensor<1, n_components> result =
      is_constant() ? constant : evaluate(point, time);
    if (std::isfinite(result.norm_square()))
      return result;

    std::ostringstream message;
    message << where << " = " << expressions << " is not finite at the point ("
            << point << ") and the time " << time
            << ". Change the expression so that it has a value everywhere.";
    throw UserError(message.str());
  }



  template class VectorFunction<2>;
  template class VectorFunction<3>;
  template class VectorFunction<2, 1>;
  template class VectorFunction<3, 1>;
} // namespace Ricochet
