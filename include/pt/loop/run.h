/* run.h - a loop on a port: open it, run it until no task is alive, close it
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

#if PT_POOLS
PT_API void pt_loop_free_task_(struct pt_owner *heap, struct pt_task *task)
{
    struct pt_loop *loop =
        (struct pt_loop *)(void *)((char *)heap - offsetof(struct pt_loop, heap));

    loop->port->resize(loop->port->context, task, 0);
}
#endif

/* pt_loop_open - open a loop that uses a port's clock and, if it has any, its memory
 * With memory, the loop's storage grows with the number of tasks. PORT must outlive the loop. */
PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port)
{
    pt_loop_init(loop, port->now(port->context));
    loop->port = port;
    PT_IF_(PT_POOLS, loop->heap.release = pt_loop_free_task_;)
}

/* Give a block back to the port, if the port has memory. */
PT_API void pt_loop_free_(const struct pt_loop *loop, void *block)
{
    if (block && loop->port && loop->port->resize)
        loop->port->resize(loop->port->context, block, 0);
}

/* pt_loop_close - close a loop, and give its storage back to the port; no task may be alive */
PT_API void pt_loop_close(struct pt_loop *loop)
{
    PT_IF_(PT_REMOTE, pt_loop_shut(loop);)
    PT_ASSERT_(!loop->live, "tasks are still alive", "pt_loop_close");
    PT_IF_(PT_TIMERS_STORAGE_, pt_loop_free_(loop, loop->timers.heap.entries);)
    PT_IF_(PT_READY_STORAGE_, pt_loop_free_(loop, loop->ready.ring);)
    PT_IF_(PT_LOOP_HAS_STORAGE_, loop->capacity = 0;)
    loop->port = NULL;
}

/* Sleep until the time is NEXT or something is posted; false: nothing will ever happen. */
PT_API bool pt_loop_sleep_until_(struct pt_loop *loop, pt_time now, pt_time next)
{
    bool more;

    PT_IF_(PT_REMOTE, if (!pt_loop_may_sleep_(loop)) return true;)
    more = loop->port->idle(loop->port->context, now, next);
    PT_IF_(PT_REMOTE, pt_port_swap_(&loop->sleeping_port, NULL);)
    return more;
}

/* pt_loop_run - run turns, and sleep between them, until no task is alive
 * Returns PT_OK, or PT_EDEADLK when tasks are left and the port reports that nothing will ever
 * wake one. */
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    const struct pt_port *port = loop->port;

    while (pt_loop_live(loop)) {
        pt_time now = port->now(port->context), next = pt_loop_turn(loop, now);

        PT_IF_(PT_HAS_TIMERS_, now = loop->now;) /* a task can have moved it: pt_loop_update */
        if (pt_loop_live(loop) && next != now && !pt_loop_sleep_until_(loop, now, next))
            return PT_EDEADLK;
    }
    return PT_OK;
}

#endif

#endif
