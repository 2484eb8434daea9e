/* inspect.h - the tasks of a loop, and what each waits for
 * SPDX-License-Identifier: MIT
 *
 *     for (task = pt_loop_task(&loop, NULL); task; task = pt_loop_task(&loop, task))
 *         printf("%s %s\n", pt_task_name(task), pt_task_doing(task));
 *
 * The tasks of a loop form a tree: a group's tasks are below the task that opened the group. */
#ifndef PT_INSPECT_H
#define PT_INSPECT_H

#include "../run/run.h"

#if PT_INSPECT

/* --- the tasks of a loop ------------------------------------------------------------------- */

/* pt_task_parent - the task to whose group this one belongs, or NULL; O(its joiners) */
PT_API struct pt_task *pt_task_parent(const struct pt_task *task);

/* pt_loop_task - the first task of a loop if AFTER is NULL, else the one after it; or NULL
 * In the order of their spawns, but the tasks of a group come after their parent, those of an inner
 * block first. If no task is spawned or ends during the walk, each comes once. AFTER must be alive.
 * Cost for all: O(tasks). */
PT_API struct pt_task *pt_loop_task(const struct pt_loop *loop, const struct pt_task *after);

/* --- what a task does ---------------------------------------------------------------------- */

/* What a task can be doing. A pause does not change this until the task is held at its turn. */
#define PT_TASK_STATE_TABLE(X)     \
    X(IDLE, "was never spawned")   \
    X(DONE, "is done")             \
    X(RUNNING, "runs")             \
    X(READY, "is ready")           \
    X(SLEEPING, "sleeps")          \
    X(PARKED, "is parked")         \
    X(WAITING, "waits in a queue") \
    X(HELD, "is paused; otherwise ready")

/* PT_TASK_READY and so on: the names of the table. */
enum pt_task_state {
#define PT_TASK_STATE_ENUM_(name, text) PT_TASK_##name,
    PT_TASK_STATE_TABLE(PT_TASK_STATE_ENUM_)
#undef PT_TASK_STATE_ENUM_
};

/* pt_task_state - what a task does; O(1) */
PT_API enum pt_task_state pt_task_state(const struct pt_task *task);

/* pt_task_doing - pt_task_state in words; for a waiting task, what it waits for; static text */
PT_API const char *pt_task_doing(const struct pt_task *task);

/* pt_task_name - the name of its coroutine, or the name from pt_task_rename; NULL before a spawn
 * O(the functions that it is in). */
PT_API const char *pt_task_name(const struct pt_task *task);

/* pt_task_rename - give a task a name, which lasts until its next spawn; NAME is not copied
 * A task that was never spawned has none. O(the functions that it is in). */
PT_API void pt_task_rename(struct pt_task *task, const char *name);

/* pt_task_deadline - whether a task waits for a time: the end of its sleep, park or of a block
 * The earliest goes to *DEADLINE. O(open blocks) */
PT_API bool pt_task_deadline(const struct pt_task *task, pt_time *deadline);

/* --- implementation ------------------------------------------------------------------------ */

PT_API struct pt_task *pt_task_parent(const struct pt_task *task)
{
    return pt_task_above_(task);
}

PT_API struct pt_task *pt_loop_task(const struct pt_loop *loop, const struct pt_task *after)
{
    return pt_tree_next_(loop, after);
}

PT_API enum pt_task_state pt_task_state(const struct pt_task *task)
{
    if (!pt_task_alive(task))
        return pt_task_done(task) ? PT_TASK_DONE : PT_TASK_IDLE;
    if (task->loop->current == task)
        return PT_TASK_RUNNING;
    if (pt_task_parked_(task))
        return PT_TASK_PARKED;
    if (task->state & PT_STATE_QUEUED_) /* first: a select with a time is both */
        return PT_TASK_WAITING;
    if (task->state & PT_STATE_SLEEPING_)
        return PT_TASK_SLEEPING;
    return task->state & PT_STATE_HELD_ ? PT_TASK_HELD : PT_TASK_READY;
}

PT_API const char *pt_task_doing(const struct pt_task *task)
{
    static const char *const states[] = {
#define PT_TASK_STATE_TEXT_(name, text) text,
        PT_TASK_STATE_TABLE(PT_TASK_STATE_TEXT_)
#undef PT_TASK_STATE_TEXT_
    };
    static const char *const reasons[] = {
#define PT_WHY_TEXT_(name, text) text,
        PT_WHY_TABLE(PT_WHY_TEXT_)
#undef PT_WHY_TEXT_
    };
    enum pt_task_state state = pt_task_state(task);

    return state == PT_TASK_WAITING ? reasons[task->why & PT_WHY_MASK_] : states[state];
}

/* The frame of the task that nothing awaits, which has its name; NULL before a spawn, and if the
 * task is not alive and the frame has another role since. */
PT_API struct pt *pt_task_base_(const struct pt_task *task)
{
    struct pt *frame = pt_task_top_(task);

    if (!pt_task_alive(task))
        return frame && pt_has_name_(frame) ? frame : NULL;
    while (pt_caller_of_(frame))
        frame = pt_caller_of_(frame);
    return frame;
}

PT_API const char *pt_task_name(const struct pt_task *task)
{
    const struct pt *base = PT_NAME_FITS_ ? pt_task_base_(task) : NULL;

    return base ? pt_frame_task_name_(base) : pt_task_field_name_(task);
}

PT_API void pt_task_rename(struct pt_task *task, const char *name)
{
    struct pt *base = PT_NAME_FITS_ ? pt_task_base_(task) : NULL;

    PT_ASSERT_(pt_task_top_(task), "the task was never spawned, and a spawn names it",
               "pt_task_rename");
    pt_task_field_set_name_(task, name);
    if (base)
        pt_frame_set_task_name_(base, name);
}

/* Whether a task sleeps, or parks for a time. The end of that goes to *DEADLINE. */
PT_API bool pt_task_sleeps_(const struct pt_task *task, pt_time *deadline)
{
    bool sleeps = PT_HAS_TIMERS_ && (task->state & PT_STATE_SLEEPING_);

    if (sleeps)
        *deadline = pt_node_at_(&task->node);
    return sleeps;
}

/* Whether it is known since when a task waits, rounded to a turn; that goes to *SINCE. A park
 * without a time leaves the time of the turn in its node. */
PT_API bool pt_task_waits_since_(const struct pt_task *task, pt_time *since)
{
    enum pt_task_state state = pt_task_state(task);
    bool parked = PT_HAS_TIMERS_ && state == PT_TASK_PARKED && !pt_task_sleeps_(task, since);

    if (parked)
        *since = pt_node_at_(&task->node);
    if (PT_SINCE)
        *since = pt_task_since_(task);
    return parked || (PT_SINCE && (state == PT_TASK_SLEEPING || state == PT_TASK_WAITING));
}

#if PT_TIMEOUTS
/* The block of a task with the earliest deadline, or NULL. */
PT_API const struct pt_scope *pt_task_limit_(const struct pt_task *task)
{
    const struct pt_scope *first = NULL;

    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & (PT_SCOPE_TIMED_ | PT_SCOPE_LATE_)) &&
            !(scope->marks & PT_SCOPE_GROUP_) &&
            (!first || pt_time_before(scope->deadline, first->deadline)))
            first = scope;
    return first;
}

/* Whether FOUND, or whether a block of the task has a deadline. The earlier one goes to
 * *DEADLINE. */
PT_API bool pt_task_limited_(const struct pt_task *task, bool found, pt_time *deadline)
{
    const struct pt_scope *limit = pt_task_limit_(task);

    if (limit && (!found || pt_time_before(limit->deadline, *deadline)))
        *deadline = limit->deadline;
    return found || limit;
}
#else
#define pt_task_limited_(task, found, deadline) (found)
#endif

PT_API bool pt_task_deadline(const struct pt_task *task, pt_time *deadline)
{
    bool found = pt_task_sleeps_(task, deadline);

    return pt_task_limited_(task, found, deadline);
}

#endif
#endif
