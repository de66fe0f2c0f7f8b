// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_history_h
#define ricochet_material_history_h

#include <string>
#include <vector>

namespace Ricochet
{
  /** What a law does with energy that it does not give back. */
  enum class Dissipation
  {
    none,
    plastic,
    viscous
  };



  /**
   * How a variable comes to the points of another mesh of the same body. Means
   * are weighted with the reference volume.
   */
  enum class Transfer
  {
    /** The mean of each component; keeps the integral over the body. */
    mean,

    /**
     * The exponential of the mean of the logarithms of positive definite
     * tensors: positive definite again, and of determinant one if they are. The
     * components are those of the upper triangle, row by row: three in the
     * plane, four with the diagonal entry of the third direction after them, or
     * six in space.
     */
    logarithmic_mean,

    /** That of the nearest point, where a mean has no meaning. */
    nearest,

    /** The deformation gradient at the end of the last step, row by row, which
     * the positions of the nodes give on any mesh. */
    deformation_gradient
  };



  /** One variable of a history. */
  struct HistoryVariable
  {
    std::string name;

    /** The components at the start. */
    std::vector<double> initial_values;

    Transfer transfer;

    /** Whether output shows it, under its name together with that of all other
     * bodies; it must have one component. */
    bool is_output = false;
  };



  /**
   * All that a law stores at each point, variable after variable. Without
   * variables the law has no memory.
   *
   * Every memory begins with the energy per reference volume that was
   * dissipated since the start, in one component.
   */
  class MaterialHistory
  {
  public:
    /** No memory. */
    MaterialHistory() = default;

    /** The dissipated energy, which belongs in this column of the balance, and
     * then @p variables. Throws an exception if these do not fit. */
    MaterialHistory(const Dissipation dissipation,
                    const std::vector<HistoryVariable> &variables);

    /** Whether the law has no memory. */
    bool
    empty() const
    {
      return values.empty();
    }

    /** Numbers per point. */
    unsigned int
    size() const
    {
      return values.size();
    }

    /** These numbers at the start. */
    const std::vector<double> &
    initial_values() const
    {
      return values;
    }

    /** What the first number counts. */
    Dissipation
    dissipation() const
    {
      return kind;
    }

    /** All variables after the first number. */
    const std::vector<HistoryVariable> &
    variables() const
    {
      return all;
    }

    /** Where the first component of variable @p v is. */
    unsigned int
    begin_of(const unsigned int v) const
    {
      return begins[v];
    }

    /** The component that output shows as @p name, or size() if none. */
    unsigned int
    output_component(const std::string &name) const;

    static constexpr unsigned int dissipated_energy = 0;

  private:
    Dissipation kind = Dissipation::none;
    std::vector<HistoryVariable> all;
    std::vector<unsigned int> begins;
    std::vector<double> values;
  };
} // namespace Ricochet

#endif
