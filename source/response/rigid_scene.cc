// SPDX-License-Identifier: LGPL-2.1-or-later

#include "rigid_scene.h"

#include <ricochet/base/embedding.h>

#include <algorithm>
#include <cmath>

#include "facet_projection.h"
#include "slave_contact.h"

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    using Shape = RigidPenaltyPair::Shape;



    /** The coordinates of a body. */
    Tensor<1, 3>
    in_body(const Point<3> &point, const RigidMotion &motion)
    {
      return transpose(motion.rotation()) * (point - motion.centre);
    }



    /** Vectors along a plane with a normal, whose product is the normal; in 2D
     * the last one is along the z axis. */
    std::array<Tensor<1, 3>, 2>
    along_plane(const Tensor<1, 3> &normal)
    {
      unsigned int across = 2;
      for (unsigned int d = 0; d < 2; ++d)
        if (std::abs(normal[d]) < std::abs(normal[across]))
          across = d;
      Tensor<1, 3> axis;
      axis[across]       = 1.;
      Tensor<1, 3> first = cross_product_3d(axis, normal);
      first /= first.norm();
      return {{first, cross_product_3d(normal, first)}};
    }



    template <int dim>
    Point<3>
    place(const Point<dim> &point)
    {
      return Point<3>(in_space(Tensor<1, dim>(point)));
    }
  } // namespace



  template <int dim>
  RigidScene<dim>::RigidScene(const Surface<dim> &surface,
                              const std::vector<Encounter> &pairs,
                              ContactRigidBodies<dim> &bodies,
                              ContactState<dim> &state,
                              std::vector<RigidStep> &steps)
    : surface(surface)
    , pairs(pairs)
    , bodies(bodies)
    , state(state)
    , steps(steps)
    , n_bodies(steps.size())
  {
    std::vector<Point<dim>> buffer;
    start = surface.vertex_positions(state.start_positions, buffer);
    end   = surface.vertex_positions(state.end_positions, buffer);
  }



  template <int dim>
  void
  RigidScene<dim>::go_to_ends()
  {
    steps.erase(steps.begin() + n_bodies, steps.end());
    bodies.place(steps, state);
    std::vector<Point<dim>> buffer;
    end = surface.vertex_positions(state.end_positions, buffer);
  }



  template <int dim>
  unsigned int
  RigidScene<dim>::step_of(const unsigned int body,
                           const Point<dim> &start_point,
                           const Point<dim> &end_point)
  {
    const auto &numbers = bodies.body_numbers();
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), body);
    if (found != numbers.end() && *found == body)
      return found - numbers.begin();
    RigidMotion held(RigidMass(), place(start_point));
    held.velocity       = (place(end_point) - place(start_point)) / state.dt;
    held.holds_velocity = {{true, true, true}};
    held.holds_rotation = true;
    steps.emplace_back(held, state.dt);
    steps.back().solve({}, {});
    return steps.size() - 1;
  }



  template <int dim>
  RigidMeeting<dim>
  RigidScene<dim>::meeting_with_facet(const SlaveMeeting &found)
  {
    const auto &vertices = surface.facets[found.end_facet];
    using Projection     = FacetProjection<dim, double>;
    typename Projection::Field x;
    for (unsigned int d = 0; d < dim; ++d)
      {
        x[0][d] = end[found.slave][d];
        for (unsigned int a = 0; a < dim; ++a)
          x[a + 1][d] = end[vertices[a]][d];
      }
    const Projection projection(x);

    RigidMeeting<dim> meeting;
    meeting.pair              = {{found.slave, found.master}};
    Collision<dim> &collision = meeting.collision;
    collision.bodies = {{surface.vertex_body[found.slave], found.master}};
    collision.length = surface.vertex_length[found.slave];
    collision.gap    = -projection.gap;
    Point<dim> foot_start, foot_end;
    for (unsigned int d = 0; d < dim; ++d)
      collision.normal[d] = projection.normal[d];
    for (unsigned int a = 0; a <= dim; ++a)
      {
        const unsigned int vertex   = a == 0 ? found.slave : vertices[a - 1];
        collision.vertices[a]       = vertex;
        collision.vertex_weights[a] = projection.shares[a];
        for (const auto &[node, weight] : nodes_of(vertex, surface))
          {
            collision.nodes.push_back(node);
            collision.weights.push_back(weight * projection.shares[a]);
          }
        if (a > 0)
          {
            foot_start -= projection.shares[a] * Tensor<1, dim>(start[vertex]);
            foot_end -= projection.shares[a] * Tensor<1, dim>(end[vertex]);
          }
      }
    meeting.slave =
      step_of(collision.bodies[0], start[found.slave], end[found.slave]);
    meeting.master       = step_of(found.master, foot_start, foot_end);
    meeting.slave_point  = place(end[found.slave]);
    meeting.master_point = place(foot_end);

    RigidPenaltyPair &spring  = meeting.spring;
    const RigidMotion &slave  = steps[meeting.slave].start(),
                      &master = steps[meeting.master].start();
    spring.shape              = Shape::facet;
    spring.slave_point        = in_body(place(start[found.slave]), slave);
    for (unsigned int a = 0; a < dim; ++a)
      spring.master_points[a] = in_body(place(start[vertices[a]]), master);
    if (dim == 2)
      spring.master_points[2] =
        spring.master_points[0] + Tensor<1, 3>({0., 0., 1.});
    spring.gap = -found.start_gap;
    return meeting;
  }



  template <int dim>
  void
  RigidScene<dim>::add_meetings_with_planes(
    std::vector<RigidMeeting<dim>> &meetings)
  {
    for (const Encounter &encounter : pairs)
      {
        if (encounter.kind != PairKind::given)
          continue;
        RigidMeeting<dim> meeting;
        meeting.collision =
          state.given_collisions[encounter.collision].collision;
        const Collision<dim> &collision = meeting.collision;
        const unsigned int on_obstacle  = collision.nodes.back();
        meeting.pair = {{encounter.first, collision.bodies[1]}};
        const Point<dim> foot_start(state.start_positions[on_obstacle]),
          foot_end(state.end_positions[on_obstacle]);
        const Point<dim> from =
          foot_start + collision.weighted_sum(state.start_positions);
        const Point<dim> to =
          foot_end + collision.weighted_sum(state.end_positions);
        meeting.collision.gap = collision.normal * (to - foot_end);
        meeting.slave         = step_of(collision.bodies[0], from, to);
        meeting.master = step_of(collision.bodies[1], foot_start, foot_end);
        meeting.slave_point  = place(to);
        meeting.master_point = place(foot_end);

        RigidPenaltyPair &spring = meeting.spring;
        spring.slave_point = in_body(place(from), steps[meeting.slave].start());
        const auto along   = along_plane(in_space(collision.normal));
        spring.master_points[1] = along[0];
        spring.master_points[2] = along[1];
        spring.gap              = collision.normal * (from - foot_start);
        meetings.push_back(meeting);
      }
  }



  template <int dim>
  RigidMeeting<dim>
  RigidScene<dim>::meeting_of_spheres(const unsigned int slave,
                                      const double r,
                                      const unsigned int master,
                                      const double R)
  {
    RigidMeeting<dim> meeting;
    meeting.pair             = {{surface.n_vertices() + slave, master}};
    meeting.is_of_spheres    = true;
    meeting.slave            = step_of(slave, {}, {});
    meeting.master           = step_of(master, {}, {});
    RigidPenaltyPair &spring = meeting.spring;
    spring.shape             = R > 0. ? Shape::sphere : Shape::hollow_sphere;
    spring.distance          = std::abs(R + r);
    const RigidMotion &slave_end  = steps[meeting.slave].end(),
                      &master_end = steps[meeting.master].end();
    spring.gap          = spring.true_gap(steps[meeting.slave].start(),
                                 steps[meeting.master].start());
    Tensor<1, 3> normal = slave_end.centre - master_end.centre;
    normal *= (R > 0. ? 1. : -1.) / normal.norm();
    meeting.slave_point  = slave_end.centre - r * normal;
    meeting.master_point = master_end.centre + R * normal;

    Collision<dim> &collision = meeting.collision;
    collision.bodies          = {{slave, master}};
    collision.normal          = out_of_space<dim>(normal);
    collision.gap             = spring.true_gap(slave_end, master_end);
    for (const unsigned int k : {meeting.slave, meeting.master})
      for (const unsigned int node : bodies.nodes()[k]->get_nodes())
        {
          collision.nodes.push_back(node);
          collision.weights.push_back((k == meeting.slave ? 1. : -1.) /
                                      (dim + 1.));
        }
    return meeting;
  }



  template class RigidScene<2>;
  template class RigidScene<3>;
} // namespace Ricochet
