// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_anderson_mixing_h
#define ricochet_source_projection_anderson_mixing_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <deque>
#include <vector>

namespace Ricochet
{
  /**
   * Anderson's (1965) acceleration of an iteration x <- F(x) that converges
   * linearly: what comes next is the mixture sum_i a_i F(x_i), sum_i a_i = 1,
   * of the last few iterations, for which sum_i a_i (F(x_i) - x_i) is least.
   * Where F(x) - x has grown, it starts anew.
   */
  template <int dim>
  class AndersonMixing
  {
  public:
    /** One point per node, and what has moved it. */
    using Positions = std::vector<dealii::Point<dim>>;
    using Impulses  = std::vector<dealii::Tensor<1, dim>>;

    /** Forget all iterations. */
    void
    clear()
    {
      iterations.clear();
    }

    /**
     * Mix what an iteration has found with what the ones before have.
     *
     * @param[in] from x.
     * @param[in,out] image F(x), on return the mixture.
     * @param[in,out] impulses What belongs to it and is linear in it.
     */
    void
    mix(const Positions &from, Positions &image, Impulses &impulses);

  private:
    /** F(x) - x, F(x), and what belongs to it. */
    struct Iteration
    {
      Impulses step;
      double square_of_step;
      Positions image;
      Impulses impulses;
    };

    std::deque<Iteration> iterations;
  };
} // namespace Ricochet

#endif
