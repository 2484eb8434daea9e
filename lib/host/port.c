/* port.c - the port of a loop that has descriptors: the clock, the sleep, or another loop that sleeps
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../fork.h"
#include "poll/poller.h"
#include "system.h"
#include "poll/wakeup.h"

#include <unistd.h>

/* While tasks are ready, the poller is asked this often. A call takes about a microsecond. */
#define POLL_EVERY PT_US(50)

/* Before a turn: ask the poller, if the last call is long ago. */
static pt_time before_turn(void *context)
{
    struct pt_system *system = context;
    pt_time moment = pt_posix.now(NULL);

    if (pt_forked_since_(system->forks))
        PT_PANIC("a forked process runs its parent's loop: it needs a pt_system of its own",
                 "pt_loop_run", 0);
    if (!system->asked && moment - system->asked_at >= POLL_EVERY) {
        system->poller->wait(system, 0);
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
        found = pt_loop_posted(loop) || (looks % LOOKS == 0 && system->poller->wait(system, 0));
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
        system->poller->wait(system, timeout);
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
        system->poller->wait(system, timeout);
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
