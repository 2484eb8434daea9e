/* signals.c - signals that tasks wait for: a handler that notes the number, and a pipe
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../fork.h"
#include "../handlers.h"
#include "io/descriptor.h"
#include "../needs.h"
#include "../socket.h"

#include <pt/inspect/observe.h>

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

/* Joins the task of a run. */
struct join {
    struct pt pt;
    struct until_signal *run;
};

/* A run that signals end: their handler counts them, and the loop acts. */
struct until_signal {
    struct pt_task *task; /* NULL if it has ended in the first turn */
    PT_TASK(join) join;
    bool joins;               /* JOIN waits for the task, or has done so */
    struct pt_observer first; /* watches the turn in which JOIN begins */
    struct pt_remote remote;
    struct ending_handler {
        struct pt_handler_ handler;
        struct until_signal *run;
    } handlers[2];
    unsigned come; /* how many signals have come; atomic */
    unsigned done; /* for how many of them the loop has acted */
};

static PT_ASYNC(join, self)
{
    self->run->joins = true;
    if (self->run->task)
        PT_JOIN(self->run->task);
}
PT_END

/* The task can end, and its storage be gone, before JOIN has its first step. */
static void note_end(struct pt_observer *observer, struct pt_task *its)
{
    struct until_signal *run =
        (struct until_signal *)(void *)((char *)observer - offsetof(struct until_signal, first));

    if (its == run->task)
        run->task = NULL;
}

static void leave(struct pt_observer *observer, struct pt_loop *loop)
{
    pt_loop_ignore(loop, observer);
}

/* Whether the task has ended: JOIN has left the list of its joiners, though perhaps not run yet. */
static bool has_ended(const struct until_signal *run)
{
    return !run->task || (run->joins && !(run->join.task.state & PT_STATE_QUEUED_));
}

/* The third signal needs no loop, since a step of that can hang. */
static void count(struct pt_handler_ *handler)
{
    struct until_signal *run = ((struct ending_handler *)(void *)handler)->run;

    if (__atomic_add_fetch(&run->come, 1, __ATOMIC_SEQ_CST) < 3) {
        (void)pt_remote_post(&run->remote);
        return;
    }
    signal(handler->number, SIG_DFL);
    raise(handler->number); /* it is blocked until the handler returns */
}

/* The loop runs this at the beginning of a turn. */
static void act(struct pt_remote *remote, unsigned times)
{
    struct until_signal *run = (struct until_signal *)remote->target;

    (void)times;
    for (; run->done < __atomic_load_n(&run->come, __ATOMIC_SEQ_CST); run->done++) {
        if (!run->done && !has_ended(run))
            pt_cancel(run->task, PT_ECANCELED);
        else
            pt_loop_cancel(remote->loop, PT_ECANCELED);
    }
}

static pt_status watch(struct until_signal *run, int which, int number)
{
    run->handlers[which].run = run;
    return pt_handler_add_(&run->handlers[which].handler, number, count);
}

pt_status pt_run_until_signal(struct pt_system *system, struct pt_task *task)
{
    struct until_signal run;
    pt_status status;

    PT_NEEDS_SYSTEM_(system, "pt_run_until_signal");
    if (pt_forked_since_(system->forks))
        return PT_EPERM;
    memset(&run, 0, sizeof run);
    run.task = task;
    run.first.ended = note_end;
    run.first.turned = leave;
    pt_loop_observe(system->loop, &run.first);
    pt_remote_open(&run.remote, system->loop, act, &run);
    status = watch(&run, 0, SIGINT);
    if (status == PT_OK)
        status = watch(&run, 1, SIGTERM);
    if (status == PT_OK)
        status = PT_START(system->loop, &run.join, join, .run = &run);
    if (status == PT_OK)
        status = pt_loop_run(system->loop);
    pt_handler_remove_(&run.handlers[0].handler);
    pt_handler_remove_(&run.handlers[1].handler);
    pt_remote_close(&run.remote);
    pt_loop_ignore(system->loop, &run.first);
    return status;
}
