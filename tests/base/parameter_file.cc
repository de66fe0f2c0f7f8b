// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/parameter_file.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace Ricochet;
using dealii::ParameterHandler;

namespace
{
  /** A folder with files that vanishes at the end. */
  class Folder
  {
  public:
    Folder()
    {
      std::string name =
        (std::filesystem::temp_directory_path() / "parameter-file-XXXXXX")
          .string();
      path = mkdtemp(name.data());
    }

    ~Folder()
    {
      std::filesystem::remove_all(path);
    }

    std::string
    write(const std::string &name, const std::string &text) const
    {
      std::ofstream(path / name) << text;
      return (path / name).string();
    }

    std::filesystem::path path;
  };



  void
  declare(ParameterHandler &prm)
  {
    prm.declare_entry("Dimension", "3", dealii::Patterns::Selection("2|3"));
    prm.enter_subsection("Contact");
    prm.declare_entry("Restitution", "1", dealii::Patterns::Double(0., 1.));
    prm.declare_entry("Response", "dcr", dealii::Patterns::Selection("dcr"));
    prm.leave_subsection();
  }



  /** The message of the UserError that @p text leads to. */
  std::string
  message(const std::string &text,
          const std::vector<std::string> &overrides = {})
  {
    const Folder folder;
    try
      {
        ParameterFile file(folder.write("run.prm", text), overrides);
        ParameterHandler prm;
        declare(prm);
        file.apply_to(prm);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  void
  expect_in(const std::string &message, const std::vector<std::string> &parts)
  {
    for (const auto &part : parts)
      EXPECT_NE(message.find(part), std::string::npos)
        << "'" << part << "' is not in: " << message;
  }
} // namespace



TEST(ParameterFile, SetsValuesAndOverrides)
{
  const Folder folder;
  ParameterFile file(folder.write("run.prm",
                                  "# comment\n"
                                  "set Dimension = 2 # two\n"
                                  "subsection Contact\n"
                                  "  set Restitution = \\\n"
                                  "      0.25\n"
                                  "end\n"),
                     {"Contact/Restitution=0.5"});
  ParameterHandler prm;
  declare(prm);
  file.apply_to(prm);
  EXPECT_EQ(prm.get_integer("Dimension"), 2);
  prm.enter_subsection("Contact");
  EXPECT_EQ(prm.get_double("Restitution"), 0.5);
  EXPECT_EQ(prm.get("Response"), "dcr");
  EXPECT_TRUE(file.warnings().empty());
}



TEST(ParameterFile, ListsUserNamedSections)
{
  const Folder folder;
  const ParameterFile file(folder.write("run.prm",
                                        "subsection Bodies\n"
                                        "  subsection big ball\n"
                                        "    subsection Mesh\n"
                                        "    end\n"
                                        "  end\n"
                                        "  subsection plate\n"
                                        "  end\n"
                                        "end\n"),
                           {});
  EXPECT_EQ(file.subsections({"Bodies"}),
            (std::vector<std::string>{"big ball", "plate"}));
  EXPECT_EQ(file.subsections({"Bodies", "big ball"}),
            (std::vector<std::string>{"Mesh"}));
  EXPECT_TRUE(file.subsections({"Nothing"}).empty());
}



TEST(ParameterFile, ResolvesIncludesRelativeToTheFile)
{
  const Folder folder;
  std::filesystem::create_directory(folder.path / "parts");
  folder.write("parts/inner.prm", "set Dimension = 2\n");
  folder.write("parts/outer.prm", "include inner.prm\n");
  const ParameterFile file(folder.write("run.prm", "include parts/outer.prm\n"),
                           {});
  EXPECT_EQ(file.value({}, "Dimension", "none"), "2");
}



TEST(ParameterFile, NamesLineSectionAndNearestNames)
{
  expect_in(message("subsection Contact\n  set Restitutoin = 1\nend\n"),
            {"run.prm, line 2", "Restitutoin", "'Contact'", "'Restitution'"});
  expect_in(message("set Restitution = 1\n"),
            {"line 1", "the top level", "Contact/Restitution"});
  expect_in(message("\nsubsection Kontact\n  set Restitution = 1\nend\n"),
            {"line 3", "Kontact", "'Contact'"});
  expect_in(message("", {"Contact/Restitution"}), {"--set", "="});
  expect_in(message("", {"Contact/Foo=1"}),
            {"--set \"Contact/Foo=1\"", "'Foo'"});
}



TEST(ParameterFile, RefusesValuesOutsideTheirRange)
{
  expect_in(message("subsection Contact\n  set Restitution = 1.5\nend\n"),
            {"run.prm, line 2", "Contact/Restitution", "1.5", "0", "1"});
  expect_in(message("set Dimension = 4\n"), {"line 1", "2|3"});
}



TEST(ParameterFile, RefusesBrokenSyntax)
{
  expect_in(message("subsection Contact\n"), {"run.prm", "Contact", "end"});
  expect_in(message("end\n"), {"line 1", "end"});
  expect_in(message("Dimension = 3\n"), {"line 1", "Dimension = 3"});
  expect_in(message("set Dimension = 3\r\n"), {"line 1", "carriage return"});
  expect_in(message("include nothing.prm\n"), {"line 1", "nothing.prm"});
  EXPECT_THROW(ParameterFile("/nonexistent.prm", {}), UserError);
}



TEST(ParameterFile, RefusesCircularIncludes)
{
  const Folder folder;
  folder.write("b.prm", "include a.prm\n");
  EXPECT_THROW(ParameterFile(folder.write("a.prm", "include b.prm\n"), {}),
               UserError);
}



TEST(ParameterFile, TakesTimeInProportionToItsSections)
{
  const Folder folder;
  const auto seconds = [&](const unsigned int n) {
    std::string text = "subsection Bodies\n";
    for (unsigned int i = 0; i < n; ++i)
      text += "subsection b" + std::to_string(i) +
              "\nset A = 1\nset B = 2\nsubsection Mesh\nset C = 3\nend\nend\n";
    const std::string name = folder.write("run.prm", text + "end\n");
    double least           = 1e100;
    for (unsigned int repetition = 0; repetition < 3; ++repetition)
      {
        const auto start = std::chrono::steady_clock::now();
        const ParameterFile file(name, {});
        ParameterHandler prm;
        prm.enter_subsection("Bodies");
        for (const std::string &section : file.subsections({"Bodies"}))
          {
            EXPECT_EQ(file.subsections({"Bodies", section}).size(), 1u);
            EXPECT_EQ(file.value({"Bodies", section}, "B", ""), "2");
            prm.enter_subsection(section);
            for (const char *const entry : {"A", "B"})
              prm.declare_entry(entry, "0", dealii::Patterns::Integer());
            prm.enter_subsection("Mesh");
            prm.declare_entry("C", "0", dealii::Patterns::Integer());
            prm.leave_subsection();
            prm.leave_subsection();
          }
        prm.leave_subsection();
        file.apply_to(prm);
        EXPECT_EQ(ParameterFile::all_entries(prm).difference(file, "Bodies"),
                  "");
        least = std::min(least,
                         std::chrono::duration<double>(
                           std::chrono::steady_clock::now() - start)
                           .count());
      }
    return least;
  };
  // 8 times as many in 8 times as long; if each one were compared with all
  // others, it would be 64 times.
  EXPECT_LT(seconds(1600), 20. * seconds(200));
}



TEST(ParameterFile, WarnsOfRepeatedEntries)
{
  const Folder folder;
  const ParameterFile file(
    folder.write("run.prm", "set Dimension = 2\nset Dimension = 3\n"),
    {});
  ASSERT_EQ(file.warnings().size(), 1u);
  expect_in(file.warnings()[0], {"line 2", "line 1", "Dimension"});
}
