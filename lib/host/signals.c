/* signals.c - signals that tasks wait for: a handler that notes the number, and a pipe
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../fork.h"
#include "../handlers.h"
#include "io/descriptor.h"
#include "../needs.h"
#include "../socket.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void note(struct pt_handler_ *self)
{
    char *first = (char *)(self - self->number);
    struct pt_signals *signals =
        (struct pt_signals *)(void *)(first - offsetof(struct pt_signals, handlers));
    ssize_t ignored;

    __atomic_store_n(&signals->pending[self - signals->handlers], 1, __ATOMIC_SEQ_CST);
    ignored = write(signals->wakeup, "", 1); /* a full pipe is readable, too */
    (void)ignored;
}

pt_status pt_signals_open(struct pt_signals *signals, struct pt_system *system)
{
    int ends[2];
    pt_status status;

    PT_NEEDS_SYSTEM_(system, "pt_signals_open");
    PT_NEEDS_(!pt_handlers_within_(signals, sizeof *signals),
              "it is open already: pt_signals_close it first", "pt_signals_open");
    memset(signals, 0, sizeof *signals);
    signals->io.fd = -1;
    if (pt_pipe_make_(ends)) {
        signals->io.refused = (int8_t)pt_io_fail_(&signals->io, errno);
        return signals->io.refused;
    }
    signals->wakeup = ends[1];
    status = pt_io_adopt_(&signals->io, system, ends[0], PT_IO_OTHER_);
    if (status != PT_OK) {
        close(ends[0]);
        close(ends[1]);
    }
    return status;
}

pt_status pt_signals_watch(struct pt_signals *signals, int number)
{
    if (!signals->io.system)
        return PT_ECLOSED;
    if (pt_forked_since_(signals->io.system->forks))
        return PT_EPERM;
    if (number <= 0 || number >= PT_SIGNAL_COUNT_)
        return PT_EINVAL;
    return pt_handler_add_(&signals->handlers[number], number, note);
}

void pt_signals_unwatch(struct pt_signals *signals, int number)
{
    if (number > 0 && number < PT_SIGNAL_COUNT_)
        pt_handler_remove_(&signals->handlers[number]);
}

void pt_signals_close(struct pt_signals *signals)
{
    for (int i = 1; i < PT_SIGNAL_COUNT_; i++)
        pt_signals_unwatch(signals, i);
    if (!signals->io.system)
        return;
    close(signals->wakeup);
    pt_io_close(&signals->io);
}

/* Take the lowest signal that has come, or 0. If there is another one, leave a byte in the pipe, so
 * that the descriptor stays readable; otherwise leave none. */
static int take(struct pt_signals *signals)
{
    char bytes[512];
    int first = 0;

    while (read(signals->io.fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
    for (int i = 1; i < PT_SIGNAL_COUNT_; i++) {
        if (!__atomic_load_n(&signals->pending[i], __ATOMIC_SEQ_CST))
            continue;
        if (first) {
            ssize_t ignored = write(signals->wakeup, "", 1);

            (void)ignored;
            break;
        }
        first = i;
        __atomic_store_n(&signals->pending[i], 0, __ATOMIC_SEQ_CST);
    }
    return first;
}

bool pt_signals_must_wait_(struct pt_task *task, struct pt *frame, struct pt_signals *signals,
                           int *number)
{
    PT_NEEDS_(signals->io.system || signals->io.fd < 0,
              "the pt_signals was never opened: call pt_signals_open", "PT_WAIT_SIGNAL");
    do {
        *number = signals->io.system ? take(signals) : 0;
        if (*number)
            return false;
        if (pt_io_ready_(task, frame, &signals->io, false))
            return true;
    } while (frame->status == PT_OK); /* a signal came in between */
    return false;
}

/* --- until a signal -------------------------------------------------------------------------- */

/* Cancels a task at a signal, all tasks at the next, and ends when the task has ended. */
struct until_signal {
    struct pt pt;
    struct pt_task *task;
    struct pt_signals *signals;
    int number;
    PT_SELECTION(2) next;
};

static PT_ASYNC(until_signal, self)
{
    PT_SELECT(&self->next, PT_CASE_JOIN(self->task), PT_CASE_READABLE(&self->signals->io));
    if (PT_SELECTED(&self->next) == 0)
        PT_RETURN(PT_OK);
    PT_WAIT_SIGNAL(self->signals, &self->number);
    pt_cancel(self->task, PT_ECANCELED);
    PT_SELECT(&self->next, PT_CASE_JOIN(self->task), PT_CASE_READABLE(&self->signals->io));
    if (PT_SELECTED(&self->next) == 1)
        pt_loop_cancel(pt_current_->loop, PT_ECANCELED);
    PT_FINALLY
    pt_signals_close(self->signals);
}
PT_END

pt_status pt_run_until_signal(struct pt_system *system, struct pt_task *task)
{
    PT_TASK(until_signal) until;
    struct pt_signals signals;
    pt_status status = pt_signals_open(&signals, system);

    memset(&until, 0, sizeof until);
    if (status == PT_OK)
        status = pt_signals_watch(&signals, SIGINT);
    if (status == PT_OK)
        status = pt_signals_watch(&signals, SIGTERM);
    if (status == PT_OK)
        status = PT_START(system->loop, &until, until_signal, .task = task, .signals = &signals);
    if (status == PT_OK)
        return pt_loop_run(system->loop);
    if (status == PT_EIO)
        errno = signals.io.error;
    pt_signals_close(&signals);
    return status;
}
