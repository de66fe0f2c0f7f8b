// SPDX-License-Identifier: LGPL-2.1-or-later

// Words that are numbers, expressions that mean what they show, and the place
// of messages about them.

#include <ricochet/base/error.h>
#include <ricochet/base/number.h>
#include <ricochet/base/vector_function.h>

#include <gtest/gtest.h>

using namespace Ricochet;

namespace
{
  /** The message of the error. */
  std::string
  message(const std::string &expression)
  {
    try
      {
        const VectorFunction<3, 1> function(expression, "Entry");
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  double
  value(const std::string &expression)
  {
    return VectorFunction<3, 1>(expression, "Entry")
      .value(dealii::Point<3>(1., 2., 3.), 0.)[0];
  }
} // namespace



TEST(Number, OfAWholeWord)
{
  EXPECT_EQ(number_of("1.5"), 1.5);
  EXPECT_EQ(number_of("-.5e+2"), -50.);
  EXPECT_EQ(number_of("+3E-1"), 0.3);
  EXPECT_EQ(number_of("7."), 7.);
  EXPECT_EQ(number_of("1e-400"), 0.);
  EXPECT_EQ(number_of("99999999999999999999"), 1e20);
  for (const std::string word :
       {"",     "1,5", "1.0-5", "1D3",   "1e",     "e5",  "--1", "+-1",
        "+",    "-",   ".",     "1e400", "-1e400", "nan", "inf", "-inf",
        "0x10", "1 2", " 1",    "1 ",    "1.2.3",  "1f"})
    EXPECT_FALSE(number_of(word).has_value()) << word;
}



TEST(Number, CommasInExpressions)
{
  EXPECT_EQ(value("min(1, 2)"), 1.);
  EXPECT_EQ(value("max(1,5)"), 5.);
  EXPECT_EQ(value("pow(x+1,2)"), 4.);
  EXPECT_EQ(value("if(x>=1, max(1,(2)), 3)"), 2.);
  EXPECT_EQ(value("atan2 (0, 1)+(1.5)"), 1.5);
  EXPECT_EQ(value("1.0-5"), -4.);
  EXPECT_EQ(value("if(x == 1 && y != 1, 1e-3, 0.0e0)"), 1e-3);
  for (const std::string expression :
       {"1,5", "x*1,5", "(1,5)", "min((1,5), 2)", "2*(x+1,5)", "sin(x)+1,5"})
    EXPECT_NE(message(expression).find("Write 1.5 for 1,5"), std::string::npos)
      << message(expression);
  for (const std::string expression : {"x,y", ",", "1,", ",5", "(x,5)", "1, 5"})
    EXPECT_NE(message(expression).find("comma"), std::string::npos)
      << message(expression);
  EXPECT_NE(message("if(x=1,2,3)").find("'=='"), std::string::npos);
  for (const std::string number : {"1e400", "2e-400", "1e99999999999999999999"})
    EXPECT_NE(message("x+" + number).find("the number " + number + " is out"),
              std::string::npos)
      << message("x+" + number);
  for (const std::string expression :
       {"1D3", "1e", "--1", "0x10", "1 2", "nan"})
    EXPECT_EQ(message(expression).find("Entry = " + expression), 0u);
}
