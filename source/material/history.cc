// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/history.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    /** Whether a variable can have so many components. */
    bool
    fits(const HistoryVariable &variable)
    {
      const std::size_t n = variable.initial_values.size();
      if (variable.is_output && n != 1)
        return false;
      switch (variable.transfer)
        {
          case Transfer::logarithmic_mean:
            return n == 3 || n == 4 || n == 6;
          case Transfer::deformation_gradient:
            return n == 4 || n == 9;
          default:
            return n > 0;
        }
    }
  } // namespace



  MaterialHistory::MaterialHistory(
    const Dissipation dissipation,
    const std::vector<HistoryVariable> &variables)
    : kind(dissipation)
    , all{{"dissipated_energy", {0.}, Transfer::mean}}
  {
    AssertThrow(dissipation != Dissipation::none,
                dealii::ExcMessage(
                  "A law with a memory must say what it does with energy."));
    all.insert(all.end(), variables.begin(), variables.end());
    for (auto variable = all.begin(); variable != all.end(); ++variable)
      {
        AssertThrow(fits(*variable),
                    dealii::ExcMessage(
                      "The variable '" + variable->name +
                      "' of a history has a wrong number of components: "
                      "logarithmic means have 3, 4 or 6, deformation gradients "
                      "4 or 9, and what output shows has 1."));
        AssertThrow(std::none_of(all.begin(),
                                 variable,
                                 [&](const HistoryVariable &other) {
                                   return other.name == variable->name;
                                 }),
                    dealii::ExcMessage(
                      "Two variables of a history are called '" +
                      variable->name + "'."));
        begins.push_back(values.size());
        values.insert(values.end(),
                      variable->initial_values.begin(),
                      variable->initial_values.end());
      }
  }



  unsigned int
  MaterialHistory::output_component(const std::string &name) const
  {
    for (unsigned int v = 0; v < all.size(); ++v)
      if (all[v].is_output && all[v].name == name)
        return begins[v];
    return size();
  }
} // namespace Ricochet
