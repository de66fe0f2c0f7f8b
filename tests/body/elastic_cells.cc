// SPDX-License-Identifier: LGPL-2.1-or-later

#include "forces_model.h"

// Elastic cells are treated in one pass: the same as in several, which laws
// from outside need.

using namespace Ricochet;

namespace
{
  class ElasticCells : public ForcesTest
  {};



  /** A law of which nobody knows which one it is. */
  template <int dim>
  class Hidden : public Material<dim>
  {
  public:
    explicit Hidden(const std::string &name)
      : law(make_material<dim>(name))
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override
    {
      law->evaluate(n_points, F, P, W);
    }

    double
    density() const override
    {
      return law->density();
    }

    double
    wave_speed() const override
    {
      return law->wave_speed();
    }

  private:
    const std::unique_ptr<Material<dim>> law;
  };



  template <int dim>
  void
  check_passes(const bool simplex)
  {
    for (const std::string law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        SCOPED_TRACE(law);
        Model<dim> model(simplex, {law, law});
        const auto x = model.deformed();
        std::vector<double> energies(2), energies_of_passes(2);
        const auto forces = model.forces(x, &energies);
        EXPECT_EQ(model.forces(x), forces);

        for (auto &material : model.materials)
          material = std::make_unique<Hidden<dim>>(law);
        model.reinit();
        expect_near(forces, model.forces(x, &energies_of_passes), 1e-13);
        expect_near(energies, energies_of_passes, 1e-13);
      }
  }



  /** Forces in a mesh of cubes of which one corner is at @p corner. */
  template <int dim>
  std::vector<double>
  forces_on_cubes(const Material<dim> &material, const double corner)
  {
    dealii::Triangulation<dim> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 3, 0.1, 0.8);
    mesh.begin_active()->vertex(0)[0] = corner;
    const auto table                  = make_cell_table(mesh);
    InternalForces<dim> internal_forces;
    internal_forces.reinit(table, {&material});

    Random random(3);
    std::vector<double> x = positions_of(table), forces(x.size());
    for (double &value : x)
      value += random.vector<dim>(0.01)[0];
    internal_forces.evaluate(x.data(), forces.data(), nullptr);
    return forces;
  }



  /** The first cell, of another shape, changes the forces on its nodes only. */
  template <int dim>
  void
  expect_cubes_alike(const Material<dim> &material)
  {
    const auto of_cubes = forces_on_cubes<dim>(material, 0.1);
    const auto of_all   = forces_on_cubes<dim>(material, 0.12);
    ASSERT_EQ(of_cubes.size(), of_all.size());
    unsigned int n_others = 0;
    for (unsigned int i = 0; i < of_all.size(); ++i)
      n_others += of_all[i] != of_cubes[i];
    EXPECT_GT(n_others, 0u);
    EXPECT_LE(n_others, dim * (1u << dim));
  }



  template <int dim>
  void
  check_cubes_beside_others()
  {
    for (const std::string law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        SCOPED_TRACE(law);
        expect_cubes_alike<dim>(*make_material<dim>(law));
        expect_cubes_alike<dim>(Hidden<dim>(law));
      }
  }



  /** Where nothing has moved, nothing pulls, to the last bit. */
  template <int dim>
  void
  check_rest(const bool simplex)
  {
    for (const std::string law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        SCOPED_TRACE(law);
        Model<dim> model(simplex, {law});
        std::vector<double> energies(1);
        EXPECT_EQ(largest(model.forces(positions_of(model.table), &energies)),
                  0.);
        EXPECT_EQ(energies[0], 0.);
      }
  }
} // namespace



RICOCHET_TEST_ALL_CELLS(ElasticCells, AgreeWithSeveralPassesOn, check_passes)
RICOCHET_TEST_ALL_CELLS(ElasticCells, AreExactlyAtRestOn, check_rest)

TEST_P(ElasticCells, OfCubesDoNotDependOnOthersInSquares)
{
  check_cubes_beside_others<2>();
}

TEST_P(ElasticCells, OfCubesDoNotDependOnOthersInHexahedra)
{
  check_cubes_beside_others<3>();
}

RICOCHET_ALL_INSTRUCTION_SETS(ElasticCells)
