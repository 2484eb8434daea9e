/* wakeup.h - the descriptor by which another thread or a signal handler ends a loop's sleep
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_WAKEUP_H
#define PT_LIB_WAKEUP_H

#include <pt/host/system.h>

/* Make system->wakeup; false with errno. */
bool pt_wakeup_open_(struct pt_system *system);
void pt_wakeup_close_(struct pt_system *system);

/* End the loop's sleep. CONTEXT is its system. A signal handler can call it, and so can a thread
 * that has seen the loop sleep, even when the loop is closed by now. A write to a full descriptor
 * fails, but then it is readable already. In a forked process the descriptor is that of its parent,
 * which sleeps on. */
void pt_wakeup_write_(void *context);

/* After this no thread writes to the wakeup. A forked process has no other thread. */
void pt_wakeup_stop_(struct pt_system *system);

/* Read what was written: it can end another sleep. */
void pt_wakeup_drain_(const struct pt_system *system);

#endif
