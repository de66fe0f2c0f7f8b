// SPDX-License-Identifier: LGPL-2.1-or-later

// The laws of friction, what every law must do in an impulse, and coefficients
// of pairs of bodies.

#include <ricochet/base/error.h>
#include <ricochet/impulse/impulse.h>
#include <ricochet/impulse/pair_values.h>

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>

#include "../random.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  std::unique_ptr<FrictionLaw>
  make_law(const std::string &name,
           const std::map<std::string, std::string> &entries = {})
  {
    dealii::ParameterHandler prm;
    Registry<FrictionLaw>::entries().at(name).declare_parameters(prm);
    for (const auto &entry : entries)
      prm.set(entry.first, entry.second);
    auto law = Registry<FrictionLaw>::create(name);
    law->parse_parameters(prm);
    return law;
  }



  /** A limit that is no multiple of the normal impulse, and an absurd one. */
  struct Adhesive : FrictionLaw
  {
    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    double
    limit(const SlidingPoint &point) const override
    {
      return 0.2 + point.coefficient * std::sqrt(point.normal_impulse);
    }
  };

  struct Absurd : CoulombFriction
  {
    double
    limit(const SlidingPoint &point) const override
    {
      return point.speed > 0.5 ? 1e6 : -1e6;
    }

    double
    holding_limit(const SlidingPoint &) const override
    {
      return 0.;
    }
  };
} // namespace



TEST(FrictionLaws, Limits)
{
  const SlidingPoint slow{0.5, 2., 0., 1e-3}, fast{0.5, 2., 3., 1e-3};
  const auto coulomb = make_law("Coulomb");
  EXPECT_EQ(coulomb->limit(slow), 1.);
  EXPECT_EQ(coulomb->limit(fast), 1.);
  EXPECT_EQ(coulomb->holding_limit(fast), 1.);

  const auto two = make_law("static-kinetic", {{"Static over kinetic", "1.5"}});
  EXPECT_EQ(two->limit(fast), 1.);
  EXPECT_EQ(two->holding_limit(fast), 1.5);

  const auto weak =
    make_law("velocity weakening",
             {{"Kinetic over static", "0.2"}, {"Characteristic speed", "3"}});
  EXPECT_DOUBLE_EQ(weak->limit(slow), 1.);
  EXPECT_DOUBLE_EQ(weak->limit(fast), 0.2 + 0.8 * std::exp(-1.));
  EXPECT_EQ(weak->holding_limit(fast), weak->limit(fast));
}



TEST(FrictionLaws, NeverTurnSlidingRoundAndTakeEnergy)
{
  Random random(1);
  std::vector<std::unique_ptr<FrictionLaw>> laws;
  laws.push_back(make_law("Coulomb"));
  laws.push_back(make_law("static-kinetic"));
  laws.push_back(make_law("velocity weakening"));
  laws.push_back(std::make_unique<Adhesive>());
  laws.push_back(std::make_unique<Absurd>());

  unsigned int n_stick = 0, n_slip = 0;
  for (unsigned int i = 0; i < 20000; ++i)
    {
      // Nodes held in some directions: masses that depend on the component.
      Tensor<1, 3> n, dv;
      Tensor<2, 3> C;
      for (unsigned int d = 0; d < 3; ++d)
        {
          C[d][d] = random.uniform(0., 1.) < 0.2
                      ? 0.
                      : std::exp(random.uniform(-3., 3.));
          n[d]    = random.uniform(-1., 1.);
          dv[d]   = random.uniform(-1., 1.);
        }
      if (i % 2 == 0)
        C[1][1] = C[2][2] = C[0][0]; // free nodes
      n /= n.norm();
      // Where masses depend on the direction, Newton's restitution itself can
      // give energy to a pair with friction.
      const double e  = i % 2 == 0 ? random.uniform(0., 1.) : 0.;
      const double mu = random.uniform(0., 2.);
      const auto &law = *laws[i % laws.size()];
      const auto pair = pair_impulse(C, n, dv, e, PointFriction(law, mu, 1e-3));
      if (pair.status == ContactStatus::open)
        continue;
      (pair.status == ContactStatus::stick ? n_stick : n_slip) += 1;

      const Tensor<1, 3> change  = C * pair.impulse;
      const double u             = n * dv;
      const Tensor<1, 3> sliding = dv - u * n;
      const double scale         = 1. + change.norm();
      EXPECT_NEAR(n * (dv + change), -e * u, 1e-11 * scale);
      // Friction is against the sliding that the normal impulse alone leaves.
      Tensor<1, 3> t    = sliding / sliding.norm();
      const double C_nn = n * C * n, C_nt = n * C * t, C_tt = t * C * t;
      if (!(C_nn * C_tt - C_nt * C_nt > 1e-9 * C_nn * C_tt))
        continue; // it cannot slide
      if (sliding.norm() - C_nt * (1. + e) * u / C_nn < 0.)
        t = -t;
      const double j_n = n * pair.impulse, j_t = -(t * pair.impulse);
      EXPECT_GE(t * (dv + change), -1e-10 * scale);
      EXPECT_GE(j_n, -1e-14 * scale);
      EXPECT_GE(j_t, -1e-12 * scale);
      EXPECT_GE(pair.restitution_loss + pair.friction_loss, -1e-11 * scale);
      if (pair.status == ContactStatus::slip && j_n > 1e-10 * scale)
        {
          EXPECT_NEAR(j_t,
                      PointFriction(law, mu, 1e-3).limit(j_n, sliding.norm()),
                      1e-9 * scale);
        }
    }
  EXPECT_GT(n_stick, 1000u);
  EXPECT_GT(n_slip, 1000u);
}



TEST(FrictionLaws, StaticFrictionHoldsWhatKineticDoesNot)
{
  const auto law = make_law("static-kinetic", {{"Static over kinetic", "2"}});
  const Tensor<1, 2> n({0., 1.});
  const Tensor<2, 2> C = dealii::unit_symmetric_tensor<2>();
  // Sticks if the sliding is at most 2 * 0.3 times the normal impulse, 1.
  const auto at = [&](const double speed) {
    return pair_impulse(C,
                        n,
                        Tensor<1, 2>({speed, -1.}),
                        0.,
                        PointFriction(*law, 0.3, 1.));
  };
  EXPECT_EQ(at(0.59).status, ContactStatus::stick);
  EXPECT_DOUBLE_EQ(at(0.59).impulse[0], -0.59);
  EXPECT_EQ(at(0.61).status, ContactStatus::slip);
  EXPECT_DOUBLE_EQ(at(0.61).impulse[0], -0.3);
}



TEST(PairValues, ExceptionsOfPairs)
{
  const std::vector<std::string> names{"ball[0]", "ball[1]", "plate", "wall"};
  const dealii::Patterns::Double positive(0.);
  PairValues values = 0.5;
  EXPECT_EQ(values.of({{0, 2}}), 0.5);
  const auto parse = [&](const std::string &text) {
    values.parse_exceptions(text, names, "Contact/X", positive, "above 0");
  };
  parse("ball:plate 0.3, wall:ball[1] 2,ball:ball 0");
  EXPECT_EQ(values.of({{0, 2}}), 0.3);
  EXPECT_EQ(values.of({{2, 1}}), 0.3);
  EXPECT_EQ(values.of({{1, 3}}), 2.);
  EXPECT_EQ(values.of({{0, 3}}), 0.5);
  EXPECT_EQ(values.of({{1, 0}}), 0.);
  EXPECT_EQ(values.largest(), 2.);

  const auto message_of = [&](const std::string &text) -> std::string {
    try
      {
        parse(text);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  };
  for (const auto &[text, expected] : std::map<std::string, std::string>{
         {"ball:plate -0.1", "above 0"},
         {"ball:plate", "not understood"},
         {"ball:plate much", "not understood"},
         {"ball 0.1", "not a pair"},
         {"ball:cube 0.1", "no body called 'cube'"},
         {"ball:plate 0.1, plate:ball[0] 0.1", "given twice"}})
    {
      const std::string message = message_of(text);
      EXPECT_EQ(message.find("Contact/X"), 0u) << text;
      EXPECT_NE(message.find(expected), std::string::npos) << message;
    }
}
