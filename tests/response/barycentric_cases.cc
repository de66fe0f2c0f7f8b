// SPDX-License-Identifier: LGPL-2.1-or-later

// The response "barycentric" for single vertices and facets against values from
// an independent implementation (barycentric_cases.json), with both kinds of
// friction.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "case_file.h"
#include "make_vertex_and_facet.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <int dim>
  void
  check(const Tree &c, const std::string &friction, const std::string &results)
  {
    SCOPED_TRACE("case " + c.get<std::string>("id") + ", " +
                 c.get<std::string>("flavour") + ", " + friction);
    auto x = rows<dim>(c.get_child("x_face"));
    x.push_back(vector<dim>(c.get_child("x_slave")));
    auto v = rows<dim>(c.get_child("v_face"));
    v.push_back(vector<dim>(c.get_child("v_slave")));
    auto w = numbers_in(c.get_child("inv_mass_face"));
    w.push_back(c.get<double>("inv_mass_slave"));

    // The point came in straight.
    const auto projected = vector<dim>(c.get_child("x_slave_projected"));
    const auto normal    = vector<dim>(c.get_child("n"));
    const double depth   = (projected - x.back()).norm();
    VertexAndFacet<dim> pair(x, v, w, Point<dim>(projected + depth * normal));
    EXPECT_TRUE(pair.correct("barycentric",
                             {{"Friction", friction},
                              {"Position correction", "slave only"}},
                             c.get<double>("e"),
                             c.get<double>("mu")));

    EXPECT_LE((pair.state.end_positions[dim] - Point<dim>(projected)).norm(),
              1e-14 * std::max(1., projected.norm()));
    double speed = 0., energy = 0.;
    for (unsigned int i = 0; i < v.size(); ++i)
      {
        speed = std::max(speed, v[i].norm());
        if (w[i] > 0.)
          energy += 0.5 / w[i] * v[i].norm_square();
      }
    const Tree &expected = c.get_child(results);
    auto v_plus          = rows<dim>(expected.get_child("v_face_plus"));
    v_plus.push_back(vector<dim>(expected.get_child("v_slave_plus")));
    for (unsigned int i = 0; i < v.size(); ++i)
      EXPECT_LE((pair.state.velocities[i] - v_plus[i]).norm(), 1e-10 * speed)
        << "node " << i;

    const auto &record = pair.state.record;
    if (const auto dissipation = expected.get_optional<double>("dissipation"))
      {
        EXPECT_NEAR(record.restitution_loss + record.friction_loss,
                    *dissipation,
                    1e-10 * energy);
      }
    const std::string regime = expected.get<std::string>("regime");
    if (regime == "stick" || regime == "slip")
      {
        EXPECT_EQ(pair.state.status[dim],
                  regime == "stick" ? ContactStatus::stick
                                    : ContactStatus::slip);
      }
  }
} // namespace



TEST(BarycentricCases, AgreeWithIndependentImplementation)
{
  Tree tree;
  boost::property_tree::read_json(RICOCHET_TEST_DIR "/barycentric_cases.json",
                                  tree);
  unsigned int n_cases = 0;
  for (const auto &child : tree.get_child("cases"))
    {
      const Tree &c = child.second;
      for (const auto &[friction, results] :
           {std::make_pair("barycentric", "friction_barycentric"),
            std::make_pair("mass weighted", "friction_paper")})
        if (c.get<unsigned int>("dim") == 2)
          check<2>(c, friction, results);
        else
          check<3>(c, friction, results);
      ++n_cases;
    }
  EXPECT_EQ(n_cases, 54u);
}
