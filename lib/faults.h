/* faults.h - the signals that a thread gets for its own fault
 * SPDX-License-Identifier: MIT
 *
 * If a thread blocks them, a fault ends the program, whatever handler it has. If a handler returns,
 * the fault happens again: so none of them can be a signal that a task waits for. */
#ifndef PT_LIB_FAULTS_H
#define PT_LIB_FAULTS_H

#include <signal.h>
#include <stdbool.h>

static inline bool pt_is_fault_(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGTRAP || number == SIGSYS;
}

/* What threads of the library, and its handlers, block. */
static inline void pt_all_but_faults_(sigset_t *set)
{
    sigfillset(set);
    sigdelset(set, SIGSEGV);
    sigdelset(set, SIGBUS);
    sigdelset(set, SIGFPE);
    sigdelset(set, SIGILL);
    sigdelset(set, SIGTRAP);
    sigdelset(set, SIGSYS);
}

#endif
