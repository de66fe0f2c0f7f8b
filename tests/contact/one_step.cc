// SPDX-License-Identifier: LGPL-2.1-or-later

// Whether contact leaves alone what does not touch, and gives the same to the
// last bit however the bodies are distributed.

#include <gtest/gtest.h>

#include "scenes.h"

using namespace Ricochet;

namespace
{
  /** All owned values of a set of vectors. */
  template <typename VectorType>
  std::vector<double>
  values(const std::vector<VectorType> &vectors)
  {
    std::vector<double> result;
    for (const auto &vector : vectors)
      for (const auto i : vector.locally_owned_elements())
        result.push_back(vector(i));
    return result;
  }



  template <int dim>
  void
  check_far_apart(const Layout layout)
  {
    Model<dim> model(MPI_COMM_WORLD, cubes_in_a_row<dim>(2, 1, 0.5), layout);
    Contact<dim> contact;
    parse(contact);
    model.reinit(contact);
    model.predict(impact_step);
    const auto positions = values(model.end), speeds = values(model.velocities);
    const auto &record = model.correct(contact, impact_step);

    EXPECT_EQ(values(model.end), positions);
    EXPECT_EQ(values(model.velocities), speeds);
    EXPECT_EQ(record.n_passes, 0u);
    EXPECT_EQ(record.n_node_face + record.n_edge_edge, 0u);
    EXPECT_FALSE(record.unsettled);
    EXPECT_TRUE(std::isnan(record.min_gap));
  }



  /** Positions and velocities of the surface after some steps with impacts. */
  template <int dim>
  std::vector<dealii::Point<dim>>
  run(const MPI_Comm communicator, const Layout layout)
  {
    Model<dim> model(communicator, cubes_in_a_row<dim>(3, 2), layout);
    Contact<dim> contact;
    parse(contact,
          {{"Restitution", "0.5"}, {"Friction coefficient", "0.4"}},
          {"a", "b", "c"});
    model.reinit(contact);
    unsigned int n_contacts = 0;
    for (unsigned int step = 0; step < 4; ++step)
      {
        model.predict(impact_step);
        const auto &record = model.correct(contact, impact_step);
        n_contacts += record.n_node_face + record.n_edge_edge;
      }
    EXPECT_GT(n_contacts, 7u);
    auto result       = model.at_nodes(model.end, contact.get_nodes());
    const auto speeds = model.at_nodes(model.velocities, contact.get_nodes());
    result.insert(result.end(), speeds.begin(), speeds.end());
    return result;
  }
} // namespace



TEST(OneStep, ChangesNothingFarApart)
{
  for (const Layout layout :
       {Layout::one_forest, Layout::forest_per_body, Layout::simplices})
    {
      check_far_apart<2>(layout);
      check_far_apart<3>(layout);
    }
}



TEST(OneStep, IsTheSameOnAnyNumberOfRanks)
{
  for (const Layout layout : {Layout::one_forest, Layout::simplices})
    {
      EXPECT_EQ(run<2>(MPI_COMM_WORLD, layout), run<2>(MPI_COMM_SELF, layout));
      EXPECT_EQ(run<3>(MPI_COMM_WORLD, layout), run<3>(MPI_COMM_SELF, layout));
    }
}



TEST(OneStep, IsTheSameForOneForestAndSeveralSources)
{
  EXPECT_EQ(run<2>(MPI_COMM_WORLD, Layout::forest_per_body),
            run<2>(MPI_COMM_WORLD, Layout::one_forest));
  EXPECT_EQ(run<3>(MPI_COMM_WORLD, Layout::forest_per_body),
            run<3>(MPI_COMM_WORLD, Layout::one_forest));
}
