# SPDX-License-Identifier: LGPL-2.1-or-later
include_guard(GLOBAL)

# ricochet_add_simd_sources(files...): compile each file (name.simd.cc) of the
# current source directory into the library once per instruction set, with
# RICOCHET_SIMD_NAMESPACE defined as the name of the set. Which version runs is
# decided at run time, see ricochet/base/instruction_set.h.
function(ricochet_add_simd_sources)
  set(sets baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$"
      AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    list(APPEND sets avx2 avx512)
    target_compile_definitions(ricochet PRIVATE RICOCHET_X86_KERNELS)
  endif()
  set(options_avx2 -mavx2 -mfma)
  set(options_avx512 -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma)

  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    foreach(set ${sets})
      set(stub ${CMAKE_CURRENT_BINARY_DIR}/${name}_${set}.cc)
      file(CONFIGURE OUTPUT ${stub} CONTENT
        "#define RICOCHET_SIMD_NAMESPACE ${set}\n#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n")
      target_sources(ricochet PRIVATE ${stub})
      set_source_files_properties(${stub} TARGET_DIRECTORY ricochet PROPERTIES
        SKIP_PRECOMPILE_HEADERS ON
        COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3>;${options_${set}}")
    endforeach()
  endforeach()
endfunction()
