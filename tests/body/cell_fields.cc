// SPDX-License-Identifier: LGPL-2.1-or-later

// What is drawn of the bodies, for laws that say no more of themselves than
// explicit dynamics needs.

#include <ricochet/body/cell_fields.h>
#include <ricochet/simulation/simulation.h>

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "../output/temporary_directory.h"
#include "../output/vtu_file.h"
#include "../parse.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  /** P = s (F - 1), without a tangent. */
  template <int dim>
  class Springs : public Material<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      declare_density(prm);
      prm.declare_entry("Spring stiffness", "2", dealii::Patterns::Double(0.));
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      mass_density = parse_density(prm);
      stiffness    = prm.get_double("Spring stiffness");
    }

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override
    {
      if (W != nullptr)
        std::fill_n(W, n_points, 0.);
      for (unsigned int i = 0; i < dim * dim; ++i)
        for (unsigned int p = 0; p < n_points; ++p)
          {
            const double strain =
              F[i * n_points + p] - (i % (dim + 1) == 0 ? 1. : 0.);
            P[i * n_points + p] = stiffness * strain;
            if (W != nullptr)
              W[p] += 0.5 * stiffness * strain * strain;
          }
    }

    double
    density() const override
    {
      return mass_density;
    }

    double
    wave_speed() const override
    {
      return std::sqrt(stiffness / mass_density);
    }

  private:
    double mass_density, stiffness;
  };

  RICOCHET_REGISTER_MATERIAL(Springs, "springs", "For tests.")



  /** The same, and it knows how old it is: three at the start. */
  template <int dim>
  class AgeingSprings : public Springs<dim>
  {
  public:
    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      Springs<dim>::parse_parameters(prm);
      this->set_history(
        {Dissipation::viscous, {{"age", {3.}, Transfer::mean, true}}});
    }

    void
    evaluate_step(const unsigned int n_points,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const override
    {
      this->evaluate(n_points, F, P, W);
      for (unsigned int p = 0; p < n_points; ++p)
        {
          new_history[p]            = old_history[p];
          new_history[n_points + p] = old_history[n_points + p] + dt;
        }
    }
  };

  RICOCHET_REGISTER_MATERIAL(AgeingSprings, "ageing springs", "For tests.")



  std::string
  body(const std::string &law, const double place)
  {
    return "subsection Mesh\n"
           "  set Grid generator = subdivided_hyper_cube\n"
           "  set Grid generator arguments = 3 : 0 : 1 : false\n"
           "  set Translation = " +
           std::to_string(place) +
           ", 0, 0\n"
           "end\n"
           "set Initial velocity = 0.2*x; 0; 0\n"
           "subsection Material\n"
           "  set Law = " +
           law +
           "\n"
           "  set Density = 1\n"
           "end\n";
  }



  const std::vector<double> &
  field(const CellFields &fields, const std::string &name)
  {
    for (const auto &field : fields)
      if (field.first == name)
        return field.second;
    ADD_FAILURE() << name << " is missing.";
    return fields[0].second;
  }
} // namespace



TEST(CellFields, NeedNoTangent)
{
  EXPECT_FALSE(Registry<Material<3>>::create("springs")->has_tangent());

  std::vector<Body<3>> bodies;
  for (const std::string law : {"springs", "ageing springs", "springs"})
    bodies.push_back(parse_body<3>(body(law, 2. * bodies.size()))
                       .create_bodies(MPI_COMM_SELF)[0]);
  Solids<3> solids(MPI_COMM_WORLD, MassKind::lumped);
  solids.reinit(std::move(bodies));
  EXPECT_EQ(solids.output_variables(), std::vector<std::string>{"age"});

  // A uniaxial stretch by a quarter.
  State state = solids.initial_state();
  for (unsigned int i = 0; i < state.positions[0].locally_owned_size(); i += 3)
    state.positions[0].local_element(i) *= 1.25;
  state.positions[0].update_ghost_values();

  const CellFields fields = cell_fields(solids, state, 0);
  for (unsigned int n = 0; n < fields[0].second.size(); ++n)
    {
      EXPECT_NEAR(field(fields, "von_mises_stress")[n], 0.5, 1e-14);
      EXPECT_NEAR(field(fields, "pressure")[n], -0.5 / 3., 1e-14);
      EXPECT_NEAR(field(fields, "age")[n],
                  field(fields, "body")[n] == 1. ? 3. : 0.,
                  1e-14);
    }
  EXPECT_EQ(solids.largest(state, "age"), 3.);
  EXPECT_TRUE(std::isnan(solids.largest(state, "temperature")));
}



TEST(CellFields, ARunWithoutTangentWritesItsFiles)
{
  namespace fs = std::filesystem;
  const Testing::TemporaryDirectory directory(MPI_COMM_WORLD);
  const std::string file = directory.file("run.prm");
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    Testing::write(file,
                   "set End time = 0.1\n"
                   "set Output directory = " +
                     directory.file("out") +
                     "\n"
                     "subsection Bodies\n"
                     "subsection young\n" +
                     body("springs", 0.) +
                     "end\n"
                     "subsection old\n" +
                     body("ageing springs", 2.) +
                     "end\n"
                     "end\n"
                     "subsection Output\n"
                     "  set Number of ParaView files = 1\n"
                     "  set Number of pictures = 0\n"
                     "end\n");
  MPI_Barrier(MPI_COMM_WORLD);
  const ParameterFile parameters(file, {});
  const Options options;
  Simulation<3> simulation(parameters, options, MPI_COMM_WORLD);
  EXPECT_EQ(simulation.run(), 0);
  MPI_Barrier(MPI_COMM_WORLD);

  float stress = 0., age = 0.;
  for (const auto &entry : fs::directory_iterator(directory.file("out")))
    if (entry.path().extension() == ".vtu" &&
        entry.path().filename().string().rfind("solution", 0) == 0)
      {
        const Testing::VtuFile solution(entry.path().string());
        for (const float value : solution.data.at("von_mises_stress"))
          stress = std::max(stress, value);
        for (const float value : solution.data.at("age"))
          age = std::max(age, value);
      }
  EXPECT_GT(stress, 0.01);
  EXPECT_NEAR(age, 3.1, 1e-5);
}
