// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_element_element_formulation_h
#define ricochet_element_element_formulation_h

namespace Ricochet
{
  /**
   * How the strain energy of a cell depends on the deformation gradients F_q at
   * its quadrature points. V_q are reference volumes, V is their sum.
   *
   * In all cases the forces are the derivatives of the energy with respect to
   * the nodes (at a fixed history), and the energy does not change when the
   * cell moves rigidly. So elastic bodies conserve energy, and all bodies both
   * momenta.
   */
  struct ElementFormulation
  {
    /** At which points a cell takes what from the law. */
    enum class Kind
    {
      /** sum V_q W(F_q). Locks when the material hardly changes its volume. */
      full,

      /**
       * sum V_q W((J/J_q)^(1/dim) F_q) with J_q = det F_q and the mean dilation
       * J = sum V_q J_q / V: the change of volume is constant in each cell
       * (Nagtegaal, Parks and Rice, 1974; at large strains Moran, Ortiz and
       * Shih, 1990). De Souza Neto et al. (1996) take J at the centre of the
       * cell, and forces that are no derivatives of an energy. In 2D, only the
       * components in the plane are scaled.
       */
      f_bar,

      /**
       * V W(F) with the mean F = sum V_q F_q / V (Flanagan and Belytschko,
       * 1981), and against hourglass modes the energy sum V_q s/2 |F_q - F|^2,
       * which is quadratic in the nodes, zero for all affine deformations, and
       * invariant under rotations. It acts on all that is not affine, with one
       * stiffness; another way are assumed strains (Belytschko and Bindeman,
       * 1993). The law is evaluated once per cell.
       */
      reduced
    };

    Kind kind = Kind::full;

    /** The factor s above, relative to the shear modulus. */
    double hourglass_stiffness = 0.02;
  };
} // namespace Ricochet

#endif
