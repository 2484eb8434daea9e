/* version.h - which pt this is; the build takes its own version from here
 * SPDX-License-Identifier: MIT */
#ifndef PT_VERSION_H
#define PT_VERSION_H

#include "compiler.h"

/* A change that breaks programs, one that adds, one that repairs. */
#define PT_VERSION_MAJOR 0
#define PT_VERSION_MINOR 1
#define PT_VERSION_PATCH 0

/* PT_VERSION - "major.minor.patch"; pt_version() of <pt/host.h> says the same of the library */
#define PT_VERSION            \
    PT_TEXT(PT_VERSION_MAJOR) \
    "." PT_TEXT(PT_VERSION_MINOR) "." PT_TEXT(PT_VERSION_PATCH)

#endif
