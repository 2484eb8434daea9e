/* system.h - the system of a loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_SYSTEM_H
#define PT_LIB_SYSTEM_H

#include <pt/host/system.h>

/* Fill in the port of a system. */
void pt_system_make_port_(struct pt_system *system);

/* The system on which a loop runs, or the loop around it; or NULL. */
struct pt_system *pt_system_of_(const struct pt_loop *loop);

#endif
