// SPDX-License-Identifier: LGPL-2.1-or-later

#include "anderson_mixing.h"

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/householder.h>
#include <deal.II/lac/vector.h>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Iterations that are mixed with the last one. */
    constexpr unsigned int depth = 5;

    /** Of the square of a step, so that also iterations that diverge slowly can
     * be mixed. */
    constexpr double largest_growth = 100.;

    /** Parts of a mixture that are larger say that its iterations are all the
     * same. */
    constexpr double largest_part = 1e4;
  } // namespace



  template <int dim>
  void
  AndersonMixing<dim>::mix(const Positions &from,
                           Positions &image,
                           Impulses &impulses)
  {
    Iteration last{Impulses(image.size()), 0., image, impulses};
    for (unsigned int k = 0; k < image.size(); ++k)
      {
        last.step[k] = image[k] - from[k];
        last.square_of_step += last.step[k].norm_square();
      }
    if (!iterations.empty() &&
        last.square_of_step > largest_growth * iterations.back().square_of_step)
      iterations.clear();
    const unsigned int n_nodes = image.size(), m = iterations.size();
    if (m > 0)
      {
        dealii::FullMatrix<double> differences(n_nodes * dim, m);
        dealii::Vector<double> step(n_nodes * dim), parts(m);
        for (unsigned int k = 0, row = 0; k < n_nodes; ++k)
          for (unsigned int d = 0; d < dim; ++d, ++row)
            {
              step(row) = last.step[k][d];
              for (unsigned int i = 0; i < m; ++i)
                differences(row, i) =
                  last.step[k][d] - iterations[i].step[k][d];
            }
        const dealii::Householder<double> solver(differences);
        solver.least_squares(parts, step);
        if (parts.l1_norm() <= largest_part)
          for (unsigned int i = 0; i < m; ++i)
            for (unsigned int k = 0; k < n_nodes; ++k)
              {
                image[k] -= parts(i) * (last.image[k] - iterations[i].image[k]);
                impulses[k] -=
                  parts(i) * (last.impulses[k] - iterations[i].impulses[k]);
              }
        else
          iterations.clear();
      }
    iterations.push_back(std::move(last));
    if (iterations.size() > depth)
      iterations.pop_front();
  }



  template class AndersonMixing<2>;
  template class AndersonMixing<3>;
} // namespace Ricochet
