// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_material_h
#define ricochet_material_material_h

#include <ricochet/base/registry.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Declare the entry 'Density'. All laws have their entries in one section of
   * a body, where those of one name are one entry; so a law declares an entry
   * like this one in the way of the others, or else under another name.
   */
  void
  declare_density(dealii::ParameterHandler &prm);

  /** The value of this entry; a UserError if it is not positive. */
  double
  parse_density(const dealii::ParameterHandler &prm);



  /** What a law does with energy that it does not give back. */
  enum class Dissipation
  {
    none,
    plastic,
    viscous
  };



  /**
   * A law on batches of points: first Piola-Kirchhoff stress and strain energy
   * density from the deformation gradient, and for laws with a memory also from
   * what happened before.
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
   * A law with a memory stores initial_history().size() numbers at each point,
   * component k of point p in history[k*n_points+p]. Component 0 is the energy
   * per reference volume that was dissipated since the start. The caller keeps
   * the history of the last accepted state; evaluate_step() leads from there to
   * a trial, as often as the caller wants, and only the caller decides which
   * trial becomes the next accepted state.
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
     * Stress and energy at @p n_points points; for laws with a memory those of
     * a material to which nothing has happened yet, without a step. Called by
     * several threads at once.
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

    /** The history of a point at the start; empty for elastic laws. */
    virtual std::vector<double>
    initial_history() const
    {
      return {};
    }

    /**
     * A step of @p n_points points from the accepted state @p old_history to
     * the deformation gradients @p F: otherwise as evaluate(). Only for laws
     * with a memory.
     *
     * @param[in] dt Length of the step. With zero, nothing is dissipated: the
     *   response is the elastic one, and what the law remembers of flow stays.
     * @param[in] old_history History before the step; not changed.
     * @param[out] new_history History after the step, never null.
     */
    virtual void
    evaluate_step(const unsigned int n_points,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const;

    /** In which column of the energy balance component 0 belongs. */
    virtual Dissipation
    dissipation() const
    {
      return Dissipation::none;
    }

    /**
     * Components of the history that the output shows, by name. Those called
     * "plastic_strain" and "temperature" are shown for all bodies together.
     */
    virtual std::vector<std::pair<std::string, unsigned int>>
    history_fields() const
    {
      return {};
    }

    /**
     * A time T for which stability is judged, zero without viscosity: with the
     * elastic stiffness K and the damping C of a step, the largest eigenvalue
     * of M^-1 (K + 2 C / T) is a bound for both.
     */
    virtual double
    viscous_time() const
    {
      return 0.;
    }

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

    /**
     * Stiffness against shear in the undeformed material, as a scale for the
     * stiffness of hourglass modes. Units: stress.
     */
    virtual double
    shear_modulus() const
    {
      return 0.25 * density() * wave_speed() * wave_speed();
    }
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::Material)

/** Make a material available in parameter files. */
#define RICOCHET_REGISTER_MATERIAL(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::Material, Class, name, description)

#endif
