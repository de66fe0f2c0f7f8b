// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/node_groups.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/projection/energy_restoration.h>

#include <deal.II/lac/householder.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Tensor;

  double
  energy_root(const double A, const double b, const double c)
  {
    if (!(A > 0.))
      return 0.;
    if (c == 0.)
      return std::max(0., -b / A);
    const double discriminant = b * b - 4. * A * c;
    if (discriminant < 0.)
      return std::max(0., -b / (2. * A));
    // Without cancellation.
    const double q =
      -0.5 * (b + std::copysign(std::sqrt(discriminant), b == 0. ? 1. : b));
    const double roots[2] = {q / A, c / q};
    if (c < 0.)
      return std::max(roots[0], roots[1]);
    return std::abs(roots[0]) < std::abs(roots[1]) ? roots[0] : roots[1];
  }



  namespace
  {
    /** The sum of the other roots' parts in the linear term of a row. */
    double
    linear_term(const FullMatrix<double> &A,
                const std::vector<double> &b,
                const std::vector<double> &roots,
                const unsigned int l)
    {
      double sum = b[l];
      for (unsigned int k = 0; k < roots.size(); ++k)
        if (k != l)
          sum += A(l, k) * roots[k];
      return sum;
    }



    /** Passes over all rows, each with the rule for one, until the roots stay
     * as they are. */
    void
    pass_over_rows(const FullMatrix<double> &A,
                   const std::vector<double> &b,
                   const std::vector<double> &c,
                   std::vector<double> &roots)
    {
      constexpr unsigned int max_passes = 1000;
      constexpr double round_off        = 1e-15;
      for (unsigned int pass = 0; pass < max_passes; ++pass)
        {
          double change = 0., size = 0.;
          for (unsigned int l = 0; l < roots.size(); ++l)
            {
              const double before = roots[l];
              roots[l] =
                energy_root(A(l, l), linear_term(A, b, roots, l), c[l]);
              const double scale = std::sqrt(A(l, l));
              change = std::max(change, scale * std::abs(roots[l] - before));
              size   = std::max(size, scale * std::abs(roots[l]));
            }
          if (change <= round_off * size)
            return;
        }
    }



    /** One step of Newton's method for the rows that have a root; whether it
     * made their defects smaller. */
    bool
    polish(const FullMatrix<double> &A,
           const std::vector<double> &b,
           const std::vector<double> &c,
           std::vector<double> &roots)
    {
      std::vector<unsigned int> rows;
      std::vector<double> scales;
      for (unsigned int l = 0; l < roots.size(); ++l)
        {
          const double linear = linear_term(A, b, roots, l);
          if (A(l, l) > 0. && linear * linear >= 4. * A(l, l) * c[l])
            {
              rows.push_back(l);
              scales.push_back(1. / std::sqrt(A(l, l)));
            }
        }
      const unsigned int n = rows.size();
      if (n == 0)
        return false;
      const auto defects = [&](const std::vector<double> &of) {
        dealii::Vector<double> result(n);
        for (unsigned int i = 0; i < n; ++i)
          result(i) = energy_defect(A, b, c, of, rows[i]);
        return result;
      };
      // In roots of the same size: impulses, not multiples of forces.
      FullMatrix<double> slopes(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          {
            const unsigned int l = rows[i], k = rows[j];
            slopes(i, j) = scales[j] * roots[l] * A(l, k);
            if (i == j)
              slopes(i, j) +=
                scales[j] * (linear_term(A, b, roots, l) + A(l, l) * roots[l]);
          }
      const auto before = defects(roots);
      dealii::Vector<double> change(n);
      const dealii::Householder<double> solver(slopes);
      solver.least_squares(change, before);
      auto polished = roots;
      for (unsigned int i = 0; i < n; ++i)
        polished[rows[i]] -= scales[i] * change(i);
      if (!(defects(polished).l2_norm() < before.l2_norm()))
        return false;
      for (const unsigned int l : rows)
        if (c[l] <= 0. && polished[l] < 0.)
          return false;
      roots = polished;
      return true;
    }
  } // namespace



  std::vector<double>
  energy_roots(const FullMatrix<double> &A,
               const std::vector<double> &b,
               const std::vector<double> &c)
  {
    constexpr unsigned int max_steps = 5;
    std::vector<double> roots(b.size(), 0.);
    pass_over_rows(A, b, c, roots);
    for (unsigned int step = 0; step < max_steps && polish(A, b, c, roots);
         ++step)
      {}
    return roots;
  }



  double
  energy_defect(const FullMatrix<double> &A,
                const std::vector<double> &b,
                const std::vector<double> &c,
                const std::vector<double> &roots,
                const unsigned int l)
  {
    return roots[l] * (A(l, l) * roots[l] + linear_term(A, b, roots, l)) + c[l];
  }



  namespace
  {
    /** The largest part of impulses that can be taken back. */
    constexpr double part_at_end = 0.5;

    /** Gains that are left alone, relative to the energy of the impulses: what
     * contact points that slide along facets gain and lose by turns. */
    constexpr double small_gain = 0.02;



    /** The part of impulses, negative, with which A kappa^2 + b kappa + c is
     * not positive, or least. */
    double
    part_taken_back(const double A, const double b, const double c)
    {
      if (!(A > 0. && b > 0. && c > small_gain * A))
        return 0.;
      const double discriminant = b * b - 4. * A * c;
      return std::max(-part_at_end,
                      discriminant > 0.
                        ? -2. * c / (b + std::sqrt(discriminant))
                        : -b / (2. * A));
    }



    /** Push each group by the part of its forces that @p root says. */
    template <int dim>
    void
    push_groups(const std::vector<GapConstraint<dim>> &contacts,
                const std::vector<double> &work,
                double (&root)(const double, const double, const double),
                ContactState<dim> &state)
    {
      NodeGroups groups(state.end_positions.size());
      std::vector<Tensor<1, dim>> changes(state.end_positions.size()); // M^-1 F
      for (const GapConstraint<dim> &c : contacts)
        {
          groups.join(c.collision.nodes);
          state.inverse_mass.apply(c.collision,
                                   c.multiplier * c.collision.normal,
                                   changes);
        }

      struct Quadratic
      {
        double A = 0., b = 0., c = 0.;
      };
      std::map<unsigned int, Quadratic> of_group;
      for (unsigned int k = 0; k < contacts.size(); ++k)
        {
          const Collision<dim> &collision = contacts[k].collision;
          const Tensor<1, dim> force =
            contacts[k].multiplier * collision.normal;
          Quadratic &group = of_group[groups.group_of(collision.nodes.front())];
          group.A += 0.5 * (force * collision.weighted_sum(changes));
          group.b += force * collision.weighted_sum(state.velocities);
          group.c += work[k];
        }
      for (const GapConstraint<dim> &contact : contacts)
        {
          const Quadratic &group =
            of_group[groups.group_of(contact.collision.nodes.front())];
          push_along(contact.collision,
                     root(group.A, group.b, group.c) * contact.multiplier,
                     ImpulseTime::end,
                     state);
        }
    }
  } // namespace



  template <int dim>
  void
  restore_energy(const std::vector<GapConstraint<dim>> &contacts,
                 const std::vector<double> &work,
                 ContactState<dim> &state)
  {
    push_groups(contacts, work, energy_root, state);
  }



  template <int dim>
  void
  take_back_gains(const std::vector<GapConstraint<dim>> &contacts,
                  const std::vector<double> &work,
                  ContactState<dim> &state)
  {
    push_groups(contacts, work, part_taken_back, state);
  }



#define RICOCHET_INSTANTIATE(dim)                                        \
  template void restore_energy(const std::vector<GapConstraint<dim>> &,  \
                               const std::vector<double> &,              \
                               ContactState<dim> &);                     \
  template void take_back_gains(const std::vector<GapConstraint<dim>> &, \
                                const std::vector<double> &,             \
                                ContactState<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
