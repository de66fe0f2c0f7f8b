# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Write ricochet/base/version.h into the build directory whenever the library
# is built: the git revision may have changed since the project was configured.
# The file is only touched when its content changes.

if(CMAKE_SCRIPT_MODE_FILE)
  set(REVISION unknown)
  find_package(Git QUIET)
  # The sources may also be an unpacked archive, inside another repository.
  if(GIT_FOUND AND EXISTS ${SOURCE_DIR}/.git)
    execute_process(
      COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
        --exclude=*
      WORKING_DIRECTORY ${SOURCE_DIR}
      OUTPUT_VARIABLE described
      RESULT_VARIABLE result
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(result EQUAL 0)
      set(REVISION ${described})
    endif()
  endif()
  configure_file(${SOURCE_DIR}/include/ricochet/base/version.h.in
    ${OUTPUT} @ONLY)
  return()
endif()

add_custom_target(ricochet_version
  COMMAND ${CMAKE_COMMAND}
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${PROJECT_BINARY_DIR}/include/ricochet/base/version.h
    -D VERSION=${PROJECT_VERSION}
    -D VERSION_MAJOR=${PROJECT_VERSION_MAJOR}
    -D VERSION_MINOR=${PROJECT_VERSION_MINOR}
    -D VERSION_PATCH=${PROJECT_VERSION_PATCH}
    -D BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -D "COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -D DEAL_II=${DEAL_II_PACKAGE_VERSION}
    -D TRILINOS=${DEAL_II_TRILINOS_VERSION}
    -D P4EST=${DEAL_II_P4EST_VERSION}
    -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${PROJECT_BINARY_DIR}/include/ricochet/base/version.h
  COMMENT "Looking up the git revision"
  VERBATIM)
add_dependencies(ricochet ricochet_version)
