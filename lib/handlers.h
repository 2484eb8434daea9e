/* handlers.h - one handler of a signal, which calls all that were added for it
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_HANDLERS_H
#define PT_LIB_HANDLERS_H

#include <pt/host/signals.h>

/* From now on, each signal NUMBER of the process calls RUN, in the handler of the signal: of any
 * thread, until pt_handler_remove_. The first one of a number replaces the action that the
 * signal had. PT_OK, also if it has this number already; PT_EINVAL if the signal cannot be handled,
 * or is that of a fault. In a process forked since, it runs no more. */
pt_status pt_handler_add_(struct pt_handler_ *handler, int number,
                          void (*run)(struct pt_handler_ *self));

/* It runs no more, and in no other thread either. The last one of a number restores the action. No
 * effect if it was not added. */
void pt_handler_remove_(struct pt_handler_ *handler);

/* Whether a handler that was added lies in the SIZE bytes at START, which shall become zero. */
bool pt_handlers_within_(const void *start, size_t size);

#endif
