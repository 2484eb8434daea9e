# reference.cmake - install the reference and the man pages: those of a release, or made by python3
# SPDX-License-Identifier: MIT
set(made)
if(PT_WITH_REFERENCE AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/reference/man7/pt.7)
  set(made ${CMAKE_CURRENT_SOURCE_DIR}/reference)
elseif(PT_WITH_REFERENCE)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_Interpreter_FOUND AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/scripts/reference)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/reference)
    set(inputs ARCHITECTURE.md scripts/reference scripts/apidoc.py scripts/apitext.py)
    list(TRANSFORM headers PREPEND include/ OUTPUT_VARIABLE documented)
    file(GLOB others CONFIGURE_DEPENDS http/pt/*.h tls/pt/*.h)
    add_custom_command(OUTPUT ${made}/man7/pt.7
      COMMAND ${CMAKE_COMMAND} -E remove_directory ${made}
      COMMAND ${Python3_EXECUTABLE} scripts/reference ${made}
      DEPENDS ${inputs} ${documented} ${others} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "Writing the reference and the man pages" VERBATIM)
    add_custom_target(pt_reference ALL DEPENDS ${made}/man7/pt.7)
  elseif(NOT PT_WITH_REFERENCE STREQUAL "AUTO")
    message(FATAL_ERROR "PT_WITH_REFERENCE: no python3")
  endif()
endif()
if(made)
  install(DIRECTORY ${made}/man3 ${made}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${made}/html/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference)
endif()
