// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_source_vectors_h
#define ricochet_source_projection_source_vectors_h

#include <ricochet/projection/step_matrix.h>
#include <ricochet/surface/surface_exchange.h>

#include <vector>

namespace Ricochet
{
  /** One for each source of a contact surface. */
  template <int dim>
  std::vector<StepMatrix::VectorType>
  zero_vectors(const SurfaceExchange<dim> &exchange)
  {
    std::vector<StepMatrix::VectorType> result;
    for (unsigned int s = 0; s < exchange.n_sources(); ++s)
      result.push_back(exchange.zero_vector(s));
    return result;
  }



  /** To vectors that are to be changed. */
  inline StepMatrix::Vectors
  pointers_to(std::vector<StepMatrix::VectorType> &vectors)
  {
    StepMatrix::Vectors result;
    for (auto &vector : vectors)
      result.push_back(&vector);
    return result;
  }
} // namespace Ricochet

#endif
