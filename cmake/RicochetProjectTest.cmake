# SPDX-License-Identifier: LGPL-2.1-or-later
include_guard(GLOBAL)

set(launcher)
if(RICOCHET_CCACHE)
  set(launcher ${RICOCHET_CCACHE})
endif()
# How a project of its own that finds Ricochet is configured in tests.
set(RICOCHET_PROJECT_OPTIONS
  -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}
  -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
  -DCMAKE_COMPILE_WARNING_AS_ERROR=${RICOCHET_WARNINGS_AS_ERRORS})

# ricochet_add_project_test(test source_dir config_dir program [arguments...]):
# configure and build the project in that folder with the Ricochet whose package
# file is in config_dir, and run one of its programs.
function(ricochet_add_project_test test source_dir config_dir program)
  set(binary_dir ${CMAKE_CURRENT_BINARY_DIR}/${test})
  add_test(NAME ${test}
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${source_dir} ${binary_dir}
      --build-generator ${CMAKE_GENERATOR} --build-noclean
      --build-options -DRicochet_DIR=${config_dir} ${RICOCHET_PROJECT_OPTIONS}
      --test-command ${binary_dir}/${program} ${ARGN})
  set_tests_properties(${test} PROPERTIES
    ENVIRONMENT "${RICOCHET_TEST_ENVIRONMENT}")
endfunction()
