// SPDX-License-Identifier: LGPL-2.1-or-later

#include "slave_contact.h"

#include <ricochet/base/moment.h>
#include <ricochet/impulse/pair_response.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    template <std::size_t dim>
    Tensor<1, dim>
    tensor(const std::array<double, dim> &components)
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = components[d];
      return result;
    }



    /** Nodes, each once, and one vector for each. */
    template <int dim>
    struct NodalForces
    {
      /** The place of a node among them. */
      unsigned int
      place_of(const unsigned int node)
      {
        const auto known = std::find(nodes.begin(), nodes.end(), node);
        if (known != nodes.end())
          return known - nodes.begin();
        nodes.push_back(node);
        forces.emplace_back();
        return nodes.size() - 1;
      }

      /** Add nodes with the forces on points. */
      void
      add(const typename SlaveContact<dim>::Points &points,
          const std::array<Tensor<1, dim>, dim + 1> &of_points)
      {
        for (unsigned int A = 0; A < dim + 1; ++A)
          for (const auto &[node, weight] : points[A])
            {
              const unsigned int i = place_of(node);
              forces[i] += weight * of_points[A];
            }
      }

      std::vector<unsigned int> nodes;
      std::vector<Tensor<1, dim>> forces;
    };



    /** The slave and the vertices of a facet. */
    template <int dim>
    std::array<unsigned int, dim + 1>
    vertices_of(const unsigned int slave,
                const unsigned int facet,
                const Surface<dim> &surface)
    {
      std::array<unsigned int, dim + 1> result;
      result[0] = slave;
      std::copy(surface.facets[facet].begin(),
                surface.facets[facet].end(),
                result.begin() + 1);
      return result;
    }



    template <int dim>
    FacetProjection<dim, double>
    projection_of(const std::array<unsigned int, dim + 1> &vertices,
                  const std::vector<Point<dim>> &positions)
    {
      typename FacetProjection<dim, double>::Field x;
      for (unsigned int A = 0; A < dim + 1; ++A)
        for (unsigned int d = 0; d < dim; ++d)
          x[A][d] = positions[vertices[A]][d];
      return FacetProjection<dim, double>(x);
    }



    /** Corners of a facet with this normal, the first one in the origin. */
    template <int dim>
    std::array<Tensor<1, dim>, dim>
    corners_of_plane(const Tensor<1, dim> &normal)
    {
      std::array<Tensor<1, dim>, dim> corners;
      if constexpr (dim == 2)
        {
          corners[1][0] = -normal[1];
          corners[1][1] = normal[0];
        }
      else
        {
          unsigned int across = 0; // the axis with the largest angle to it
          for (unsigned int d = 1; d < 3; ++d)
            if (std::abs(normal[d]) < std::abs(normal[across]))
              across = d;
          Tensor<1, 3> axis;
          axis[across] = 1.;
          corners[1]   = dealii::cross_product_3d(axis, normal);
          corners[1] /= corners[1].norm();
          corners[2] = dealii::cross_product_3d(normal, corners[1]);
        }
      return corners;
    }



    /** The slave and a facet at the obstacle, at the end of the step. */
    template <int dim>
    FacetProjection<dim, double>
    projection_of(const ObstaclePlane<dim> &plane,
                  const std::vector<Point<dim>> &positions)
    {
      const Collision<dim> &collision = plane.collision;
      const auto corners              = corners_of_plane<dim>(collision.normal);
      typename FacetProjection<dim, double>::Field x;
      for (unsigned int A = 1; A < dim + 1; ++A)
        for (unsigned int d = 0; d < dim; ++d)
          x[A][d] = plane.end[d] + corners[A - 1][d];
      x[0].fill(0.);
      for (unsigned int i = 0; i + 1 < collision.nodes.size(); ++i)
        for (unsigned int d = 0; d < dim; ++d)
          x[0][d] += collision.weights[i] * positions[collision.nodes[i]][d];
      return FacetProjection<dim, double>(x);
    }
  } // namespace



  template <int dim>
  std::vector<std::pair<unsigned int, double>>
  nodes_of(const unsigned int vertex, const Surface<dim> &surface)
  {
    if (surface.vertices_are_nodes)
      return {{vertex, 1.}};
    std::vector<std::pair<unsigned int, double>> result;
    for (unsigned int k = surface.node_begin[vertex];
         k < surface.node_begin[vertex + 1];
         ++k)
      result.emplace_back(surface.vertex_nodes[k], surface.node_weights[k]);
    return result;
  }



  template <int dim>
  SlaveContact<dim>::SlaveContact(
    const SlaveMeeting &meeting,
    const Surface<dim> &surface,
    const std::vector<Point<dim>> &start_positions,
    const std::vector<Point<dim>> &end_positions)
    : meeting(meeting)
    , at_end(projection_of<dim>(
        vertices_of(meeting.slave, meeting.end_facet, surface),
        end_positions))
    , bodies{{surface.vertex_body[meeting.slave], meeting.master}}
    , length(surface.vertex_length[meeting.slave])
  {
    const auto vertices =
      vertices_of(meeting.slave, meeting.middle_facet, surface);
    const auto end_vertices =
      vertices_of(meeting.slave, meeting.end_facet, surface);
    for (unsigned int A = 0; A < dim + 1; ++A)
      {
        points[A]     = nodes_of(vertices[A], surface);
        end_points[A] = nodes_of(end_vertices[A], surface);
        law.start[A]  = start_positions[vertices[A]];
        end[A]        = end_positions[vertices[A]];
      }
    law.area = surface.vertex_area[meeting.slave];
  }



  template <int dim>
  SlaveContact<dim>::SlaveContact(const unsigned int slave,
                                  const ObstaclePlane<dim> &plane,
                                  const double area,
                                  const bool was_inside,
                                  const ContactState<dim> &state)
    : at_end(projection_of(plane, state.end_positions))
    , bodies(plane.collision.bodies)
    , length(plane.collision.length)
  {
    const Collision<dim> &collision = plane.collision;
    const unsigned int on_obstacle  = collision.nodes.back();
    for (unsigned int i = 0; i + 1 < collision.nodes.size(); ++i)
      points[0].emplace_back(collision.nodes[i], collision.weights[i]);
    for (unsigned int A = 1; A < dim + 1; ++A)
      points[A] = {{on_obstacle, 1.}};
    end_points         = points;
    const auto offsets = corners_of_plane<dim>(collision.normal);
    for (const auto &[node, weight] : points[0])
      {
        law.start[0] += weight * Tensor<1, dim>(state.start_positions[node]);
        end[0] += weight * Tensor<1, dim>(state.end_positions[node]);
      }
    for (unsigned int A = 1; A < dim + 1; ++A)
      {
        law.start[A] = plane.start + offsets[A - 1];
        end[A]       = plane.end + offsets[A - 1];
      }
    law.area = area;
    meeting  = {slave,
                bodies[1],
                Surface<dim>::none,
                Surface<dim>::none,
                was_inside,
                collision.normal * (law.start[1] - law.start[0]),
                at_end.gap};
  }



  template <int dim>
  double
  SlaveContact<dim>::inverse_mass(const InverseMass<dim> &inverse_mass) const
  {
    double result = 0.;
    for (unsigned int A = 0; A < dim + 1; ++A)
      for (const auto &[node, weight] : points[A])
        result += weight * weight * trace(inverse_mass.of_node(node)) /
                  (A == 0 ? dim : dim * dim);
    return result;
  }



  template <int dim>
  ContactElement<dim>
  SlaveContact<dim>::element(const bool with_stiffness) const
  {
    NodalForces<dim> of_nodes;
    of_nodes.add(points, traction.forces);
    ContactElement<dim> element;
    if (with_stiffness)
      {
        // The gap at the end may have nodes of its own.
        of_nodes.add(end_points, {});
        element.stiffness.reinit(dim * of_nodes.nodes.size(),
                                 dim * of_nodes.nodes.size());
        // Of the force on point A by the position of another point.
        const auto add = [&](const unsigned int A,
                             const WeightedNodes &other,
                             const Tensor<2, dim> &block) {
          for (const auto &[node, weight] : points[A])
            for (const auto &[other_node, other_weight] : other)
              {
                const unsigned int i = of_nodes.place_of(node);
                const unsigned int j = of_nodes.place_of(other_node);
                for (unsigned int d = 0; d < dim; ++d)
                  for (unsigned int e = 0; e < dim; ++e)
                    element.stiffness(dim * i + d, dim * j + e) +=
                      weight * other_weight * block[d][e];
              }
        };
        const auto &by_positions = traction.by_positions;
        const auto &by_gap       = traction.by_gap;
        for (unsigned int A = 0; A < dim + 1; ++A)
          for (unsigned int B = 0; B < dim + 1; ++B)
            {
              Tensor<2, dim> directly, by_way_of_gap;
              for (unsigned int d = 0; d < dim; ++d)
                for (unsigned int e = 0; e < dim; ++e)
                  {
                    directly[d][e] = by_positions(dim * A + d, dim * B + e);
                    by_way_of_gap[d][e] = -by_gap(dim * A + d, 0) *
                                          at_end.shares[B] * at_end.normal[e];
                  }
              add(A, points[B], directly);
              add(A, end_points[B], by_way_of_gap);
            }
      }
    element.nodes  = of_nodes.nodes;
    element.forces = of_nodes.forces;
    return element;
  }



  template <int dim>
  std::array<Tensor<1, dim>, dim + 1>
  SlaveContact<dim>::end_forces() const
  {
    // Covariant components mean the same on the same facet only.
    auto tangential = traction.tangential;
    if (meeting.end_facet != meeting.middle_facet)
      for (unsigned int a = 0; a < dim - 1; ++a)
        tangential[a] = traction.tangential_vector * tensor(at_end.tangents[a]);
    const auto directions = at_end.forces(traction.normal, tangential);
    std::array<Tensor<1, dim>, dim + 1> forces;
    for (unsigned int A = 0; A < dim + 1; ++A)
      forces[A] = law.area * tensor(directions[A]);
    return forces;
  }



  template <int dim>
  ContactUpdate<dim>
  SlaveContact<dim>::update() const
  {
    NodalForces<dim> of_nodes;
    of_nodes.add(end_points, end_forces());
    ContactUpdate<dim> result;
    result.nodes  = of_nodes.nodes;
    result.forces = of_nodes.forces;
    result.work   = law.dt * law.area * traction.dissipation;
    for (unsigned int A = 0; A < dim + 1; ++A)
      result.work += traction.forces[A] * (end[A] - law.start[A]);
    return result;
  }



  template <int dim>
  void
  SlaveContact<dim>::put_obstacle_below(const unsigned int node,
                                        ContactState<dim> &state) const
  {
    const Tensor<1, dim> normal = tensor(at_end.normal);
    const auto from_slave       = [&](const Tensor<1, dim> &slave,
                                const Tensor<1, dim> &on_plane) {
      return (normal * (on_plane - slave)) * normal;
    };
    const Tensor<1, dim> down_at_start = from_slave(law.start[0], law.start[1]),
                         down_at_end   = from_slave(end[0], end[1]);
    state.start_positions[node]   = Point<dim>(law.start[0] + down_at_start);
    state.end_positions[node]     = Point<dim>(end[0] + down_at_end);
    const Tensor<1, dim> at_start = state.position_impulses[node] / state.dt;
    state.record.angular_momentum_change +=
      moment(down_at_start, at_start) +
      moment(down_at_end, state.impulses[node] - at_start);
  }



  template <int dim>
  void
  SlaveContact<dim>::write_down(const double duration,
                                ContactState<dim> &state) const
  {
    state.record.friction_loss += state.dt * law.area * traction.dissipation;

    NodalForces<dim> forces;
    forces.add(points, traction.forces);
    for (unsigned int i = 0; i < forces.nodes.size(); ++i)
      {
        const unsigned int node        = forces.nodes[i];
        const Tensor<1, dim> of_forces = state.dt * forces.forces[i];
        state.impulses[node] += of_forces;
        // Forces act in the middle, the update at the end.
        state.position_impulses[node] += 0.5 * state.dt * of_forces;
        state.touched_nodes.push_back(node);
      }
    if (has_plane())
      put_obstacle_below(points[1][0].first, state);

    NodalForces<dim> shares;
    Collision<dim> collision;
    for (unsigned int A = 0; A < dim + 1; ++A)
      for (const auto &[node, weight] : end_points[A])
        {
          const unsigned int i = shares.place_of(node);
          collision.weights.resize(shares.nodes.size(), 0.);
          collision.weights[i] += weight * at_end.shares[A];
        }
    collision.nodes.assign(shares.nodes.begin(), shares.nodes.end());
    collision.bodies            = bodies;
    collision.normal            = tensor(at_end.normal);
    collision.gap               = -meeting.end_gap;
    collision.length            = length;
    collision.vertices[0]       = meeting.slave;
    collision.vertex_weights[0] = 1.;
    note_handled(PairKind::vertex_facet, collision, state);
    note_impulses(collision, duration, state);
    const double impulse = (state.dt + duration) * law.area * traction.normal;
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node = collision.nodes[i];
        state.normal_impulses[node] += std::abs(collision.weights[i]) * impulse;
        state.status[node] = status();
      }
  }



  template <int dim>
  void
  SlaveContact<dim>::note_impulses(const Collision<dim> &collision,
                                   const double duration,
                                   ContactState<dim> &state) const
  {
    // The slave and each vertex of its facet.
    const auto note = [&](const auto &forces,
                          const auto &place,
                          const double time,
                          const double factor) {
      for (unsigned int A = 1; A < dim + 1; ++A)
        if (const Tensor<1, dim> impulse = -factor * forces[A];
            impulse != Tensor<1, dim>())
          note_impulse(collision,
                       impulse,
                       {{place(0), place(A)}},
                       time,
                       status(),
                       state);
    };
    note(
      traction.forces,
      [&](const unsigned int A) {
        return Point<dim>(0.5 * (law.start[A] + end[A]));
      },
      0.5,
      state.dt);
    if (duration != 0.)
      note(
        end_forces(),
        [&](const unsigned int A) {
          Tensor<1, dim> sum;
          for (const auto &[node, weight] : end_points[A])
            sum += weight * Tensor<1, dim>(state.end_positions[node]);
          return Point<dim>(sum);
        },
        1.,
        duration);
  }



  template std::vector<std::pair<unsigned int, double>>
  nodes_of(const unsigned int, const Surface<2> &);
  template std::vector<std::pair<unsigned int, double>>
  nodes_of(const unsigned int, const Surface<3> &);
  template struct SlaveContact<2>;
  template struct SlaveContact<3>;
} // namespace Ricochet
