# lists.cmake - read what make reads: the lists of files, and the version
# SPDX-License-Identifier: MIT

# pt_list(FILE NAME RESULT) - the words of "NAME = WORD...", which can go on behind a backslash
function(pt_list file name result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX MATCH "\n${name} =(\\\\\n|[^\\\n])*" text "\n${text}")
  string(REGEX REPLACE "^[^=]*=" "" text "${text}")
  string(REGEX MATCHALL "[^ \t\n\\]+" words "${text}")
  if(NOT words)
    message(FATAL_ERROR "${file}: no list ${name}")
  endif()
  set(${result} ${words} PARENT_SCOPE)
endfunction()

# pt_version(FILE RESULT) - the version, as major.minor.patch
function(pt_version file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^#define PT_VERSION_[A-Z]* [0-9]+$")
  string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
  string(REPLACE ";" "." version "${numbers}")
  set(${result} ${version} PARENT_SCOPE)
endfunction()
