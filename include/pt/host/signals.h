/* signals.h - signals that tasks wait for
 * SPDX-License-Identifier: MIT
 *
 *     pt_signals_open(&signals, &sys);
 *     pt_signals_watch(&signals, SIGTERM);
 *
 *     PT_WAIT_SIGNAL(&signals, &self->number);
 *
 * A handler notes the number and writes to a pipe. So threads need not block signals, and a child
 * process inherits no blocked signal. If a signal comes twice before a task takes it, it counts
 * once, as usual. Each set that watches a signal gets it; of the tasks that wait for one set, one
 * does. pt_dump_on_signal wakes no task: it prints all of them. */
#ifndef PT_SIGNALS_H
#define PT_SIGNALS_H

#include "io.h"

#include <signal.h>

/* One more than the highest signal. Not NSIG: the set of names that a program asks of its system
 * hides it or not, and the struct is the same for all. */
enum { PT_SIGNAL_COUNT_ = 65 };

/* A set of signals. It must not move while it is open. Only the functions write its fields; a task
 * may wait for io. */
struct pt_signals {
    struct pt_io io;                               /* readable when a signal has come */
    int wakeup;                                    /* where the handler writes */
    unsigned char pending[PT_SIGNAL_COUNT_];       /* the signals that have come; atomic */
    struct pt_handler_ handlers[PT_SIGNAL_COUNT_]; /* of those that are watched */
};

/* pt_signals_open - open SET, with no signal in it yet; codes as pt_io_open
 * If it fails, and the code is ignored, PT_WAIT_SIGNAL returns that code. */
PT_EXPORT pt_status pt_signals_open(struct pt_signals *set, struct pt_system *system);

/* pt_signals_watch - from now on, the tasks of this loop can wait for signal NUMBER of the process
 * PT_OK, also if other sets watch it: each gets it. PT_EINVAL if it cannot be handled, or is that
 * of a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS), which would happen again and
 * again; PT_ECLOSED if SET is not open; PT_EPERM if it belongs to a parent process. */
PT_EXPORT pt_status pt_signals_watch(struct pt_signals *set, int number);

/* pt_signals_unwatch - from now on, SET does not get signal NUMBER; what has come can be taken
 * If no set watches it any more, the signal has its earlier action. */
PT_EXPORT void pt_signals_unwatch(struct pt_signals *set, int number);

/* pt_signals_close - watch no signal any more; tasks that wait get PT_ECLOSED
 * In a process forked since, the copies of the sets get no signal, and may be closed, or opened
 * again; what the process opens itself gets them. */
PT_EXPORT void pt_signals_close(struct pt_signals *set);

/* PT_WAIT_SIGNAL(&signals, &number) - wait for a signal; if several have come, take the lowest
 * In a select, PT_CASE_READABLE(&signals.io) is true when a signal has come; then PT_WAIT_SIGNAL
 * does not suspend. */
#define PT_WAIT_SIGNAL(signals, number)                            \
    PT_IO_BEGUN_(&(signals)->io, (PT_IO_ONE_(number) PT_OK), NULL, \
                 pt_signals_must_wait_(pt_current_, pt_, signals, number))

/* pt_run_until_signal - run the loop of SYSTEM; the first SIGINT or SIGTERM cancels TASK
 * The second one cancels all tasks, and ends their grace; so does the first, if TASK has ended. The
 * third one ends the process, in case a cleanup hangs. It returns when no task is alive, also if
 * TASK ends by itself. Codes: PT_OK; PT_ENOMEM; PT_EPERM if the system belongs to a parent
 * process; those of pt_loop_run. */
PT_EXPORT pt_status pt_run_until_signal(struct pt_system *system, struct pt_task *task);

/* pt_dump_on_signal - from now on, signal NUMBER prints the tasks of the system's loop to stderr
 *
 *     pt_dump_on_signal(&sys, SIGUSR1);            then, in a shell: kill -USR1 PID
 *
 * For a machine without gdb: what pt_dump prints, below a line with the number of tasks. pt-ps also
 * names the objects that tasks wait for, and the tasks of a nested loop. A pt_signals may watch
 * that signal, too. pt_system_close ends it. PT_OK; PT_EINVAL if the signal cannot be handled, or
 * is that of a fault; PT_EBUSY if this system has another signal for it; PT_EPERM if it belongs to
 * a parent process.
 *
 * The handler only posts. The loop prints at its next turn; if it sleeps, the post ends the sleep.
 * So a step that does not end prints nothing: pt_watchdog_start finds that. Functions of
 * libpt have lines, the program's with PT_SITES 1; else the last line names the command of pt-ps
 * that shows them.
 *
 * A reader that has stopped, of a pipe or a terminal, holds up the loop for a second at most: then
 * the rest is not printed. Several systems may have one signal: their loops print one after the
 * other, and the last pt_system_close restores the earlier action. */
PT_EXPORT pt_status pt_dump_on_signal(struct pt_system *system, int number);

/* --- implementation ------------------------------------------------------------------------ */

/* Whether the task must suspend: no signal has come. */
PT_EXPORT bool pt_signals_must_wait_(struct pt_task *task, struct pt *frame, struct pt_signals *set,
                                     int *number);

#endif
