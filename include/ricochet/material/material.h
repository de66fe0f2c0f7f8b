// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_material_h
#define ricochet_material_material_h

#include <ricochet/base/registry.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>

#include <string>

namespace Ricochet
{
  /**
   * A hyperelastic law on batches of points: first Piola-Kirchhoff stress and
   * strain energy density from the deformation gradient.
   *
   * Batches are structures of arrays so that the loops over points vectorize:
   * component (i,j) of point p of a tensor T is T[(i*dim+j)*n_points + p].
   * Implementations loop over all points in one plain loop without branches
   * where they can.
   *
   * The result at a point must not depend on its place in the batch, and the
   * stress not on whether the energy is wanted too: a run gives the same
   * motion on any number of ranks and for any choice of output.
   *
   * A law for one body: where det F <= 0 and the law has no meaning it returns
   * NaN; the caller reports where that was. Two-dimensional laws describe
   * plane strain.
   */
  template <int dim>
  class Material
  {
  public:
    virtual ~Material() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "material";
    }

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm) = 0;

    /**
     * Stress and energy at @p n_points points. Called by several threads at
     * once.
     *
     * @param[in] n_points Number of points in the batch (a multiple of 8).
     * @param[in] F Deformation gradients, dim*dim*n_points.
     * @param[out] P First Piola-Kirchhoff stresses, dim*dim*n_points, in units
     *   of stress.
     * @param[out] W Strain energy densities per reference volume, n_points, or
     *   a null pointer when they are not wanted. Zero for F = 1.
     */
    virtual void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const = 0;

    /**
     * Stress and its derivative @p A[i][j][k][l] = dP_ij/dF_kl at one point,
     * for implicit integrators.
     */
    virtual void
    tangent(const dealii::Tensor<2, dim> &F,
            dealii::Tensor<2, dim> &P,
            dealii::Tensor<4, dim> &A) const = 0;

    /** Mass per reference volume. */
    virtual double
    density() const = 0;

    /**
     * Speed of the fastest small wave in the undeformed material, in units of
     * length over time.
     */
    virtual double
    wave_speed() const = 0;
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRY(::Ricochet::Material<2>)
RICOCHET_DECLARE_REGISTRY(::Ricochet::Material<3>)

/** Make a material available in parameter files. */
#define RICOCHET_REGISTER_MATERIAL(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::Material, Class, name, description)

#endif
