// SPDX-License-Identifier: LGPL-2.1-or-later

// Steps that keep gaps open, of squares that move around each other.

#include <ricochet/projection/step_matrix.h>

#include <gtest/gtest.h>

#include "scenes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Of mass points that do not depend on each other. */
  class Identity : public StepMatrix
  {
  public:
    bool
    is_symmetric() const override
    {
      return true;
    }

    void
    multiply(const Vectors &) override
    {}

    void
    solve(const Vectors &) override
    {}

    void
    set_to_inverse_diagonal(const Vectors &result) override
    {
      for (VectorType *vector : result)
        *vector = 1.;
    }
  };



  /** A unit square at the origin, and one beside it that has not moved yet. */
  class Squares
  {
  public:
    Squares()
      : model(MPI_COMM_WORLD, squares(), Layout::one_forest, 0)
    {
      parse(contact, {{"Response", "nonsmooth"}});
      model.reinit(contact);
    }

    void
    begin(const bool by_iterates)
    {
      contact.begin_gaps({0., 1.},
                         {{&model.begin[0]}, {&model.velocities[0]}},
                         by_iterates);
    }

    /** Ask for the second square to be at @p centre. Whether it is, without any
     * force. */
    bool
    moves_to(const Point<2> &centre)
    {
      const auto there = positions(centre);
      Identity matrix;
      const bool is_open = contact.open_gaps({&there}, matrix);
      auto forces        = there;
      forces             = 0.;
      return is_open && contact.add_gap_forces({&forces}) == 0.;
    }

    bool
    may_end_at(const Point<2> &centre)
    {
      const auto there = positions(centre);
      return contact.may_end_at({&there});
    }

    void
    accept()
    {
      contact.accept_gaps(1., {&model.velocities[0]});
    }

    double
    number(const std::string &name) const
    {
      for (const auto &[key, value] : contact.numbers())
        if (key == name)
          return value;
      return 0.;
    }

    Contact<2> contact;
    Model<2> model;

  private:
    static std::vector<CubeMotion<2>>
    squares()
    {
      std::vector<CubeMotion<2>> result(2);
      for (auto &square : result)
        square.rotation = dealii::unit_symmetric_tensor<2>();
      result[1].centre = Tensor<1, 2>({1.5, 0.});
      return result;
    }

    Model<2>::VectorType
    positions(const Point<2> &centre) const
    {
      auto moving        = squares();
      moving[1].centre   = centre;
      moving[1].velocity = Tensor<1, 2>();
      return Model<2>(MPI_COMM_WORLD, moving, Layout::one_forest, 0).begin[0];
    }
  };

  // The other one's corner is on the straight way from the start to the end,
  // and not on the ways by the corner of both.
  const Point<2> above_right(1.5, 1.5), above(0., 1.5);
} // namespace



TEST(Gaps, WaysAreStraight)
{
  Squares squares;
  squares.begin(false);
  EXPECT_TRUE(squares.moves_to(above_right));
  EXPECT_FALSE(squares.may_end_at(above));
}



TEST(Gaps, WaysGoByIterates)
{
  Squares squares;
  squares.begin(true);
  EXPECT_FALSE(squares.may_end_at(above));
  EXPECT_TRUE(squares.moves_to(above_right));
  EXPECT_TRUE(squares.moves_to(above));
  EXPECT_TRUE(squares.may_end_at(above));
  // Never through what is in the way.
  EXPECT_FALSE(squares.may_end_at({0., -1.5}));
  EXPECT_FALSE(squares.moves_to({0., -1.5}));
}



TEST(Gaps, AnotherStartForgetsTheIterates)
{
  Squares squares;
  squares.begin(true);
  EXPECT_TRUE(squares.moves_to(above_right));
  squares.begin(false);
  EXPECT_FALSE(squares.may_end_at(above));
}



// The step itself still begins where it did.
TEST(Gaps, StepsByIteratesBeginAtTheirStart)
{
  Squares squares;
  squares.begin(true);
  EXPECT_TRUE(squares.moves_to(above_right));
  EXPECT_TRUE(squares.may_end_at(above));
  squares.accept();
  const auto start =
    squares.model.at_nodes(squares.model.begin, squares.contact.get_nodes());
  const auto &kept = squares.contact.get_state().start_positions;
  ASSERT_EQ(kept.size(), start.size());
  for (unsigned int node = 0; node < start.size(); ++node)
    EXPECT_EQ(kept[node], start[node]);
  EXPECT_EQ(squares.number("steps proved by iterates"), 1.);
}
