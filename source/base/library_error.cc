// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/library_error.h>

#include <deal.II/base/exceptions.h>

#include <sstream>

namespace Ricochet
{
  std::string
  text_of(const std::exception &exception)
  {
    std::string text = exception.what();
    if (const auto *library_exception =
          dynamic_cast<const dealii::ExceptionBase *>(&exception))
      {
        std::ostringstream out;
        library_exception->print_info(out);
        text = out.str();
        if (text.find("(none)") != std::string::npos)
          text = library_exception->get_exc_name();
      }

    // All words on one line.
    std::istringstream words(text);
    std::string result, word;
    while (words >> word)
      result += (result.empty() ? "" : " ") + word;
    return result;
  }



  ExceptionsInsteadOfAborts::ExceptionsInsteadOfAborts()
    : aborts(dealii::deal_II_exceptions::internals::allow_abort_on_exception)
  {
    dealii::deal_II_exceptions::disable_abort_on_exception();
  }



  ExceptionsInsteadOfAborts::~ExceptionsInsteadOfAborts()
  {
    if (aborts)
      dealii::deal_II_exceptions::enable_abort_on_exception();
  }
} // namespace Ricochet
