/* urgent.h - urgent tasks of a loop: they run before the others
 * SPDX-License-Identifier: MIT
 *
 *     PT_START(&loop, &storage, brake);             PT_READY is PT_READY_URGENT (config.h)
 *     pt_task_set_urgent(&storage.task, true);
 *
 * An urgent task that is woken, or whose wait is over, runs behind the step that runs, and not
 * behind the steps of all that are ready. For that the loop carries out posts behind each step, not
 * only when a turn begins, and looks for an urgent task: no other PT_READY pays for that. Urgent
 * tasks run in the order in which they became ready.
 *
 * The others do not starve. Between two of their steps each urgent task runs at most once. A yield
 * is no wake: an urgent task that yields, or that begins, takes its turn with the others. The turn
 * of a nested loop is one step of the loop around it. */
#ifndef PT_URGENT_H
#define PT_URGENT_H

#include "await.h"
#include "inbox.h"

#if PT_HAS_URGENT_
/* pt_task_set_urgent - mark a task as urgent, or not; O(1)
 * It counts when the task becomes ready the next time. Call it in the loop's thread, behind the
 * task's start, which clears the mark. A task of a nested loop is urgent within that loop. */
PT_ALWAYS void pt_task_set_urgent(struct pt_task *task, bool urgent);

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS void pt_task_set_urgent(struct pt_task *task, bool urgent)
{
    task->urgent = urgent;
}

/* Take the task that runs next: an urgent one, or the next of the batch. Behind each step of one
 * that is not urgent, all run that are urgent and ready by then; what becomes ready meanwhile waits
 * for the next such step: so urgent tasks that wake one another do not hold up the rest. */
PT_API bool pt_loop_take_(struct pt_loop *loop, struct pt_batch_ *batch, struct pt_node **node)
{
    struct pt_urgent_ *urgent = &loop->ready.urgent;
    struct pt_node **none = &urgent->fifo.first; /* the tail of an empty queue */

    pt_census_set_current_(loop, NULL);
    if (!urgent->until) {
        pt_loop_drain_(loop);
        urgent->until = urgent->fifo.tail;
    }
    if (urgent->until == none) {
        urgent->until = NULL;
        return pt_ready_take_(&loop->ready, batch, node, 0);
    }
    *node = pt_fifo_pop(&urgent->fifo);
    if (urgent->until == &(*node)->link.next)
        urgent->until = none;
    return true;
}
#else
#define pt_loop_take_(loop, batch, node) pt_ready_take_(&(loop)->ready, batch, node, 0)
#endif
#endif
