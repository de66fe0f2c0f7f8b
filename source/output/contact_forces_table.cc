// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

#include <algorithm>
#include <array>
#include <boost/unordered_map.hpp>
#include <cmath>
#include <map>
#include <utility>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** What a body got from a partner since the last row. */
    struct Received
    {
      /** In the share that counts, see Balance::contact_share. */
      Tensor<1, 3> impulse;

      /** The same about the origin, and the sum of impulses times the time
       * since the last row. */
      Tensor<1, 3> angular_impulse, impulse_times_time;

      double normal = 0., tangential = 0.;

      /** The vertices that were touched, each with its largest weight. */
      boost::unordered_map<unsigned int, double> weights;

      /** The same in the order of the vertices. */
      std::map<unsigned int, double>
      sorted_weights() const
      {
        return {weights.begin(), weights.end()};
      }
    };

    /** By the numbers of body and partner. */
    using Sums = std::map<std::array<unsigned int, 2>, Received>;



    template <int dim>
    void
    add(const PointImpulse<dim> &point,
        const unsigned int side,
        const double share,
        const double time,
        Received &sums)
    {
      const double sign = side == 0 ? share : -share;
      const auto j      = in_space(Tensor<1, dim>(sign * point.impulse));
      sums.impulse += j;
      sums.angular_impulse +=
        moment(in_space(Tensor<1, dim>(point.places[side])), j);
      sums.impulse_times_time += time * j;
      sums.normal += share * point.normal;
      for (unsigned int i = 0; i < dim + 1; ++i)
        {
          const double weight =
            side == 0 ? point.vertex_weights[i] : -point.vertex_weights[i];
          if (weight > 0.)
            {
              double &largest = sums.weights[point.vertices[i]];
              largest         = std::max(largest, weight);
            }
        }
    }
  } // namespace



  /**
   * contact_forces.csv: what bodies and obstacles take from each other.
   *
   * Forces are means over the time since the last row, as in obstacles.csv.
   * The moment on a body is about its centre of mass at each moment: between
   * rows, that is on a straight line; that on an obstacle is about the origin.
   */
  template <int dim>
  class ContactForcesTable : public TableObserver<dim, ContactForceRow>
  {
  public:
    ContactForcesTable()
      : TableObserver<dim, ContactForceRow>("contact_forces.csv",
                                            contact_force_columns())
    {}

    void
    start(const RunView<dim> &run) override
    {
      if (last_centres.empty()) // also of a checkpoint without this table
        last_time = run.state.time;
      TableObserver<dim, ContactForceRow>::start(run);
    }

    void
    record(const RunView<dim> &run) override
    {
      const auto &points = run.contact.get_state().point_impulses;
      const double dt    = run.step().dt;
      const double share = run.balance.contact_share;
      const auto sums_of = [this](const auto &point,
                                  const unsigned int side) -> Received & {
        return sums[{{point.bodies[side], point.bodies[1 - side]}}];
      };
      const auto of_features = sums_of_features(points);
      for (const unsigned int side : {0, 1})
        {
          for (const PointImpulse<dim> &point : points)
            add(point,
                side,
                share,
                run.state.time - (1. - point.time) * dt - last_time,
                sums_of(point, side));
          for (const PointImpulse<dim> &point : of_features)
            sums_of(point, side).tangential += share * point.tangential();
        }
      TableObserver<dim, ContactForceRow>::record(run);
    }

    void
    serialize(CheckpointArchive &archive) override;

  protected:
    std::vector<ContactForceRow>
    rows(const RunView<dim> &run) override;

  private:
    /** The mean of what a body got, about its centre. */
    ContactForceRow
    mean(const RunView<dim> &run,
         const unsigned int body,
         const Received &received) const;

    /** The smaller one of both touching areas, of those that have vertices. */
    double
    area(const RunView<dim> &run,
         const std::array<unsigned int, 2> &pair) const;

    Sums sums;

    /** Of the last row, and the centres of all bodies then, if there was one.
     */
    double last_time = 0.;
    std::vector<Tensor<1, 3>> last_centres;
  };



  template <int dim>
  ContactForceRow
  ContactForcesTable<dim>::mean(const RunView<dim> &run,
                                const unsigned int body,
                                const Received &received) const
  {
    const double duration     = run.state.time - last_time;
    Tensor<1, 3> about_centre = received.angular_impulse;
    if (body < run.solids.n_bodies())
      {
        const Tensor<1, 3> to = run.totals().bodies[body].centre();
        const Tensor<1, 3> from =
          last_centres.empty() ? to : last_centres[body];
        about_centre -=
          moment(from, received.impulse) +
          moment((to - from) / duration, received.impulse_times_time);
      }
    ContactForceRow row;
    row.force      = received.impulse / duration;
    row.moment     = about_centre / duration;
    row.normal     = received.normal / duration;
    row.tangential = received.tangential / duration;
    return row;
  }



  template <int dim>
  double
  ContactForcesTable<dim>::area(const RunView<dim> &run,
                                const std::array<unsigned int, 2> &pair) const
  {
    const auto of_side = [&](const std::array<unsigned int, 2> &key) {
      double sum = 0.;
      for (const auto &[vertex, weight] : sums.at(key).sorted_weights())
        sum += weight * run.contact.get_surface().vertex_area[vertex];
      return sum;
    };
    const double mine = of_side(pair), others = of_side({{pair[1], pair[0]}});
    return mine > 0. && others > 0. ? std::min(mine, others)
                                    : std::max(mine, others);
  }



  template <int dim>
  std::vector<ContactForceRow>
  ContactForcesTable<dim>::rows(const RunView<dim> &run)
  {
    std::vector<ContactForceRow> result;
    for (const auto &[pair, received] : sums)
      {
        result.push_back(mean(run, pair[0], received));
        result.back().body    = run.settings.names[pair[0]];
        result.back().partner = run.settings.names[pair[1]];
        result.back().area    = area(run, pair);
      }
    sums.clear();
    last_time = run.state.time;
    last_centres.clear();
    for (const BodySums &body : run.totals().bodies)
      last_centres.push_back(body.centre());
    return result;
  }



  template <int dim>
  void
  ContactForcesTable<dim>::serialize(CheckpointArchive &archive)
  {
    archive("time of the last row", last_time);
    archive("centres at the last row", last_centres);
    // All pairs one after the other, and behind them their vertices.
    std::vector<std::array<unsigned int, 2>> pairs;
    std::vector<Tensor<1, 3>> vectors;
    std::vector<double> numbers, weights;
    std::vector<unsigned int> vertices;
    for (const auto &[pair, received] : sums)
      {
        pairs.push_back(pair);
        vectors.insert(vectors.end(),
                       {received.impulse,
                        received.angular_impulse,
                        received.impulse_times_time});
        numbers.insert(numbers.end(),
                       {received.normal,
                        received.tangential,
                        static_cast<double>(received.weights.size())});
        for (const auto &[vertex, weight] : received.sorted_weights())
          {
            vertices.push_back(vertex);
            weights.push_back(weight);
          }
      }
    archive("pairs", pairs);
    archive("impulses", vectors);
    archive("sums", numbers);
    archive("vertices", vertices);
    archive("weights of vertices", weights);
    if (!archive.is_loading())
      return;
    sums.clear();
    std::size_t n = 0;
    for (unsigned int k = 0; k < pairs.size(); ++k)
      {
        Received &received          = sums[pairs[k]];
        received.impulse            = vectors[3 * k];
        received.angular_impulse    = vectors[3 * k + 1];
        received.impulse_times_time = vectors[3 * k + 2];
        received.normal             = numbers[3 * k];
        received.tangential         = numbers[3 * k + 1];
        for (double i = 0.; i < numbers[3 * k + 2]; ++i, ++n)
          received.weights[vertices[n]] = weights[n];
      }
  }



  RICOCHET_REGISTER_OBSERVER(
    ContactForcesTable,
    "contact forces",
    "contact_forces.csv: force and moment between the bodies of each pair.")
} // namespace Ricochet
