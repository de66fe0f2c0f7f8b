// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_instruction_set_h
#define ricochet_base_instruction_set_h

#include <deal.II/base/mpi.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The instruction sets that the vectorized kernels are compiled for, from
   * the narrowest to the widest. @p baseline is what the rest of the library
   * is compiled for and the only one on processors other than x86.
   * Checkpoints hold the values.
   */
  enum class InstructionSet
  {
    /** Two lanes of double on x86. */
    baseline = 0,
    /** Four lanes and fused multiply-add. */
    avx2 = 1,
    /** Eight lanes and fused multiply-add. */
    avx512 = 2
  };



  /** The name of @p set as the environment variable RICOCHET_SIMD spells it. */
  std::string
  name_of(const InstructionSet set);



  /** The instruction sets that this processor has, the narrowest first. */
  std::vector<InstructionSet>
  available_instruction_sets();



  /**
   * The instruction set for objects made from now on: the one that the
   * environment variable RICOCHET_SIMD names (baseline, avx2 or avx512), or
   * the widest that the processor has; but not a wider one than the ranks
   * agreed on, see agree_on_instruction_set().
   *
   * Throws a UserError when the variable names a set that does not exist or
   * that the processor lacks.
   */
  InstructionSet
  preferred_instruction_set();



  /**
   * Let all ranks of @p communicator use the narrowest of the sets that each
   * of them would use by itself. Results of different sets agree to round-off
   * only, and what ranks compute alike, like contact, must be the same to the
   * last bit. A Simulation calls this first of all, and Contact::reinit() for
   * what it makes; call it before anything else that computes is made on
   * processors that are not the same. Later calls, of these or other ranks, can
   * only make it narrower. Collective.
   *
   * Throws a UserError on all ranks where preferred_instruction_set() does on
   * any.
   */
  void
  agree_on_instruction_set(const MPI_Comm communicator);
} // namespace Ricochet

// For source files of this library, which alone know the kernels.
#ifdef RICOCHET_X86_KERNELS

/** Expand @p macro for the namespace of each instruction set. */
#  define RICOCHET_FOR_EACH_INSTRUCTION_SET(macro) \
    macro(baseline) macro(avx2) macro(avx512)

/**
 * Call the version of a function that belongs to the InstructionSet @p set; the
 * arguments that follow are the call without its namespace.
 */
#  define RICOCHET_CALL_KERNEL(set, ...)                               \
    ((set) == ::Ricochet::InstructionSet::avx512 ? avx512::__VA_ARGS__ \
     : (set) == ::Ricochet::InstructionSet::avx2 ? avx2::__VA_ARGS__   \
                                                 : baseline::__VA_ARGS__)
#else
#  define RICOCHET_FOR_EACH_INSTRUCTION_SET(macro) macro(baseline)
#  define RICOCHET_CALL_KERNEL(set, ...) ((void)(set), baseline::__VA_ARGS__)
#endif

#endif
