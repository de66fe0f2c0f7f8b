// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/base/number.h>
#include <ricochet/base/vector_function.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <cctype>
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



    bool
    is_letter(const char c)
    {
      return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    }

    bool
    is_digit(const char c)
    {
      return std::isdigit(static_cast<unsigned char>(c));
    }



    /**
     * Looks for what the parser takes in another sense than it was written in,
     * or cannot read: of a list "1,5" it uses the last value alone, "x=1" sets
     * x, and numbers out of range become 0.
     */
    class Scanner
    {
    public:
      explicit Scanner(const std::string &expression)
        : text(expression)
      {}

      /** A sentence about the first such place; empty if there is none. */
      std::string
      fault()
      {
        while (at < text.size())
          {
            const char c = text[at];
            std::string found;
            if (is_letter(c))
              skip_name();
            else if (is_digit(c) || c == '.')
              found = skip_number();
            else
              found = skip_sign(c);
            if (!found.empty())
              return found;
          }
        return "";
      }

    private:
      void
      skip_name()
      {
        const std::size_t begin = at;
        while (at < text.size() && (is_letter(text[at]) || is_digit(text[at])))
          ++at;
        last         = text.substr(begin, at - begin);
        last_is_name = true;
      }

      std::string
      skip_number()
      {
        const std::size_t begin = at;
        const auto skip_digits  = [this]() {
          while (at < text.size() && (is_digit(text[at]) || text[at] == '.'))
            ++at;
        };
        skip_digits();
        if (at < text.size() && (text[at] == 'e' || text[at] == 'E'))
          {
            const std::size_t exponent = at++;
            if (at < text.size() && (text[at] == '+' || text[at] == '-'))
              ++at;
            if (at < text.size() && is_digit(text[at]))
              skip_digits();
            else
              at = exponent; // the parser will say what is wrong
          }
        last         = text.substr(begin, at - begin);
        last_is_name = false;
        return is_in_range(last) ? ""
                                 : "the number " + last +
                                     " is out of range. Numbers are 0 or "
                                     "from about 1e-307 to 1e308 in size";
      }

      /** Of a word that looks like a number; false for those too large or too
       * small. */
      static bool
      is_in_range(const std::string &word)
      {
        const auto number = number_of(word);
        if (!number)
          // Not a number at all is for the parser.
          return word.find_first_of("eE") == std::string::npos;
        const std::string digits = word.substr(0, word.find_first_of("eE"));
        return std::isnormal(*number) ||
               digits.find_first_not_of("0.") == std::string::npos;
      }

      std::string
      skip_sign(const char c)
      {
        const char next = at + 1 < text.size() ? text[at + 1] : ' ';
        ++at;
        if (c == ' ' || c == '\t')
          return "";
        const std::string before = last;
        const bool after_name    = last_is_name;
        last                     = c;
        last_is_name             = false;
        if (c == '(')
          is_call.push_back(after_name);
        else if (c == ')' && !is_call.empty())
          is_call.pop_back();
        else if (c == ',' && (is_call.empty() || !is_call.back()))
          return comma(before);
        else if (next == '=' && (c == '=' || c == '<' || c == '>' || c == '!'))
          ++at;
        else if (c == '=')
          return "a single '=' compares nothing. Write '==' for that";
        return "";
      }

      /** Of a comma behind the word @p before. */
      std::string
      comma(const std::string &before) const
      {
        std::size_t end = at;
        while (end < text.size() && is_digit(text[end]))
          ++end;
        const std::string digits = text.substr(at, end - at);
        const bool is_number =
          !before.empty() && !digits.empty() &&
          before.find_first_not_of("0123456789") == std::string::npos;
        return "a comma separates the arguments of functions only" +
               (is_number ? ". Write " + before + "." + digits + " for " +
                              before + "," + digits
                          : ", as in min(x, 2). Decimals have a point, and "
                            "components are separated by ';'");
      }

      const std::string text;
      std::size_t at = 0;

      /** The last name, number or sign. */
      std::string last;
      bool last_is_name = false;

      /** Of the parentheses that are open: whether they hold arguments. */
      std::vector<char> is_call;
    };



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
    for (const std::string &component : components)
      {
        const std::string fault = Scanner(component).fault();
        require(fault.empty(), message + fault + ".");
      }
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
