/* version.h - the version of pt; the build reads it from here
 * SPDX-License-Identifier: MIT */
#ifndef PT_VERSION_H
#define PT_VERSION_H

#include "compiler.h"

/* Raised by a change that breaks programs; by one that only adds; by one that only repairs. */
#define PT_VERSION_MAJOR 0
#define PT_VERSION_MINOR 1
#define PT_VERSION_PATCH 0

/* PT_VERSION - "major.minor.patch"; pt_version() of <pt/host.h> returns that of the library */
#define PT_VERSION            \
    PT_TEXT(PT_VERSION_MAJOR) \
    "." PT_TEXT(PT_VERSION_MINOR) "." PT_TEXT(PT_VERSION_PATCH)

#endif
