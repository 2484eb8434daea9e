/* export.h - which functions a shared library exports
 * SPDX-License-Identifier: MIT */
#ifndef PT_EXPORT_H
#define PT_EXPORT_H

#include "compiler.h"

/* Marks a function of libpt, which is C: its name is the same in a C++ program. */
#ifdef __GNUC__
#define PT_EXPORT PT_C_LINKAGE_ __attribute__((__visibility__("default")))
#else
#define PT_EXPORT PT_C_LINKAGE_
#endif

#endif
