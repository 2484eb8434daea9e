# pico_sdk_import.cmake - replaces the Pico SDK's: declarations alone, and a library instead of a program
# SPDX-License-Identifier: MIT
get_filename_component(sdk ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

macro(pico_sdk_init)
  foreach(name pico_stdlib hardware_gpio hardware_irq hardware_timer)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${sdk}/include)
  endforeach()
endmacro()

macro(add_executable)
  add_library(${ARGV})
endmacro()

macro(pico_add_extra_outputs name)
  target_compile_options(${name} PRIVATE -std=c99 -ffreestanding -Wall -Wextra -Wconversion -Werror)
endmacro()
