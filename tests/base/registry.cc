// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/registry.h>

#include <gtest/gtest.h>
#include <sstream>

using namespace Ricochet;
using dealii::ParameterHandler;

namespace
{
  /** A family whose classes read a number and scale it. */
  struct Shape
  {
    virtual ~Shape() = default;

    static std::string
    family_name()
    {
      return "shape";
    }

    virtual void
    parse_parameters(ParameterHandler &prm, const double scale) = 0;

    double size = 0.;
  };

  struct Square : Shape
  {
    static void
    declare_parameters(ParameterHandler &prm)
    {
      prm.declare_entry("Side", "1", dealii::Patterns::Double(0.));
    }

    void
    parse_parameters(ParameterHandler &prm, const double scale) override
    {
      size = scale * prm.get_double("Side");
    }
  };

  struct Circle : Shape
  {
    static void
    declare_parameters(ParameterHandler &prm)
    {
      prm.declare_entry("Radius", "2", dealii::Patterns::Double(0.));
    }

    void
    parse_parameters(ParameterHandler &prm, const double scale) override
    {
      size = scale * prm.get_double("Radius");
    }
  };
} // namespace

RICOCHET_DECLARE_REGISTRY(Shape)
RICOCHET_DEFINE_REGISTRY(Shape)

RICOCHET_REGISTER_CLASS(Shape, Square, "square", "Four sides.")
RICOCHET_REGISTER_CLASS(Shape, Circle, "circle", "No side.")

namespace
{
  template <Sections sections>
  void
  declare_shapes(ParameterHandler &prm)
  {
    declare_choice<Shape>(prm,
                          "Type",
                          "square",
                          "One of\n" + Registry<Shape>::documentation());
    declare_classes<Shape, sections>(prm);
  }



  using Declare = std::function<void(ParameterHandler &)>;

  /** The message of the error when two classes share a section. */
  std::string
  error_of(const Declare &first, const Declare &second)
  {
    ParameterHandler prm;
    try
      {
        declare_in_one_section(prm, "shape", {{"a", first}, {"b", second}});
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  Declare
  entry(const std::string &name,
        const std::string &default_value,
        const dealii::Patterns::PatternBase &pattern)
  {
    const std::shared_ptr<dealii::Patterns::PatternBase> copy = pattern.clone();
    return [=](ParameterHandler &prm) {
      prm.declare_entry(name, default_value, *copy);
    };
  }
} // namespace



TEST(Registry, AClassIsChosenByItsNameAndReadsItsOwnSection)
{
  ParameterHandler prm;
  declare_shapes<Sections::own>(prm);
  EXPECT_EQ(choose<Shape>(prm, "Type", 3.)->size, 3.);

  prm.parse_input_from_string(
    "set Type = circle\n"
    "subsection circle\n"
    "  set Radius = 5\n"
    "end");
  const auto shape = choose<Shape>(prm, "Type", 3.);
  EXPECT_NE(dynamic_cast<const Circle *>(shape.get()), nullptr);
  EXPECT_EQ(shape->size, 15.);
  // The section is left again.
  EXPECT_EQ(prm.get("Type"), "circle");
}



TEST(Registry, ClassesCanShareASection)
{
  ParameterHandler prm;
  declare_shapes<Sections::shared>(prm);
  prm.parse_input_from_string(
    "set Type = circle\n"
    "set Radius = 5\n"
    "set Side = 7");
  EXPECT_EQ((choose<Shape, Sections::shared>(prm, "Type", 1.)->size), 5.);
  prm.set("Type", "square");
  EXPECT_EQ((choose<Shape, Sections::shared>(prm, "Type", 1.)->size), 7.);
}



TEST(Registry, OnlyRegisteredNamesCanBeChosen)
{
  ParameterHandler prm;
  declare_shapes<Sections::own>(prm);
  EXPECT_THROW(prm.set("Type", "triangle"), dealii::ExceptionBase);
  EXPECT_THROW(Registry<Shape>::create("triangle"), UserError);
  EXPECT_EQ(Registry<Shape>::selection(), "circle|square");
}



TEST(Registry, ANameIsUsedOnce)
{
  EXPECT_THROW((Registration<Shape, Circle>("square", "")), UserError);
}



TEST(Registry, ASharedEntryIsDeclaredInOneWay)
{
  using namespace dealii::Patterns;
  const auto size = entry("Size", "1", Double(0.));
  EXPECT_EQ(error_of(size, size), "");
  EXPECT_EQ(error_of(size, entry("Weight", "2", Double(0.))), "");

  const auto below = [](const Declare &declare) -> Declare {
    return [declare](ParameterHandler &prm) {
      prm.enter_subsection("Details");
      declare(prm);
      prm.leave_subsection();
    };
  };
  const auto other_default = entry("Size", "2", Double(0.)),
             other_pattern = entry("Size", "1", Integer(0));
  for (const std::string &message :
       {error_of(size, other_default),
        error_of(other_default, size),
        error_of(size, other_pattern),
        error_of(below(size), below(other_default))})
    for (const std::string part : {"Size'", "'a'", "'b'", "'shape'"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(error_of(below(size), below(other_default)).find("'Details/Size'"),
            std::string::npos);
  // Not the same entry.
  EXPECT_EQ(error_of(size, below(other_default)), "");
}
