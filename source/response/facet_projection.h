// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_facet_projection_h
#define ricochet_source_response_facet_projection_h

#include <array>
#include <cmath>

namespace Ricochet
{
  template <typename Number, std::size_t n>
  Number
  dot(const std::array<Number, n> &a, const std::array<Number, n> &b)
  {
    Number sum = a[0] * b[0];
    for (std::size_t i = 1; i < n; ++i)
      sum += a[i] * b[i];
    return sum;
  }



  /**
   * A point and the plane of a facet, in one configuration: what Love and
   * Laursen (2003), section 3.2, need of both, for a flat facet (where the
   * derivatives of the tangents vanish and A_ab is the metric m_ab).
   *
   * Points A are the slave, first, and the vertices of the facet. With the
   * tangents s_a from the facet's first vertex to the others, and local
   * coordinates xi^a along them that may leave the facet, so that the slave is
   * straight above or below its projection,
   *
   *   gap      g = -nu . (x_s - x_m), positive if the slave is behind,
   *   shares   P_A = 1 of the slave, -N_A(xi) of the facet,
   *   normal   N_A = P_A nu,
   *   sliding  D^a_A = m^ab (P_A s_b + g P_A,b nu).
   *
   * The outward normal nu is from the orientation of the facet, so that it does
   * not depend on the sign of the gap.
   *
   * @tparam Number A type of numbers with the operations of double.
   */
  template <int dim, typename Number>
  struct FacetProjection
  {
    using Vector     = std::array<Number, dim>;
    using Components = std::array<Number, dim - 1>;

    /** One vector for the slave and each of the facet's vertices. */
    using Field = std::array<Vector, dim + 1>;

    /** With positions. */
    explicit FacetProjection(const Field &x)
    {
      const auto difference = [&](const unsigned int A, const unsigned int B) {
        Vector result;
        for (unsigned int d = 0; d < dim; ++d)
          result[d] = x[A][d] - x[B][d];
        return result;
      };
      for (unsigned int a = 0; a < dim - 1; ++a)
        tangents[a] = difference(a + 2, 1);
      for (unsigned int a = 0; a < dim - 1; ++a)
        for (unsigned int b = 0; b < dim - 1; ++b)
          metric[a][b] = dot(tangents[a], tangents[b]);
      Number determinant = dot(tangents[0], tangents[0]);
      if constexpr (dim == 2)
        {
          normal[0]            = tangents[0][1];
          normal[1]            = -tangents[0][0];
          inverse_metric[0][0] = 1. / determinant;
        }
      else
        {
          for (unsigned int d = 0; d < 3; ++d)
            normal[d] = tangents[0][(d + 1) % 3] * tangents[1][(d + 2) % 3] -
                        tangents[0][(d + 2) % 3] * tangents[1][(d + 1) % 3];
          determinant = dot(normal, normal);
          for (unsigned int a = 0; a < 2; ++a)
            for (unsigned int b = 0; b < 2; ++b)
              inverse_metric[a][b] =
                (a == b ? 1. : -1.) * metric[1 - b][1 - a] / determinant;
        }
      for (Number &component : normal)
        component /= sqrt(determinant);

      const Vector to_slave = difference(0, 1);
      gap                   = -dot(normal, to_slave);
      Components along;
      for (unsigned int a = 0; a < dim - 1; ++a)
        along[a] = dot(to_slave, tangents[a]);
      xi        = raise(along);
      shares[0] = 1.;
      shares[1] = -1.;
      for (unsigned int a = 0; a < dim - 1; ++a)
        {
          shares[a + 2] = -xi[a];
          shares[1] += xi[a];
        }
    }

    /** The sum over all points of P_A times @p field. */
    Vector
    relative(const Field &field) const
    {
      Vector sum = field[0];
      for (unsigned int A = 1; A < dim + 1; ++A)
        for (unsigned int d = 0; d < dim; ++d)
          sum[d] += shares[A] * field[A][d];
      return sum;
    }

    /** v_T^a, the sum over all points of D^a_A . v_A. */
    Components
    sliding(const Field &velocities) const
    {
      const Vector v = relative(velocities);
      Components covariant;
      for (unsigned int b = 0; b < dim - 1; ++b)
        covariant[b] =
          dot(tangents[b], v) +
          gap * (dot(normal, velocities[1]) - dot(normal, velocities[b + 2]));
      return raise(covariant);
    }

    /** The components m^ab t_b. */
    Components
    raise(const Components &covariant) const
    {
      Components result;
      for (unsigned int a = 0; a < dim - 1; ++a)
        {
          result[a] = 0.;
          for (unsigned int b = 0; b < dim - 1; ++b)
            result[a] += inverse_metric[a][b] * covariant[b];
        }
      return result;
    }

    /** The components m_ab v^b. */
    Components
    lower(const Components &contravariant) const
    {
      Components result;
      for (unsigned int a = 0; a < dim - 1; ++a)
        {
          result[a] = 0.;
          for (unsigned int b = 0; b < dim - 1; ++b)
            result[a] += metric[a][b] * contravariant[b];
        }
      return result;
    }

    /** The forces t_N N_A - t_Ta D^a_A on all points. Their sum is zero, and
     * their moment in this configuration. */
    Field
    forces(const Number &normal_traction,
           const Components &tangential_traction) const
    {
      const Components t = raise(tangential_traction);
      Field result;
      for (unsigned int d = 0; d < dim; ++d)
        {
          Number through = normal_traction * normal[d];
          for (unsigned int a = 0; a < dim - 1; ++a)
            through -= t[a] * tangents[a][d];
          for (unsigned int A = 0; A < dim + 1; ++A)
            result[A][d] = shares[A] * through;
          for (unsigned int a = 0; a < dim - 1; ++a)
            {
              const Number couple = t[a] * gap * normal[d];
              result[1][d] -= couple;
              result[a + 2][d] += couple;
            }
        }
      return result;
    }

    Vector normal;
    std::array<Vector, dim - 1> tangents;
    std::array<Components, dim - 1> metric, inverse_metric;
    Components xi;
    Number gap;
    std::array<Number, dim + 1> shares;
  };
} // namespace Ricochet

#endif
