// SPDX-License-Identifier: LGPL-2.1-or-later

// Who is a body, and that contact says so if nothing can ever touch.

#include <gtest/gtest.h>
#include <string>

#include "scenes.h"

using namespace Ricochet;

namespace
{
  /** What a contact says to two cubes that are about to hit each other: in one
   * source without numbers of bodies, or in two. */
  template <int dim>
  std::string
  answer(const Layout layout,
         const std::vector<std::pair<std::string, std::string>> &entries = {},
         const bool may_be_idle = false)
  {
    Model<dim> model(MPI_COMM_WORLD, cubes_in_a_row<dim>(2, 1), layout);
    Contact<dim> contact;
    parse(contact, entries, {"a", "b"});
    ContactModel<dim> sources = model.contact_model();
    for (auto &source : sources.sources)
      source.body = nullptr;
    sources.may_be_idle = may_be_idle;
    try
      {
        contact.reinit(sources);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    model.predict(impact_step);
    const auto &record = model.correct(contact, impact_step);
    return (record.n_node_face > 0 ? "touched; " : "nothing; ") +
           contact.warning(0.5);
  }



  void
  expect_parts(const std::string &text, const std::vector<std::string> &parts)
  {
    for (const std::string &part : parts)
      EXPECT_NE(text.find(part), std::string::npos)
        << "\"" << part << "\" is missing in: " << text;
  }
} // namespace



TEST(ContactSources, AreBodiesByDefault)
{
  EXPECT_EQ(answer<2>(Layout::forest_per_body), "touched; ");
  EXPECT_EQ(answer<3>(Layout::forest_per_body), "touched; ");
}



TEST(ContactSources, MustBeAbleToTouch)
{
  expect_parts(answer<2>(Layout::one_forest),
               {"nothing can ever touch",
                "only one body",
                "SurfaceSource::body",
                "ContactModel::may_be_idle"});
  expect_parts(answer<3>(Layout::forest_per_body, {{"Pairs", "a:a"}}),
               {"nothing can ever touch", "'Pairs'"});
  EXPECT_EQ(answer<3>(Layout::one_forest, {{"Self-contact", "true"}}),
            "touched; ");
}



TEST(ContactSources, MayBeIdleIfThatIsMeant)
{
  expect_parts(answer<2>(Layout::forest_per_body, {{"Pairs", "a:a"}}, true),
               {"nothing; Contact: nothing can ever touch"});
  // Names tell that there should be two.
  expect_parts(answer<2>(Layout::one_forest, {}, true),
               {"nothing; Contact: nothing can ever touch"});
}



// What is asked for out of turn is told, instead of done with nothing.
TEST(ContactSources, NeedTheParametersFirst)
{
  Model<2> model(MPI_COMM_WORLD,
                 cubes_in_a_row<2>(2, 1),
                 Layout::forest_per_body);
  Contact<2> contact;
  EXPECT_THROW(contact.reinit(model.contact_model()), dealii::ExceptionBase);
  parse(contact, {}, {"a", "b"});
  model.reinit(contact);
  EXPECT_THROW(contact.begin_forces({}, {}), dealii::ExceptionBase);
}



// A mesh that changes: nothing of the nodes of before is left.
TEST(ContactSources, MayChange)
{
  Contact<3> changed, fresh;
  parse(changed, {}, {});
  parse(fresh, {}, {});
  Model<3> before(MPI_COMM_WORLD,
                  cubes_in_a_row<3>(3, 1),
                  Layout::one_forest,
                  2);
  before.reinit(changed);
  before.predict(impact_step);
  EXPECT_GT(before.correct(changed, impact_step).n_node_face, 0u);
  changed.set_debts(std::vector<double>(changed.get_state().debts.size(), 1.));

  Model<3> one(MPI_COMM_WORLD, cubes_in_a_row<3>(2, 1)),
    other(MPI_COMM_WORLD, cubes_in_a_row<3>(2, 1));
  one.reinit(changed);
  other.reinit(fresh);
  for (const double debt : changed.get_state().debts)
    EXPECT_EQ(debt, 0.);
  for (Model<3> *const model : {&one, &other})
    {
      model->predict(impact_step);
      Contact<3> &contact = model == &one ? changed : fresh;
      EXPECT_GT(model->correct(contact, impact_step).n_node_face, 0u);
    }
  EXPECT_EQ(changed.get_state().end_positions, fresh.get_state().end_positions);
  EXPECT_EQ(changed.get_state().velocities, fresh.get_state().velocities);
  EXPECT_EQ(changed.get_state().impulses, fresh.get_state().impulses);
}
