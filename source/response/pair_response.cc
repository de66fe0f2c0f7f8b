// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/pair_response.h>

#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** a x b as the change of angular momentum it stands for (2D: about z). */
    Tensor<1, 3>
    moment(const Tensor<1, 3> &a, const Tensor<1, 3> &b)
    {
      return dealii::cross_product_3d(a, b);
    }

    Tensor<1, 3>
    moment(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
    {
      return Tensor<1, 3>({0., 0., a[0] * b[1] - a[1] * b[0]});
    }



    /**
     * The change of angular momentum when the nodes move by M^-1 w @p shift;
     * those with prescribed motion stay.
     */
    template <int dim>
    Tensor<1, 3>
    moment_of_shift(const Collision<dim> &collision,
                    const Tensor<1, dim> &shift,
                    const ContactState<dim> &state)
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        {
          const unsigned int node           = collision.nodes[i];
          const Tensor<1, dim> inverse_mass = state.inverse_mass.of_node(node);
          Tensor<1, dim> share;
          for (unsigned int d = 0; d < dim; ++d)
            if (inverse_mass[d] > 0.)
              share[d] = collision.weights[i] * shift[d];
          sum += moment(share, state.velocities[node]);
        }
      return sum;
    }
  } // namespace



  template <int dim>
  void
  shift_pair(const Collision<dim> &collision,
             const Tensor<1, dim> &shift,
             ContactState<dim> &state)
  {
    state.record.angular_momentum_change +=
      moment_of_shift(collision, shift, state);
    state.inverse_mass.apply(collision, shift, state.end);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      state.position_impulses[collision.nodes[i]] +=
        collision.weights[i] * shift;
  }



  template <int dim>
  PairImpulse<dim>
  push_pair(const Collision<dim> &collision,
            const PassSettings &settings,
            const double energy_surplus,
            ContactState<dim> &state)
  {
    const PairImpulse<dim> pair =
      pair_impulse(state.inverse_mass.effective(collision),
                   collision.normal,
                   collision.weighted_sum(state.velocities),
                   settings.restitution,
                   settings.friction,
                   energy_surplus);
    if (pair.status == ContactStatus::open)
      return pair;

    state.record.angular_momentum_change +=
      moment(collision.weighted_sum(state.end), pair.impulse);
    state.record.restitution_loss += pair.restitution_loss;
    state.record.friction_loss += pair.friction_loss;
    state.inverse_mass.apply(collision, pair.impulse, state.velocities);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node = collision.nodes[i];
        state.impulses[node] += collision.weights[i] * pair.impulse;
        state.normal_impulses[node] +=
          std::abs(collision.weights[i]) * (pair.impulse * collision.normal);
        state.status[node] = pair.status;
      }
    return pair;
  }



  template <int dim>
  void
  note_handled(const PairKind kind,
               const Collision<dim> &collision,
               ContactState<dim> &state)
  {
    (kind == PairKind::vertex_facet ? state.record.n_node_face
                                    : state.record.n_edge_edge) += 1;
    state.touched_nodes.insert(state.touched_nodes.end(),
                               collision.nodes.begin(),
                               collision.nodes.end());
    state.handled.push_back(collision);
  }



#define RICOCHET_INSTANTIATE(dim)                             \
  template void shift_pair(const Collision<dim> &,            \
                           const Tensor<1, dim> &,            \
                           ContactState<dim> &);              \
  template PairImpulse<dim> push_pair(const Collision<dim> &, \
                                      const PassSettings &,   \
                                      const double,           \
                                      ContactState<dim> &);   \
  template void note_handled(const PairKind,                  \
                             const Collision<dim> &,          \
                             ContactState<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
