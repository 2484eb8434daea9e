/* signals.h - signals that tasks wait for
 * SPDX-License-Identifier: MIT
 *
 *     pt_signals_open(&signals, &system);
 *     pt_signals_watch(&signals, SIGTERM);
 *
 *     PT_WAIT_SIGNAL(&signals, &self->number);
 *
 * A handler notes the number and writes to a pipe: so no thread has to block signals, and a child
 * process inherits none. A signal that comes again before it was taken is one, as usual. */
#ifndef PT_SIGNALS_H
#define PT_SIGNALS_H

#include "io.h"

#include <signal.h>

#ifdef NSIG
#define PT_SIGNAL_COUNT_ NSIG
#else
#define PT_SIGNAL_COUNT_ 65
#endif

/* Signals. It must not move while it is open. Written by the functions, io may be waited for. */
struct pt_signals {
    struct pt_io io;                           /* readable when one has come */
    int wakeup;                                /* where the handler writes */
    unsigned char pending[PT_SIGNAL_COUNT_];   /* which have come; atomic */
    bool watched[PT_SIGNAL_COUNT_];            /* which it has a handler for */
    struct sigaction before[PT_SIGNAL_COUNT_]; /* what they did before */
};

#ifdef __cplusplus
extern "C" {
#endif

/* pt_signals_open - of no signal yet; codes as of pt_io_open */
PT_EXPORT pt_status pt_signals_open(struct pt_signals *signals, struct pt_system *system);

/* pt_signals_watch - from now on, signal NUMBER of the process is an event for the tasks of its loop
 * PT_OK; PT_EBUSY if another pt_signals has it, PT_EINVAL for what cannot be handled. */
PT_EXPORT pt_status pt_signals_watch(struct pt_signals *signals, int number);

/* pt_signals_close - all do again what they did before; who waits gets PT_ECLOSED */
PT_EXPORT void pt_signals_close(struct pt_signals *signals);

/* Whether the task waits: no signal has come. */
PT_EXPORT bool pt_signals_wait_(struct pt_task *task, struct pt *frame, struct pt_signals *signals,
                                int *number);

#ifdef __cplusplus
}
#endif

/* PT_WAIT_SIGNAL(&signals, &number) - wait for one; of several that have come, the lowest
 * PT_CASE_READABLE(&signals.io) is true when one has come, which this then tells at once. */
#define PT_WAIT_SIGNAL(signals, number) \
    PT_IO_(&(signals)->io, pt_signals_wait_(pt_current_, pt_, signals, number))

#endif
