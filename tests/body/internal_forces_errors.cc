// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <sstream>

#include "forces_model.h"

using namespace Ricochet;
using dealii::Point;

namespace
{
  class FailingForces : public ForcesTest
  {};
} // namespace



TEST_P(FailingForces, InvertedCellsAreReportedWithBodyAndPlace)
{
  for (const bool simplex : {false, true})
    {
      Model<3> model(simplex, {"neo-Hookean", "Saint Venant-Kirchhoff"}, 4);
      auto x = model.deformed();

      // Pull one node through the opposite side of its cells.
      const unsigned int node =
        dealii::GridTools::find_closest_vertex(model.mesh,
                                               Point<3>(0.5, 0.5, 0.5));
      const auto good = x;
      x[3 * node] += 0.7;

      const auto expect_report = [&](const auto &function) {
        try
          {
            function();
            ADD_FAILURE() << "Nothing was reported.";
          }
        catch (const RunError &error)
          {
            const std::string message = error.what();
            EXPECT_NE(message.find("body"), std::string::npos) << message;
            EXPECT_NE(message.find("inverted"), std::string::npos) << message;
            EXPECT_NE(message.find("time step"), std::string::npos) << message;
          }
      };
      expect_report([&]() { model.forces(x); });
      expect_report(
        [&]() { model.internal_forces.stable_time_step(x.data()); });

      // Nothing is left behind from the failures.
      EXPECT_NO_THROW(model.forces(good));
    }
}



// Cell 17 and later ones collapse. It is the only one of body 1, whose batches
// come after those of body 0, but the first in the table.
TEST_P(FailingForces, TheReportNamesBodyAndCentreOfTheFirstBadCell)
{
  Model<2> model(false, {"neo-Hookean", "neo-Hookean"}, 6);
  for (unsigned int cell = 0; cell < model.table.n_cells(); ++cell)
    model.table.cell_body[cell] = (cell == 17 ? 1 : 0);
  model.reinit();

  // Push the upper right corner of each cell onto the lower left one of cell
  // 17. All these corners are in no cell before 17.
  auto x            = positions_of(model.table);
  const auto &nodes = model.table.cell_nodes;
  std::vector<unsigned int> collapsed;
  for (unsigned int cell = 17; cell < model.table.n_cells(); ++cell)
    collapsed.push_back(nodes[4 * cell + 3]);
  for (const unsigned int node : collapsed)
    {
      ASSERT_EQ(std::count(nodes.begin(), nodes.begin() + 4 * 17, node), 0);
      for (unsigned int c = 0; c < 2; ++c)
        x[2 * node + c] = x[2 * nodes[4 * 17] + c];
    }

  std::ostringstream expected;
  expected.precision(6);
  expected << "body 1 centred at (";
  for (unsigned int c = 0; c < 2; ++c)
    {
      double sum = 0.;
      for (unsigned int a = 0; a < 4; ++a)
        sum += x[2 * nodes[4 * 17 + a] + c];
      expected << (c > 0 ? ", " : "") << sum / 4.;
    }
  expected << ")";
  try
    {
      model.forces(x);
      ADD_FAILURE() << "Nothing was reported.";
    }
  catch (const RunError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected.str()),
                std::string::npos)
        << error.what() << " / " << expected.str();
    }
}



TEST_P(FailingForces, ValuesThatAreNotFiniteAreReported)
{
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           1e200})
    for (const std::string law : {"neo-Hookean", "Saint Venant-Kirchhoff"})
      for (const bool simplex : {false, true})
        {
          Model<3> model(simplex, {law});
          auto x = model.deformed();
          x[11]  = bad;
          EXPECT_THROW(model.forces(x), RunError) << bad;
        }
}



TEST_P(FailingForces, MeshesWithInvertedReferenceCellsAreRefused)
{
  for (const bool simplex : {false, true})
    {
      Model<2> model(simplex, {"neo-Hookean"});
      unsigned int *nodes = model.table.cell_nodes.data();
      std::swap(nodes[0], nodes[1]);
      if (!simplex)
        std::swap(nodes[2], nodes[3]);
      try
        {
          model.reinit();
          ADD_FAILURE() << "Nothing was reported.";
        }
      catch (const UserError &error)
        {
          const std::string message = error.what();
          EXPECT_NE(message.find("body 0"), std::string::npos) << message;
          EXPECT_NE(message.find("vertices"), std::string::npos) << message;
        }
    }
}



RICOCHET_ALL_INSTRUCTION_SETS(FailingForces)
