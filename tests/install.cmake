# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Install to one place, move it to another, and see that it still works: an
# installed tree must know nothing of where it was built.

file(REMOVE_RECURSE ${INSTALLATION} ${INSTALLATION}-staged)
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${INSTALLATION}-staged
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${INSTALLATION}-staged ${INSTALLATION})

file(GLOB_RECURSE texts ${INSTALLATION}/*.cmake ${INSTALLATION}/*.h)
foreach(text ${texts})
  file(STRINGS ${text} lines)
  foreach(path ${BUILD} ${SOURCE} ${INSTALLATION}-staged)
    if("${lines}" MATCHES "${path}/")
      message(SEND_ERROR "${text} holds the path ${path}.")
    endif()
  endforeach()
endforeach()

execute_process(
  COMMAND ${INSTALLATION}/bin/ricochet --version
  COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
