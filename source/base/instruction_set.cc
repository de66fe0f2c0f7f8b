// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>

#include <algorithm>
#include <cstdlib>

namespace Ricochet
{
  namespace
  {
    /** Names joined by ", ". */
    std::string
    list_of_names(const std::vector<InstructionSet> &sets)
    {
      std::string result;
      for (const InstructionSet set : sets)
        result += (result.empty() ? "" : ", ") + name_of(set);
      return result;
    }


    /** What this process would use by itself. */
    InstructionSet
    own_instruction_set()
    {
      const std::vector<InstructionSet> available =
        available_instruction_sets();

      const char *const wanted = std::getenv("RICOCHET_SIMD");
      if (wanted == nullptr || *wanted == '\0')
        return available.back();

      for (const InstructionSet set : available)
        if (name_of(set) == wanted)
          return set;
      throw UserError(
        "The environment variable RICOCHET_SIMD asks for the instruction set '" +
        std::string(wanted) +
        "', which this processor or this build does not "
        "have. Unset it, or choose one of: " +
        list_of_names(available) + ".");
    }



    /**
     * The widest that objects may still use. It belongs to the process like the
     * processor does: a law or a search that is made by its name alone has no
     * communicator to ask.
     */
    InstructionSet agreed_set = InstructionSet::avx512;
  } // namespace



  std::string
  name_of(const InstructionSet set)
  {
    switch (set)
      {
        case InstructionSet::avx2:
          return "avx2";
        case InstructionSet::avx512:
          return "avx512";
        default:
          return "baseline";
      }
  }



  std::vector<InstructionSet>
  available_instruction_sets()
  {
    std::vector<InstructionSet> result = {InstructionSet::baseline};
#ifdef RICOCHET_X86_KERNELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      result.push_back(InstructionSet::avx2);
    if (result.back() == InstructionSet::avx2 &&
        __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      result.push_back(InstructionSet::avx512);
#endif
    return result;
  }



  InstructionSet
  preferred_instruction_set()
  {
    return std::min(own_instruction_set(), agreed_set);
  }



  void
  agree_on_instruction_set(const MPI_Comm communicator)
  {
    InstructionSet set = InstructionSet::baseline;
    on_all_ranks(communicator, [&]() { set = preferred_instruction_set(); });
    agreed_set = static_cast<InstructionSet>(
      dealii::Utilities::MPI::min(static_cast<int>(set), communicator));
  }
} // namespace Ricochet
