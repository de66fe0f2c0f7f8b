// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_material_make_material_h
#define ricochet_tests_material_make_material_h

#include <ricochet/material/material.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

/** A material called @p name after parsing the given entries. */
template <int dim>
std::unique_ptr<Ricochet::Material<dim>>
make_material(const std::string &name,
              const std::vector<std::pair<std::string, std::string>> &entries)
{
  using Materials = Ricochet::Registry<Ricochet::Material<dim>>;
  auto material   = Materials::create(name);

  dealii::ParameterHandler prm;
  Materials::entries().at(name).declare_parameters(prm);
  for (const auto &entry : entries)
    prm.set(entry.first, entry.second);
  material->parse_parameters(prm);
  return material;
}



/** Lame constants of the tests and the entries that set them. */
constexpr double test_lambda = 3.25, test_mu = 1.75, test_density = 2.5;

template <int dim>
std::unique_ptr<Ricochet::Material<dim>>
make_material(const std::string &name)
{
  return make_material<dim>(name,
                            {{"Density", "2.5"},
                             {"Lame lambda", "3.25"},
                             {"Lame mu", "1.75"}});
}



/** A material of every name, with entries that show all that it does. */
template <int dim>
std::unique_ptr<Ricochet::Material<dim>>
sample_of(const std::string &name)
{
  std::vector<std::pair<std::string, std::string>> entries = {
    {"Density", "2.5"}};
  if (name == "viscous fluid")
    for (const auto &entry : {std::make_pair("Bulk modulus", "5"),
                              std::make_pair("Viscosity", "0.3")})
      entries.emplace_back(entry);
  else
    for (const auto &entry : {std::make_pair("Lame lambda", "3.25"),
                              std::make_pair("Lame mu", "1.75")})
      entries.emplace_back(entry);
  if (name == "Kelvin-Voigt")
    entries.emplace_back("Damping time", "0.4");
  if (name == "J2 plasticity")
    {
      entries.emplace_back("Yield stress", "0.5");
      entries.emplace_back("Hardening modulus", "0.2");
    }
  return make_material<dim>(name, entries);
}

#endif
