/* export.h - which functions a shared library exports
 * SPDX-License-Identifier: MIT */
#ifndef PT_EXPORT_H
#define PT_EXPORT_H

/* Marks a function of libpt. */
#ifdef __GNUC__
#define PT_EXPORT __attribute__((visibility("default")))
#else
#define PT_EXPORT
#endif

#endif
