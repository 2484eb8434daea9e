/* fork.h - what a fork must not copy halfway: the locks of the process, the handlers that run
 * SPDX-License-Identifier: MIT
 *
 * Only the thread that forks exists in the child. What another one held or counted, nobody there
 * gives back. */
#ifndef PT_LIB_FORK_H
#define PT_LIB_FORK_H

#include <stdbool.h>

/* The locks of what a process has once. A thread that holds one may take a later one, and gives
 * back the last one first. A fork waits for the holder, which blocks all signals but those of
 * faults meanwhile; but not for one that prints, since that leaves nothing halfway. */
enum pt_mutex_ { PT_MUTEX_PRINT_, PT_MUTEX_PROCESS_, PT_MUTEXES_ };

void pt_mutex_lock_(enum pt_mutex_ mutex);
void pt_mutex_unlock_(enum pt_mutex_ mutex);

/* The number of forks from the first process down to this one; whether it is another one than
 * FORKS. What was opened at another number is a copy: its threads are not here, and what it shares
 * with the kernel belongs to the parent. */
unsigned pt_forks_(void);
bool pt_forked_since_(unsigned forks);

/* A signal handler calls these around its use of what a close takes away; the close, when no new
 * handler can find that any more, waits for those that have. */
void pt_handler_begins_(void);
void pt_handler_ends_(void);
void pt_handlers_wait_(void);

#endif
