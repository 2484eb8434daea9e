/* needs.h - stop a program that forgot to set or to open what a function needs
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_NEEDS_H
#define PT_LIB_NEEDS_H

#include <pt/host/system.h>

/* Unless CONDITION holds, stop: WHAT is wrong, in the function NAME. */
#define PT_NEEDS_(condition, what, name) ((condition) ? (void)0 : (void)PT_PANIC(what, name, 0))

/* Stop unless the field of SELF, the frame of the function NAME, is set. */
#define PT_NEEDS_FIELD_(self, field, name) PT_NEEDS_((self)->field, "." #field " is not set", name)

/* Stop unless SYSTEM, an argument of the function NAME, is open. */
#define PT_NEEDS_SYSTEM_(system, name) \
    PT_NEEDS_((system) && (system)->loop, "the pt_system is not open: see pt_system_open", name)

#endif
