# vcpkg.cmake - the functions that a port calls, as vcpkg carries them out: build and install one port
# SPDX-License-Identifier: MIT
#
#     cmake -DPORT=FOLDER -DDOWNLOAD=TARBALL -DWORK=DIRECTORY -DJOBS=N -P vcpkg.cmake
#
# What it cannot show: triplets, vcpkg's checks after a build.
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
file(REMOVE_RECURSE "${WORK}")

# run(COMMAND...) - and stop if it fails
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile result)
  cmake_parse_arguments(got "" "FILENAME;SHA512" "URLS" ${ARGN})
  file(SHA512 "${DOWNLOAD}" sum)
  if(NOT sum STREQUAL got_SHA512)
    message(FATAL_ERROR "the port has another SHA512 than the tarball: ${got_SHA512}")
  endif()
  get_filename_component(name "${DOWNLOAD}" NAME)
  if(NOT name STREQUAL got_FILENAME OR NOT got_URLS MATCHES "^https://.*[^/]/${name}$")
    message(FATAL_ERROR "the port downloads ${got_URLS} as ${got_FILENAME}")
  endif()
  set(${result} "${DOWNLOAD}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive result)
  cmake_parse_arguments(got "" "ARCHIVE" "" ${ARGN})
  file(ARCHIVE_EXTRACT INPUT "${got_ARCHIVE}" DESTINATION "${WORK}/source")
  file(GLOB root "${WORK}/source/*")
  set(${result} "${root}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(got "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  run(${CMAKE_COMMAND} -S "${got_SOURCE_PATH}" -B "${WORK}/build" -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
    -DCMAKE_INSTALL_LIBDIR=lib ${got_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build "${WORK}/build" -j ${JOBS})
  run(${CMAKE_COMMAND} --install "${WORK}/build")
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/pt.pc")
    message(FATAL_ERROR "no pt.pc")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(got "" "" "FILE_LIST" ${ARGN})
  run(${CMAKE_COMMAND} -E copy "${got_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/pt/copyright")
endfunction()

include("${PORT}/portfile.cmake")
foreach(stray bin debug share/man tools)
  if(EXISTS "${CURRENT_PACKAGES_DIR}/${stray}")
    message(FATAL_ERROR "vcpkg refuses a port with ${stray}")
  endif()
endforeach()
