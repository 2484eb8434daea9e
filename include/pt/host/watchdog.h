/* watchdog.h - a step that takes too long is named while it runs: its coroutine, and the C calls
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_watchdog dog;
 *
 *     pt_watchdog_start(&dog, &loop, PT_MS(50));       in the loop's thread
 *     pt_loop_run(&loop);
 *     pt_watchdog_stop(&dog);
 *
 * For each step of over 100 ms, and for some of over 50 ms, it prints once, on stderr:
 *
 *     painter: runs for 61 ms
 *         since painter (gallery.c:40)
 *     gallery(mix_colors+0x1c)[0x5581c0a011dc]
 *     gallery(painter_pt_+0x8a)[0x5581c0a01342]
 *     ...
 *
 * A pt_watch sees only steps that end. Here a thread looks every 50 ms whether the loop is still in
 * the step in which it was. If so, it sends the loop's thread a signal. The handler prints, since
 * only that thread can say where it is. `addr2line -e gallery mix_colors+0x1c` gives the line;
 * -rdynamic gives names to functions that are not exported. PT_SITES 1 gives the lines of
 * coroutines; without it a line names the command of pt-ps that shows them. The calls need glibc or
 * macOS; elsewhere it prints the coroutine alone.
 *
 * On a part a timer interrupt does it: pt_watch_report. */
#ifndef PT_WATCHDOG_H
#define PT_WATCHDOG_H

#include "../base/compiler.h"
PT_QUIET_OPEN_
#include "system.h"

#include "../inspect/watch.h"

#include <pthread.h>
#include <signal.h>

/* The signal for the loop's thread. Few programs use it, and by default it does nothing. */
#define PT_WATCHDOG_SIGNAL SIGURG

/* The watchdog of a loop. It must not move while it runs. */
struct pt_watchdog {
    struct pt_watch watch; /* read its results: the longest step and so on; its first member */
    unsigned barks;        /* the steps that it has named; atomic; private, as what follows */
    unsigned steps;        /* begun and ended: odd in a step; atomic */
    unsigned named;        /* the step that was named last; atomic */
    unsigned looks;        /* how often its thread has looked; atomic */
    unsigned sent;         /* how many it has sent; atomic */
    struct timespec limit;
    pthread_t thread, watched; /* its own, and the loop's */
    unsigned forks;            /* the count of forks at the start: a forked process has no thread */
    pthread_mutex_t mutex;
    pthread_cond_t stop; /* `stopped` is true */
    bool stopped;        /* guarded by the mutex */
};

/* pt_watchdog_start - watch the steps of LOOP, which has a port with the clock of the system
 * In the loop's thread, which must be the one that runs it; between turns. At most one in a thread.
 * A step is named between once and twice LIMIT after its beginning. It can get EINTR from a system
 * call then, at most twice. While the thread blocks PT_WATCHDOG_SIGNAL, nothing is printed, and
 * nothing later of a step that is over by then. A task on a small stack needs an alternate one for
 * the handler: pt_overflow_watch, or sigaltstack. Cost: a pt_watch, and two stores a step. PT_OK;
 * PT_EBUSY if the thread has one; PT_EINVAL if LIMIT is 0; PT_ENOMEM if there is no thread. */
PT_EXPORT pt_status pt_watchdog_start(struct pt_watchdog *dog, struct pt_loop *loop, pt_time limit);

/* pt_watchdog_barks - how many steps it has named; in any thread, and in a step; O(1) */
PT_EXPORT unsigned pt_watchdog_barks(const struct pt_watchdog *dog);

/* pt_watchdog_stop - in the same thread, between turns; the watchdog's thread has ended then */
PT_EXPORT void pt_watchdog_stop(struct pt_watchdog *dog);

PT_QUIET_CLOSE_

#endif
