// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/contact_state.h>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered_map.hpp>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  std::vector<PointImpulse<dim>>
  sums_of_features(const std::vector<PointImpulse<dim>> &points)
  {
    std::vector<PointImpulse<dim>> result;
    boost::unordered_map<std::array<unsigned int, dim + 3>, unsigned int>
      places;
    places.reserve(points.size());
    for (const PointImpulse<dim> &point : points)
      {
        std::array<unsigned int, dim + 3> key;
        std::copy_n(point.bodies.begin(), 2, key.begin());
        std::copy_n(point.vertices.begin(), dim + 1, key.begin() + 2);
        const auto entry = places.emplace(key, result.size());
        if (entry.second)
          {
            result.push_back(point);
            continue;
          }
        PointImpulse<dim> &sum = result[entry.first->second];
        PointImpulse<dim> last = point;
        last.impulse += sum.impulse;
        last.normal += sum.normal;
        sum = last;
      }
    return result;
  }



  template <int dim>
  void
  ContactLog<dim>::append(const ContactLog<dim> &other)
  {
    touched_nodes.insert(touched_nodes.end(),
                         other.touched_nodes.begin(),
                         other.touched_nodes.end());
    handled.insert(handled.end(), other.handled.begin(), other.handled.end());
    point_impulses.insert(point_impulses.end(),
                          other.point_impulses.begin(),
                          other.point_impulses.end());
    held_pairs.insert(held_pairs.end(),
                      other.held_pairs.begin(),
                      other.held_pairs.end());
    for (const auto &[obstacle, couple] : other.couples)
      couples[obstacle] += couple;
    record.n_node_face += other.record.n_node_face;
    record.n_edge_edge += other.record.n_edge_edge;
    record.restitution_loss += other.record.restitution_loss;
    record.friction_loss += other.record.friction_loss;
    record.angular_momentum_change += other.record.angular_momentum_change;
  }



  template <int dim>
  void
  ContactState<dim>::resize(const unsigned int n_nodes)
  {
    start_positions.resize(n_nodes);
    end_positions.resize(n_nodes);
    velocities.resize(n_nodes);
    predicted_positions.resize(n_nodes);
    predicted_velocities.resize(n_nodes);
    impulses.resize(n_nodes);
    position_impulses.resize(n_nodes);
    normal_impulses.resize(n_nodes);
    status.resize(n_nodes, ContactStatus::open);
    accelerations.resize(n_nodes);
    debts.resize(n_nodes);
  }



  template <int dim>
  void
  ContactState<dim>::move_obstacle_node(const unsigned int node,
                                        const Point<dim> &from,
                                        const Point<dim> &to)
  {
    start_positions[node]      = from;
    end_positions[node]        = to;
    velocities[node]           = dt > 0. ? (to - from) / dt : Tensor<1, dim>();
    predicted_positions[node]  = to;
    predicted_velocities[node] = velocities[node];
  }



  template <int dim>
  void
  ContactState<dim>::clear_response()
  {
    // Only what was touched needs clearing.
    for (const unsigned int node : this->touched_nodes)
      {
        impulses[node]          = 0.;
        position_impulses[node] = 0.;
        normal_impulses[node]   = 0.;
        status[node]            = ContactStatus::open;
      }
    this->handled.clear();
    this->point_impulses.clear();
    this->held_pairs.clear();
    this->couples.clear();
    this->record = ContactRecord();
  }



  template std::vector<PointImpulse<2>>
  sums_of_features(const std::vector<PointImpulse<2>> &);
  template std::vector<PointImpulse<3>>
  sums_of_features(const std::vector<PointImpulse<3>> &);
  template struct ContactLog<2>;
  template struct ContactLog<3>;
  template struct ContactState<2>;
  template struct ContactState<3>;
} // namespace Ricochet
