// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_parse_h
#define ricochet_tests_parse_h

#include <ricochet/base/error.h>
#include <ricochet/body/body.h>
#include <ricochet/mesh/mesh_source.h>

#include <deal.II/base/parameter_handler.h>

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

/** A mesh source from the text of its section; called "Body 'cube'". */
template <int dim>
Ricochet::MeshSource<dim>
parse_mesh(const std::string &text)
{
  dealii::ParameterHandler prm;
  Ricochet::MeshSource<dim>::declare_parameters(prm);
  prm.parse_input_from_string(text);
  Ricochet::MeshSource<dim> source;
  source.set_owner("Body 'cube'");
  source.set_base_directory(RICOCHET_TEST_DATA);
  source.parse_parameters(prm);
  return source;
}



/** A body called "cube" from the text of its section; unless the text says
 * otherwise, its material has unit density, unit modulus and no Poisson's
 * ratio. */
template <int dim>
Ricochet::BodyParameters<dim>
parse_body(const std::string &text,
           const std::vector<std::string> &motion_names = {})
{
  dealii::ParameterHandler prm;
  Ricochet::BodyParameters<dim>::declare_parameters(prm, motion_names);
  prm.parse_input_from_string(
    "subsection Material\n"
    "  set Density = 1\n"
    "  set Young's modulus = 1\n"
    "  set Poisson's ratio = 0\n"
    "end\n" +
    text);
  Ricochet::BodyParameters<dim> parameters;
  parameters.parse_parameters(prm, "cube", motion_names, RICOCHET_TEST_DATA);
  return parameters;
}



/** The text of the UserError that @p action throws, or "no error". */
inline std::string
error_of(const std::function<void()> &action)
{
  try
    {
      action();
    }
  catch (const Ricochet::UserError &error)
    {
      return error.what();
    }
  return "no error";
}



/** Expect that a text has all given parts. */
inline void
expect_parts(const std::string &text, const std::vector<std::string> &parts)
{
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos)
      << "\"" << part << "\" is missing in: " << text;
}

#endif
