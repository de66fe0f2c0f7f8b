# SPDX-License-Identifier: LGPL-2.1-or-later
include_guard(GLOBAL)

# ricochet_setup_target(target): compile and link against deal.II. In optimised
# builds without the debug information that deal.II's own flags may ask for: it
# takes a quarter of the time; CMAKE_CXX_FLAGS=-g brings it back.
function(ricochet_setup_target target)
  deal_ii_setup_target(${target})
  if(NOT CMAKE_CXX_FLAGS MATCHES "-g")
    target_compile_options(${target} PRIVATE
      $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-g0>)
  endif()
endfunction()
