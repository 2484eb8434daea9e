/* run.h - run a loop on a port: turns, and sleeps between them, until no task is alive
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     PT_START(&loop, &task, rocket, .countdown = 3);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop); */
#ifndef PT_RUN_H
#define PT_RUN_H

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

#if PT_FAST_ && PT_HAS_CLOCK_
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    return pt_fast_run_(loop);
}
#else
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    pt_clock_fn_ *clock = pt_loop_clock_(loop);

    pt_loop_reads_(loop, loop->port);
    while (pt_loop_live(loop)) {
        pt_time now = clock(loop->port->context);
        pt_time next = pt_loop_turn(loop, now);

        if (PT_HAS_TIMERS_)
            now = pt_loop_now_(loop); /* a task can have moved it: pt_loop_update */
        if (pt_loop_live(loop) && pt_loop_rests_(loop, &now, next) &&
            !pt_loop_sleep_until_(loop, now, next))
            break;
    }
    pt_loop_reads_(loop, NULL);
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
