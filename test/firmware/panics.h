/* panics.h - included first in every file of a test of drivers: a panic goes to the trace
 * SPDX-License-Identifier: MIT */
#ifndef PANICS_H
#define PANICS_H

__attribute__((noreturn)) void panicked(const char *what, const char *where);

#define PT_PANIC(what, where, line) ((void)(line), panicked(what, where))

#endif
