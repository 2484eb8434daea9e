/* port.c - the port of a loop that has descriptors: the clock, the sleep, a sleep in another loop
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../fork.h"
#include "../needs.h"
#include "poll/poller.h"
#include "system.h"
#include "poll/wakeup.h"

#include <pt/inspect/observe.h>

#include <errno.h>
#include <unistd.h>

/* While tasks are ready, the poller is asked this often. A call takes about a microsecond. */
#define POLL_EVERY PT_US(50)

/* Stop a forked process: an event of the poller that it took would be lost for its parent. */
static void check_process(const struct pt_system *system, const char *name)
{
    PT_NEEDS_(!pt_forked_since_(system->forks),
              "a forked process runs its parent's loop: it needs a pt_system of its own", name);
}

/* Ask the poller; as its wait. */
static int ask(struct pt_system *system, int64_t timeout)
{
    system->looks++;
    return system->poller->wait(system, timeout);
}

/* Before a turn: ask the poller, if the last call is long ago. */
static pt_time before_turn(void *context)
{
    struct pt_system *system = context;
    pt_time moment = pt_posix.now(NULL);

    check_process(system, "pt_loop_run");
    if (!system->asked && moment - system->asked_at >= POLL_EVERY) {
        ask(system, 0);
        system->asked = true;
        moment = pt_posix.now(NULL);
    }
    if (system->asked)
        system->asked_at = moment;
    system->asked = false;
    return moment;
}

/* When to wake for a deadline: the next multiple of the slack, so that many deadlines share it. */
static pt_time wake_at(const struct pt_system *system, pt_time until)
{
    pt_time over = system->slack ? until % system->slack : 0;

    return over ? until + (system->slack - over) : until;
}

/* A longer sleep is split: not every system can sleep for years. */
#define LONGEST PT_SEC(86400)

enum { LOOKS = 16 }; /* looks for posts, which cost nothing, per call of the poller */

/* Spin until something happens, at most until BEGAN + MOST; whether it has. A post meanwhile needs
 * no wakeup. */
static bool look(struct pt_system *system, pt_time began, pt_time most)
{
    struct pt_loop *loop = system->loop;
    bool found = false;

    pt_loop_announce_(loop, NULL);
    for (unsigned looks = 0; !found && pt_posix.now(NULL) - began < most; looks++)
        found = pt_loop_posted(loop) || (looks % LOOKS == 0 && ask(system, 0));
    return !pt_loop_may_sleep_(loop) || found;
}

/* Spin before the sleep, as long as that pays. After an idle time of at most system->spin, which a
 * spin could have covered, the next spin lasts system->spin. After a longer one it is half as long
 * as the last one. */
static void look_and_sleep(struct pt_system *system, int64_t timeout)
{
    pt_time began = pt_posix.now(NULL), most = system->patience, looked;

    if (timeout >= 0 && (pt_time)timeout < most)
        most = (pt_time)timeout;
    if (!most || !look(system, began, most)) {
        looked = pt_posix.now(NULL) - began;
        if (timeout >= 0)
            timeout = looked < (pt_time)timeout ? timeout - (int64_t)looked : 0;
        ask(system, timeout);
    }
    if (pt_posix.now(NULL) - began <= system->spin)
        system->patience = system->spin;
    else
        system->patience = system->patience > system->spin / 64 ? system->patience / 2 : 0;
}

/* How long to sleep until UNTIL after a turn at the time TURN; below 0: for ever. */
static int64_t timeout_of(const struct pt_system *system, pt_time turn, pt_time until)
{
    pt_time delay = until - turn, late;

    if (delay == PT_DELAY_NEVER)
        return -1;
    delay = pt_time_before(until, turn) ? 0 : wake_at(system, until) - turn;
    late = pt_posix.now(NULL) - turn;
    return late < delay ? (int64_t)(delay - late < LONGEST ? delay - late : LONGEST) : 0;
}

static bool idle(void *context, pt_time turn, pt_time until)
{
    struct pt_system *system = context;
    int64_t timeout = timeout_of(system, turn, until);

    if (system->spin && timeout)
        look_and_sleep(system, timeout);
    else
        ask(system, timeout);
    system->asked = true;
    return true;
}

void pt_system_make_port_(struct pt_system *system)
{
    system->port.now = pt_posix.now;
    system->port.idle = idle;
    system->port.resize = pt_posix.resize;
    system->port.context = system;
    system->port.kick = pt_wakeup_write_;
    system->port.turn = before_turn;
    system->port.grain = pt_posix.grain;
}

struct pt_system *pt_system_of_(const struct pt_loop *loop)
{
    while (loop && (!loop->port || loop->port->idle != idle))
        loop = loop->host ? pt_task_loop_(loop->host) : NULL;
    return loop ? loop->port->context : NULL;
}

void pt_system_slack(struct pt_system *system, pt_time slack)
{
    system->slack = slack;
}

void pt_system_spin(struct pt_system *system, pt_time most)
{
    system->spin = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? most : 0;
    system->patience = most;
}

/* --- a guest in another loop ----------------------------------------------------------------- */

/* Outside of a dispatch a task has become ready: the other loop must call the next one. */
static void tell_host(struct pt_observer *guest, struct pt_task *task, bool spawned)
{
    struct pt_system *system =
        (struct pt_system *)(void *)((char *)guest - offsetof(struct pt_system, guest));

    (void)task;
    (void)spawned;
    pt_loop_ignore(system->loop, guest);
    pt_wakeup_write_(system);
}

/* Whether a turn would run a task now: one is ready, and slow motion does not hold it back. */
static bool has_work(const struct pt_loop *loop)
{
    return !pt_loop_idle(loop) && pt_loop_slowed_(loop, loop->now) == loop->now;
}

/* From now on, until the next dispatch, what makes a task ready makes the descriptor readable. If
 * there is something to do already, it is readable now. */
static void watch(struct pt_system *system)
{
    system->guest.woken = tell_host;
    pt_loop_observe(system->loop, &system->guest);
    if (!pt_loop_may_sleep_(system->loop) || has_work(system->loop))
        tell_host(&system->guest, NULL, false);
}

static void check(const struct pt_system *system, const char *name)
{
    PT_NEEDS_SYSTEM_(system, name);
    PT_NEEDS_(!pt_loop_current(system->loop), "called from a task of the same loop", name);
}

int pt_system_fd(struct pt_system *system)
{
    check(system, "pt_system_fd");
    if (!system->poller->descriptor) {
        errno = ENOTSUP;
        return -1;
    }
    watch(system);
    return system->poller->descriptor(system);
}

int pt_system_timeout(const struct pt_system *system)
{
    enum { PER_MS = 1000000 };
    struct pt_loop *loop = system->loop;
    pt_time next;
    int64_t timeout;

    check(system, "pt_system_timeout");
    next = pt_loop_slowed_(loop, pt_loop_next_(loop));
    if (next == loop->now || pt_loop_posted(loop))
        return 0;
    timeout = timeout_of(system, loop->now, next);
    return timeout < 0 ? -1 : (int)((timeout + PER_MS - 1) / PER_MS);
}

bool pt_system_dispatch(struct pt_system *system, unsigned most)
{
    struct pt_loop *loop = system->loop;
    int events;

    check(system, "pt_system_dispatch");
    check_process(system, "pt_system_dispatch");
    PT_NEEDS_(most > 0, "it may make no turn: pass 1 or more", "pt_system_dispatch");
    pt_loop_ignore(loop, &system->guest);
    pt_loop_announce_(loop, NULL);
    pt_loop_set_delay_clock_(loop, loop->port);
    do {
        events = ask(system, 0);
        system->asked = true;
        pt_loop_turn(loop, before_turn(system));
        if (!system->loop) /* a callback of the turn has closed it */
            return false;
    } while ((events || has_work(loop)) && --most);
    pt_loop_set_delay_clock_(loop, NULL);
    watch(system);
    return pt_loop_live(loop) > 0;
}
