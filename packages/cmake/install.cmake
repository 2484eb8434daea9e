# install.cmake - a part of `cmake --install`: write the files that name the prefix
# SPDX-License-Identifier: MIT
# CMakeLists.txt sets the variables; the prefix is the one of this installation, which can be relative to the
# working directory.
get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
set(exec_prefix "\${prefix}")
set(PACKAGE_VERSION ${pt_VERSION})

# pt_directory(NAME WHERE WRITTEN) - WHERE: an absolute path; WRITTEN: in pt.pc, relative to the prefix
macro(pt_directory name where written)
  get_filename_component(${where} "${name}" ABSOLUTE BASE_DIR "${prefix}")
  set(${written} "${name}")
  if(NOT IS_ABSOLUTE "${name}")
    set(${written} "\${prefix}/${name}")
  endif()
endmacro()

set(STATIC_ONLY_LIBS)
if(kind STREQUAL static)
  set(STATIC_ONLY_LIBS "${CARES_LIBS} ${URING_LIBS} -pthread")
endif()
set(filled ${pt_BINARY_DIR}/installed)
pt_directory("${CMAKE_INSTALL_INCLUDEDIR}" absolute_include includedir)
pt_directory("${CMAKE_INSTALL_LIBDIR}" absolute_lib libdir)
if(PT_HOST)
  configure_file(${pt_SOURCE_DIR}/pt.pc.in ${filled}/pt.pc @ONLY)
  file(INSTALL ${filled}/pt.pc DESTINATION ${absolute_lib}/pkgconfig)
endif()
set(includedir ${absolute_include})
set(libdir ${absolute_lib})
foreach(file pt-config.cmake pt-config-version.cmake)
  configure_file(${pt_SOURCE_DIR}/packages/cmake/${file}.in ${filled}/${file} @ONLY)
  file(INSTALL ${filled}/${file} DESTINATION ${absolute_lib}/cmake/pt)
endforeach()

# Beside libpt, what gdb loads by itself; under /usr in a folder of gdb's own. It names the tools relative to itself.
if(autoload)
  get_filename_component(absolute_data "${CMAKE_INSTALL_DATADIR}" ABSOLUTE BASE_DIR "${prefix}")
  set(folder ${absolute_lib})
  if(prefix STREQUAL "/usr")
    set(folder ${absolute_data}/gdb/auto-load${absolute_lib})
  endif()
  string(REGEX REPLACE "/[^/]*" "/.." up "${folder}")
  set(TOOLS ${up}${absolute_data}/pt)
  configure_file(${pt_SOURCE_DIR}/tools/libpt-gdb.py.in ${filled}/${autoload} @ONLY)
  file(INSTALL ${filled}/${autoload} DESTINATION ${folder})
endif()
