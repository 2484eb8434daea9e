/* run.h - run a loop on a port: turns, and sleeps between them, until no task is alive
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     PT_START(&loop, &task, rocket, .countdown = 3);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop); */
#ifndef PT_RUN_H
#define PT_RUN_H

#include "../base/units.h"
#include "remote.h"
#include "turn.h"

#if PT_PORT
/* pt_loop_open - open a loop that uses a port's clock and, if it has any, its memory
 * With memory, the loop's storage grows with the number of tasks. PORT must outlive the loop. */
PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port);

/* pt_loop_run - run turns, and sleep between them, until no task is alive
 * Returns PT_OK, or PT_EDEADLK when tasks are left and the port reports that nothing will ever wake
 * one. The port of a pt_system never does: it waits. With an open remote, a loop on a port with a
 * kick waits, too, for example on pt_posix: a post can come. The clock is read before a turn, but
 * batches of a few short steps share a reading: there loop->now can be older than the batch.
 * PT_NOW, a deadline and a block renew it first; a delay counts from the end of its step. */
PT_API pt_status pt_loop_run(struct pt_loop *loop);

/* pt_loop_close - close a loop, and give its storage back to the port; no task may be alive
 * After PT_EDEADLK, pt_loop_cancel ends the tasks that are left: nest.h shows how. */
PT_API void pt_loop_close(struct pt_loop *loop);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port)
{
    pt_loop_init(loop, port->now(port->context));
    loop->port = port;
    pt_loop_init_heap_(loop);
}

/* --- the sleep ------------------------------------------------------------------------------ */

/* Sleep until the time is NEXT or something is posted; false: nothing can happen any more. */
PT_API bool pt_loop_sleep_until_(struct pt_loop *loop, pt_time now, pt_time next)
{
    bool more;

    if (!pt_loop_may_sleep_(loop))
        return true;
    more = loop->port->idle(loop->port->context, now, next);
    if (!more && pt_loop_expects_posts_(loop))
        more = loop->port->idle(loop->port->context, now, (pt_time)(now + PT_DELAY_MAX));
    pt_loop_announce_(loop, NULL);
    return more;
}

/* What reads the clock between two turns of pt_loop_run. */
typedef pt_time pt_clock_fn_(void *context);
PT_ALWAYS pt_clock_fn_ *pt_loop_clock_(const struct pt_loop *loop)
{
    PT_ASSERT_(loop->port, "the loop has no port: call pt_loop_open, or pt_loop_turn",
               "pt_loop_run");
    return loop->port->turn ? loop->port->turn : loop->port->now;
}

/* --- turns and sleeps ----------------------------------------------------------------------- */

#if !PT_FAST_ || !PT_HAS_CLOCK_
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    pt_clock_fn_ *clock = pt_loop_clock_(loop);

    pt_loop_set_delay_clock_(loop, loop->port);
    while (pt_loop_live(loop)) {
        pt_time now = clock(loop->port->context);
        pt_time next = pt_loop_turn(loop, now);

        if (PT_HAS_TIMERS_)
            now = pt_loop_now_(loop); /* a task can have moved it: pt_loop_update */
        if (pt_loop_live(loop) && pt_loop_next_is_ahead_(loop, &now, next) &&
            !pt_loop_sleep_until_(loop, now, next))
            break;
    }
    pt_loop_set_delay_clock_(loop, NULL);
    return pt_loop_live(loop) ? (pt_status)PT_EDEADLK : (pt_status)PT_OK;
}
#else /* a PC: several batches can share a reading of the clock (fast.h) */
/* How many steps the next reading of the clock is for; the last one was for STEPS, and was PASSED
 * ticks old after them. The number grows to PT_TURN_STEPS while steps are short, and falls to a
 * single batch when they take long. So timers are noticed after some 10 microseconds, or after one
 * batch; only the first long steps after many short ones can delay them more. */
PT_API unsigned pt_turn_steps_(unsigned steps, pt_time passed)
{
    unsigned most = PT_TURN_STEPS, more = 2 * steps + 1;

    if (passed >= PT_US(10))
        return steps / 4;
    return more < most ? more : most;
}

/* pt_fast_turn_, not inlined in pt_loop_run: a batch needs the registers. */
PT_NOINLINE pt_time pt_fast_turn_apart_(struct pt_loop *loop, pt_time now, unsigned steps)
{
    return pt_fast_turn_(loop, now, steps);
}

PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    pt_clock_fn_ *clock = pt_loop_clock_(loop);
    pt_time now, next, read = 0;
    unsigned steps = 0;
    bool sleeps = true;

    pt_loop_set_delay_clock_(loop, loop->port);
    while (pt_loop_live(loop)) {
        now = clock(loop->port->context);
        if (!sleeps)
            steps = pt_turn_steps_(steps, (pt_time)(now - read));
        read = now;
        next = pt_fast_turn_apart_(loop, now, steps);
        now = loop->now; /* a task can have moved it: pt_loop_update */
        sleeps = !pt_loop_reading_is_old_(loop) && pt_loop_next_is_ahead_(loop, &now, next);
        if (sleeps && now != read)
            steps = pt_turn_steps_(steps, (pt_time)(now - read));
        if (pt_loop_live(loop) && sleeps && !pt_loop_sleep_until_(loop, now, next))
            break;
    }
    pt_loop_set_delay_clock_(loop, NULL);
    return pt_loop_live(loop) ? (pt_status)PT_EDEADLK : (pt_status)PT_OK;
}
#endif

PT_API void pt_loop_close(struct pt_loop *loop)
{
    pt_loop_do_posts_(loop);
    PT_ASSERT_(!loop->live, "tasks are still alive", "pt_loop_close");
    pt_loop_free_timers_(loop);
    pt_loop_free_ready_(loop);
    pt_loop_set_capacity_(loop, 0);
    loop->port = NULL;
}

/* Close the copy of a loop in a forked process: its tasks and its posts are those of the parent. */
PT_API void pt_loop_drop_(struct pt_loop *loop)
{
    pt_loop_drop_posts_(loop);
    loop->live = 0;
    pt_loop_close(loop);
}

#endif
#endif
