// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_exact_contact_surface_h
#define ricochet_tests_exact_contact_surface_h

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace Ricochet
{
  namespace Testing
  {
    using Vector = std::array<double, 3>;

    /**
     * The contact surface of one output, and what is wrong with it, found
     * independently of Ricochet by exact predicates. Facets are triangles in
     * 3D and segments in 2D, oriented outward as Ricochet writes them: in 3D
     * counter-clockwise seen from outside, in 2D the body on their left.
     */
    struct ContactSurface
    {
      /** 3 for triangles, 2 for segments (the third vertex is unused then). */
      unsigned int dim = 3;

      std::vector<Vector> vertices;
      std::vector<std::array<std::size_t, 3>> facets;
      std::vector<unsigned int> facet_body;

      /** Two facets that have a point in common. */
      struct Pair
      {
        std::size_t first, second;
      };

      /** A part of a body that is inside another body. */
      struct Contained
      {
        unsigned int inner, outer;
      };

      /**
       * Read a contact-NNNNN.vtu. Points at the same position become one
       * vertex of their body. Throws std::exception if the file cannot be read,
       * or does not hold the positions in double precision.
       */
      static ContactSurface
      read(const std::string &file);

      /**
       * Move each vertex against the sum of the outward area vectors of its
       * facets, by a part of the diagonal of the bounding box of its body: then
       * bodies that touch do not intersect.
       */
      void
      shrink(const double relative_distance);

      /** Facets of no area. The other functions want none. */
      std::vector<std::size_t>
      degenerate_facets() const;

      /**
       * Pairs of facets with a common point, of different bodies, or of the
       * same body if they share no vertex.
       */
      std::vector<Pair>
      intersections(const bool same_body) const;

      /**
       * Connected parts of the surface of one body inside another body, whose
       * facets need not intersect (of parts that do intersect it, some are
       * named as well). Bodies whose surface is not closed (only a
       * part of it is a contact surface) contain nothing.
       */
      std::vector<Contained>
      contained() const;

    private:
      /** Twice the outward area (in 2D: once the length) of a facet. */
      Vector
      outward(const std::size_t facet) const;

      bool
      is_closed(const unsigned int body) const;

      /** How often a closed surface goes around a point that is not on it. */
      double
      winding_number(const unsigned int body, const Vector &point) const;

      /** For each vertex, a vertex that stands for its connected part. */
      std::vector<std::size_t>
      parts() const;
    };
  } // namespace Testing
} // namespace Ricochet

#endif
