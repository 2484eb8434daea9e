/* signals.c - signals that tasks wait for: a handler that notes the number, and a pipe
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../faults.h"
#include "../fork.h"
#include "io/descriptor.h"
#include "../needs.h"
#include "../socket.h"

#include <pt/host/signals.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The owner of each signal in the process; written before its handler is installed. */
static struct pt_signals *owners[PT_SIGNAL_COUNT_];

/* In a forked process a signal of its parent's set does nothing: the pipe is the parent's, too. */
static void note(int number)
{
    struct pt_signals *signals;
    int error = errno;
    ssize_t ignored;

    pt_handler_begins_();
    signals = __atomic_load_n(&owners[number], __ATOMIC_SEQ_CST);
    if (signals && !pt_forked_since_(signals->forks)) {
        __atomic_store_n(&signals->pending[number], 1, __ATOMIC_SEQ_CST);
        ignored = write(signals->wakeup, "", 1); /* a full pipe is readable, too */
        (void)ignored;
    }
    pt_handler_ends_();
    errno = error;
}

pt_status pt_signals_open(struct pt_signals *signals, struct pt_system *system)
{
    int ends[2];
    pt_status status;

    PT_NEEDS_SYSTEM_(system, "pt_signals_open");
    memset(signals, 0, sizeof *signals);
    signals->forks = pt_forks_();
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
    struct pt_signals *nobody = NULL;
    struct sigaction action;

    if (!signals->io.system)
        return PT_ECLOSED;
    if (number <= 0 || number >= PT_SIGNAL_COUNT_ || pt_is_fault_(number))
        return PT_EINVAL;
    if (!__atomic_compare_exchange_n(&owners[number], &nobody, signals, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return nobody == signals ? PT_OK : PT_EBUSY;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    pt_all_but_faults_(&action.sa_mask);
    if (sigaction(number, &action, &signals->before[number])) {
        __atomic_store_n(&owners[number], NULL, __ATOMIC_SEQ_CST);
        return PT_EINVAL;
    }
    signals->watched[number] = true;
    return PT_OK;
}

void pt_signals_close(struct pt_signals *signals)
{
    for (int i = 0; i < PT_SIGNAL_COUNT_; i++)
        if (signals->watched[i]) {
            sigaction(i, &signals->before[i], NULL);
            __atomic_store_n(&owners[i], NULL, __ATOMIC_SEQ_CST);
            signals->watched[i] = false;
        }
    if (!signals->io.system)
        return;
    pt_handlers_wait_();
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
        if (!signals->watched[i] || !__atomic_load_n(&signals->pending[i], __ATOMIC_SEQ_CST))
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

bool pt_signals_wait_(struct pt_task *task, struct pt *frame, struct pt_signals *signals,
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
