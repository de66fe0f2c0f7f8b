// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_material_h
#define ricochet_material_material_h

#include <ricochet/base/registry.h>
#include <ricochet/material/history.h>

#include <deal.II/base/parameter_handler.h>

#include <limits>
#include <string>

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
   * A law with a memory stores history().size() numbers at each point,
   * component k of point p in history[k*n_points+p]. The caller keeps the
   * history of the last accepted state; evaluate_step() leads from there to a
   * trial, as often as the caller wants, and only the caller decides which
   * trial becomes the next accepted state.
   *
   * Newton's method asks with has_tangent() first. In each iteration it then
   * calls, with the same arguments, evaluate_step() for stress and energy at
   * the trial F, and tangent_step() for the derivative of that stress.
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

    /** What the law stores at each point; empty for elastic laws. */
    const MaterialHistory &
    history() const
    {
      return description_of_history;
    }

    /**
     * A step of @p n_points points from the accepted state @p old_history to
     * the deformation gradients @p F at its end: otherwise as evaluate(), which
     * this is for laws without a memory. A law that needs F at the start of the
     * step as well stores it in its history.
     *
     * @param[in] dt Length of the step. With zero, nothing is dissipated: the
     *   response is the elastic one, and what the law remembers of flow stays.
     * @param[in] old_history History before the step; not changed.
     * @param[out] new_history History after the step.
     */
    virtual void
    evaluate_step(const unsigned int n_points,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const;

    /** Whether there is a tangent_step(). */
    virtual bool
    has_tangent() const
    {
      return false;
    }

    /**
     * The derivative of the stress of evaluate_step() with respect to F, for
     * the same arguments: consistent with the step, with all that the history
     * adds to the stress. NaN where the stress is.
     *
     * @param[out] A Component dP_ij/dF_kl of point p in
     *   <tt>A[(((i*dim+j)*dim+k)*dim+l)*n_points+p]</tt>, in units of stress.
     */
    virtual void
    tangent_step(const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history,
                 double *A) const;

    /**
     * Whether a rotation Q after the deformation turns the stress and does no
     * more, P(QF) = Q P(F), so that the law depends on Green's strain. Viscous
     * stresses may do so only for rotations of the start of the step as well.
     */
    virtual bool
    is_frame_indifferent() const
    {
      return true;
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
     * A number c that limits how fast cells become stiffer when they deform:
     * while Green's strain of any point since some earlier state has a norm of
     * at most e <= 0.05, the largest eigenvalue of M^-1 K of a cell, elastic
     * and viscous, becomes at most 1 + c e times that of the earlier state. So
     * cells that have hardly deformed need not be looked at again. Infinite if
     * no such number is known.
     */
    virtual double
    stiffening() const
    {
      return std::numeric_limits<double>::infinity();
    }

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

  protected:
    /** Give the law a memory, or, when it reads its parameters again, another
     * one. */
    void
    set_history(const MaterialHistory &description)
    {
      description_of_history = description;
    }

  private:
    MaterialHistory description_of_history;
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::Material)

/** Make a material available in parameter files. */
#define RICOCHET_REGISTER_MATERIAL(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::Material, Class, name, description)

#endif
