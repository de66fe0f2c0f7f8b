# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What find_package(Ricochet) finds, in the build tree and after installation.

include(CMakePackageConfigHelpers)

# Whoever links the library compiles against the same deal.II flavour.
set(RICOCHET_DEAL_II_FLAVOUR RELEASE)
set(RICOCHET_OTHER_DEAL_II_FLAVOUR DEBUG)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(RICOCHET_DEAL_II_FLAVOUR DEBUG)
  set(RICOCHET_OTHER_DEAL_II_FLAVOUR RELEASE)
endif()
set(RICOCHET_OTHER_DEAL_II_TARGET
  ${DEAL_II_TARGET_${RICOCHET_OTHER_DEAL_II_FLAVOUR}})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Ricochet)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/RicochetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RicochetConfig.cmake
  INSTALL_DESTINATION ${config_dir})
# Before version 1.0 the interface may change with every minor version.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/RicochetConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
export(TARGETS ricochet NAMESPACE Ricochet::
  FILE ${PROJECT_BINARY_DIR}/RicochetTargets.cmake)

# Found again wherever the tree is moved to; the path to a deal.II outside the
# system's directories is kept.
file(RELATIVE_PATH to_libraries
  /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(ricochet PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(ricochet_program PROPERTIES
  INSTALL_RPATH $ORIGIN/${to_libraries}
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ricochet_program)

install(TARGETS ricochet EXPORT RicochetTargets)
install(EXPORT RicochetTargets NAMESPACE Ricochet:: DESTINATION ${config_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/RicochetConfig.cmake
  ${PROJECT_BINARY_DIR}/RicochetConfigVersion.cmake
  DESTINATION ${config_dir})
install(DIRECTORY
  ${PROJECT_SOURCE_DIR}/include/ricochet
  ${PROJECT_BINARY_DIR}/include/ricochet
  TYPE INCLUDE FILES_MATCHING PATTERN *.h)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/prm
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ricochet)
