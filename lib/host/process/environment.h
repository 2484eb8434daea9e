/* environment.h - the environment of a child process
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_ENVIRONMENT_H
#define PT_LIB_ENVIRONMENT_H

/* GIVEN, or the environment of this process if that is NULL; empty after clearenv(3). */
const char *const *pt_environment_base_(const char *const *given);

/* The entries of BASE, each replaced or, without a =, removed by the one of VARIABLES with its
 * name, and the others of VARIABLES. A block of memory, for free; NULL without memory. */
const char **pt_environment_(const char *const *base, const char *const *variables);

#endif
