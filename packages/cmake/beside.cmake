# beside.cmake - the libraries beside libpt, each if the library that it stands on is there
# SPDX-License-Identifier: MIT

# pt_beside(NAME) - the target pt_NAME, also called pt::NAME: libpt-NAME, of the folder NAME; its binary interface has
# the number of libpt's
function(pt_beside name)
  pt_list(${name}/sources.am ${name}_headers headers)
  pt_list(${name}/sources.am ${name}_sources sources)
  add_library(pt_${name} ${sources})
  add_library(pt::${name} ALIAS pt_${name})
  get_target_property(soversion pt_host SOVERSION)
  get_target_property(version pt_host VERSION)
  set_target_properties(pt_${name} PROPERTIES OUTPUT_NAME pt-${name} SOVERSION ${soversion} VERSION ${version}
    C_STANDARD 99 C_EXTENSIONS ON C_VISIBILITY_PRESET hidden)
  target_include_directories(pt_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  target_link_libraries(pt_${name} PUBLIC pt_host)
  if(PT_INSTALL)
    include(GNUInstallDirs)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pt-${name}/pt)
    install(TARGETS pt_${name}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  else()
    set_target_properties(pt_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

# A copy of the source that has only what programs need can be without them.
if(PT_HOST AND PT_WITH_OPENSSL AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tls/sources.am)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(PT_OPENSSL QUIET "openssl >= 3.0")
  endif()
  if(PT_OPENSSL_FOUND)
    pt_beside(tls)
    target_include_directories(pt_tls PUBLIC ${PT_OPENSSL_INCLUDE_DIRS})
    target_link_libraries(pt_tls PUBLIC ${PT_OPENSSL_LDFLAGS})
  elseif(NOT PT_WITH_OPENSSL STREQUAL "AUTO")
    message(FATAL_ERROR "PT_WITH_OPENSSL: no openssl >= 3.0")
  endif()
endif()

if(PT_HOST AND PT_WITH_LLHTTP AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/http/sources.am)
  set(llhttp ${PT_WITH_LLHTTP})
  if(PT_WITH_LLHTTP STREQUAL "AUTO")
    set(llhttp /usr/share/llhttp)
  endif()
  if(EXISTS ${llhttp}/llhttp.c)
    pt_beside(http)
    target_include_directories(pt_http SYSTEM PRIVATE ${llhttp} ${llhttp}/../include/llhttp)
  elseif(NOT PT_WITH_LLHTTP STREQUAL "AUTO")
    message(FATAL_ERROR "PT_WITH_LLHTTP: no sources of llhttp in ${llhttp}")
  endif()
endif()
