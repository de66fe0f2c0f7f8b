// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_elastic_kernel_types_h
#define ricochet_source_element_elastic_kernel_types_h

namespace Ricochet
{
  /**
   * The forces of one batch of elastic cells in one pass: strains, law and
   * forces of each point follow each other, with what they share in registers
   * and the first-level cache. For one element, law and instruction set.
   *
   * @param[in] lambda, mu Lame's constants.
   * @param[in] reference The description of the cells, see CellKernels.
   * @param[in] is_affine Whether all cells are parallelepipeds, which is
   * faster; the result is the same to the last bit.
   * @param[in] x Current positions.
   * @param[out] forces Of the nodes, in the order of the positions.
   * @param[out] energies Integrals of the strain energy; may be null.
   * @param[out] dilations The smallest det F at the points of each cell.
   * @param[out] not_finite 1 for cells with infinite or undefined forces, 0 for
   *   others.
   */
  using ElasticKernel = void (*)(const double lambda,
                                 const double mu,
                                 const double *reference,
                                 const bool is_affine,
                                 const double *x,
                                 double *forces,
                                 double *energies,
                                 double *dilations,
                                 double *not_finite);
} // namespace Ricochet

#endif
