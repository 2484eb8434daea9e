# tools.cmake - install pt-ps and the others, their package, its man pages, and the commands for gdb
# SPDX-License-Identifier: MIT
# install.cmake writes the script that gdb loads by itself: it names the prefix. A copy of the source that has only
# what programs need is without the tools.
set(autoload)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tools/tools.am)
  foreach(list programs manuals1 manuals7)
    pt_list(tools/tools.am ${list} ${list})
  endforeach()
  install(PROGRAMS ${programs} DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY tools/pt_inspect DESTINATION ${CMAKE_INSTALL_DATADIR}/pt FILES_MATCHING PATTERN "*.py"
    PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY tools/misra world lib DESTINATION ${CMAKE_INSTALL_DATADIR}/pt USE_SOURCE_PERMISSIONS)
  install(FILES tools/pt-gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/pt)
  install(FILES ${manuals1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manuals7} DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
  if(PT_HOST AND kind STREQUAL "shared" AND UNIX AND NOT APPLE)
    get_target_property(autoload pt_host VERSION)
    set(autoload libpt.so.${autoload}-gdb.py)
  endif()
endif()
