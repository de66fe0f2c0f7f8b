// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/differences.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <vector>

namespace Ricochet
{
  namespace
  {
    /** Of components of F: near the root of third order of the rounding unit,
     * where errors of second order and of round-off are alike. */
    constexpr double difference = 6e-6;



    /** Steps to gradients on both sides of those at the end of a step. */
    template <int dim>
    class Neighbours
    {
    public:
      Neighbours(const Material<dim> &material,
                 const unsigned int n_points,
                 const double dt,
                 const double *F,
                 const double *old_history)
        : material(material)
        , n_points(n_points)
        , dt(dt)
        , F(F, F + dim * dim * n_points)
        , old_history(old_history)
        , history(material.history().size() * n_points)
        , W(n_points)
        , P(dim * dim * n_points)
      {}

      /** Another step whose end has component @p kl of F greater by
       * @p change. */
      void
      step(const unsigned int kl, const double change)
      {
        const std::vector<double> original(F.begin() + kl * n_points,
                                           F.begin() + (kl + 1) * n_points);
        for (unsigned int p = 0; p < n_points; ++p)
          F[kl * n_points + p] += change;
        material.evaluate_step(n_points,
                               dt,
                               F.data(),
                               old_history,
                               history.data(),
                               P.data(),
                               W.data());
        std::copy(original.begin(), original.end(), F.begin() + kl * n_points);
      }

      /** Put (a - b) / h, with the values @p a after a step forward and @p b
       * after one back, into @p result. */
      template <typename Values>
      void
      differentiate(const unsigned int kl,
                    const Values &values,
                    const unsigned int n_components,
                    std::vector<double> &result)
      {
        result.resize(n_components * n_points);
        step(kl, difference);
        for (unsigned int i = 0; i < result.size(); ++i)
          result[i] = values(i);
        step(kl, -difference);
        for (unsigned int i = 0; i < result.size(); ++i)
          result[i] = (result[i] - values(i)) / (2. * difference);
      }

    private:
      const Material<dim> &material;
      const unsigned int n_points;
      const double dt;
      std::vector<double> F;
      const double *const old_history;

    public:
      /** What the last step led to. */
      std::vector<double> history, W, P;
    };
  } // namespace



  template <int dim>
  void
  tangent_by_differences(const Material<dim> &material,
                         const unsigned int n_points,
                         const double dt,
                         const double *F,
                         const double *old_history,
                         double *A)
  {
    Neighbours<dim> neighbours(material, n_points, dt, F, old_history);
    std::vector<double> derivative;
    for (unsigned int kl = 0; kl < dim * dim; ++kl)
      {
        neighbours.differentiate(
          kl,
          [&](const unsigned int i) { return neighbours.P[i]; },
          dim * dim,
          derivative);
        for (unsigned int ij = 0; ij < dim * dim; ++ij)
          std::copy_n(derivative.begin() + ij * n_points,
                      n_points,
                      A + (ij * dim * dim + kl) * n_points);
      }
  }



  template <int dim>
  void
  stress_of_work_by_differences(const Material<dim> &material,
                                const unsigned int n_points,
                                const double dt,
                                const double *F,
                                const double *old_history,
                                double *P)
  {
    Assert(!material.history().empty(),
           dealii::ExcMessage("This is for laws with a memory."));
    Neighbours<dim> neighbours(material, n_points, dt, F, old_history);
    std::vector<double> derivative;
    for (unsigned int kl = 0; kl < dim * dim; ++kl)
      {
        neighbours.differentiate(
          kl,
          [&](const unsigned int p) {
            return neighbours.W[p] +
                   neighbours
                     .history[MaterialHistory::dissipated_energy * n_points +
                              p];
          },
          1,
          derivative);
        std::copy(derivative.begin(), derivative.end(), P + kl * n_points);
      }
  }



  template void
  tangent_by_differences(const Material<2> &,
                         const unsigned int,
                         const double,
                         const double *,
                         const double *,
                         double *);
  template void
  tangent_by_differences(const Material<3> &,
                         const unsigned int,
                         const double,
                         const double *,
                         const double *,
                         double *);
  template void
  stress_of_work_by_differences(const Material<2> &,
                                const unsigned int,
                                const double,
                                const double *,
                                const double *,
                                double *);
  template void
  stress_of_work_by_differences(const Material<3> &,
                                const unsigned int,
                                const double,
                                const double *,
                                const double *,
                                double *);
} // namespace Ricochet
