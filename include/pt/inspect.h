/* inspect.h - who is there, what each task waits for, and who takes too long
 * SPDX-License-Identifier: MIT
 *
 *     pt_dump(&loop, print_text, stderr);
 *
 *     server: sleeps, 250 ms
 *         at server (server.c:40)
 *         connection: waits for room in a pool, timeout in 1000 ms
 *             at read_line (line.c:12)
 *             at connection (server.c:71)
 *
 * The tasks of a loop are a tree: those of a group stand below the task whose block it is. The
 * lines of the source are there with PT_SITES; otherwise the number of the suspension. */
#ifndef PT_INSPECT_H
#define PT_INSPECT_H

#include "run.h"

#if PT_INSPECT

/* --- the tasks of a loop ------------------------------------------------------------------- */

/* The first task in the groups from SCOPE outwards, or NULL. */
PT_API struct pt_task *pt_scope_first_task_(struct pt_scope *scope)
{
#if PT_GROUPS
    for (; scope; scope = scope->outer) {
        struct pt_group *group = (struct pt_group *)(void *)scope;

        if ((scope->marks & PT_SCOPE_GROUP_) && !pt_group_empty(group))
            return pt_task_of_member_(pt_waits_first(&group->members));
    }
#endif
    (void)scope;
    return NULL;
}

/* pt_task_parent - the task to whose group this one belongs, or NULL; O(1) */
PT_API struct pt_task *pt_task_parent(const struct pt_task *task)
{
#if PT_GROUPS
    return task->group ? task->group->owner : NULL;
#else
    (void)task;
    return NULL;
#endif
}

/* pt_loop_task - the first task of a loop when AFTER is NULL, else the one behind it; or NULL
 * In the order of the spawns, the tasks of a group behind their parent. Each task is met once if
 * none is spawned or done meanwhile. Cost of all: O(tasks). */
PT_API struct pt_task *pt_loop_task(const struct pt_loop *loop, const struct pt_task *after)
{
    struct pt_node *node = pt_waits_first(&loop->tasks);
    struct pt_task *child;

    if (!after)
        return node ? pt_task_of_member_(node) : NULL;
#if PT_HAS_SCOPES_
    if ((child = pt_scope_first_task_(after->scopes)) != NULL)
        return child;
#endif
#if PT_GROUPS
    for (; after->group; after = after->group->owner) {
        if ((node = pt_waits_next(&after->group->members, &after->member)) != NULL)
            return pt_task_of_member_(node);
        if ((child = pt_scope_first_task_(after->group->scope.outer)) != NULL)
            return child;
    }
#endif
    (void)child;
    node = pt_waits_next(&loop->tasks, &after->member);
    return node ? pt_task_of_member_(node) : NULL;
}

/* --- what a task does ---------------------------------------------------------------------- */

/* What a task may be doing; pausing it does not change that, until its turn comes. */
#define PT_TASK_STATE_TABLE(X)     \
    X(IDLE, "was never spawned")   \
    X(DONE, "is done")             \
    X(RUNNING, "runs")             \
    X(READY, "is ready")           \
    X(SLEEPING, "sleeps")          \
    X(PARKED, "is parked")         \
    X(WAITING, "waits in a queue") \
    X(HELD, "is paused, and would be ready")

/* PT_TASK_READY and so on: the names of the table. */
enum pt_task_state {
#define PT_TASK_STATE_ENUM_(name, text) PT_TASK_##name,
    PT_TASK_STATE_TABLE(PT_TASK_STATE_ENUM_)
#undef PT_TASK_STATE_ENUM_
};

/* pt_task_state - what a task does; O(1) */
PT_API enum pt_task_state pt_task_state(const struct pt_task *task)
{
    if (!pt_task_alive(task))
        return pt_task_done(task) ? PT_TASK_DONE : PT_TASK_IDLE;
    if (task->loop->current == task)
        return PT_TASK_RUNNING;
    if (task->state & PT_TASK_SLEEPING_)
        return PT_TASK_SLEEPING;
    if (task->state & PT_TASK_LISTED_)
        return PT_TASK_WAITING;
    if (task->state & PT_TASK_PARKED_)
        return PT_TASK_PARKED;
    return task->state & PT_TASK_HELD_ ? PT_TASK_HELD : PT_TASK_READY;
}

/* pt_task_doing - the same in words, and for a task in a queue what that is for; static text */
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

    return state == PT_TASK_WAITING ? reasons[task->why] : states[state];
}

/* pt_task_name - what it is called: as its coroutine, or as pt_task_rename said */
PT_API const char *pt_task_name(const struct pt_task *task)
{
    return task->name;
}

/* pt_task_rename - give a task a name, from its spawn to the next one; NAME is not copied */
PT_API void pt_task_rename(struct pt_task *task, const char *name)
{
    task->name = name;
}

#if PT_TIMERS != PT_TIMERS_NONE
/* pt_task_deadline - whether a task has one: when its sleep is over, or a timeout ends its block
 * The first of them into *DEADLINE. O(open blocks) */
PT_API bool pt_task_deadline(const struct pt_task *task, pt_time *deadline)
{
    bool found = task->state & PT_TASK_SLEEPING_;

    if (found)
        *deadline = task->node.at;
#if PT_TIMEOUTS
    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_TIMED_) &&
            (!found || pt_time_before(scope->deadline, *deadline))) {
            *deadline = scope->deadline;
            found = true;
        }
#endif
    return found;
}
#endif

/* --- a picture of it all ------------------------------------------------------------------- */

/* pt_print - takes a piece of text; CONTEXT is what was passed with the function */
typedef void pt_print(void *context, const char *text);

PT_API void pt_print_number_(pt_print *print, void *context, uint64_t number)
{
    char text[21], *digit = &text[20];

    *digit = '\0';
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    print(context, digit);
}

PT_API void pt_print_indent_(pt_print *print, void *context, unsigned depth)
{
    while (depth--)
        print(context, "    ");
}

/* A line for each function that a task is in, the innermost first. */
PT_API void pt_dump_frames_(const struct pt_task *task, unsigned depth, pt_print *print,
                            void *context)
{
    const struct pt *frame = pt_task_top_(task);

    while (frame) {
        pt_print_indent_(print, context, depth);
#if PT_SITES
        if (frame->site) {
            print(context, "at ");
            print(context, frame->site->function);
            print(context, " (");
            print(context, frame->site->file);
            print(context, ":");
            pt_print_number_(print, context, frame->site->line);
            print(context, ")\n");
        } else
#endif
            if (frame->label == PT_LABEL_START_) {
            print(context, "not started\n");
        } else {
            print(context, "at suspension ");
            pt_print_number_(print, context, frame->label);
            print(context, "\n");
        }
#if PT_AWAIT
        frame = frame->caller;
#else
        frame = NULL;
#endif
    }
}

/* pt_dump_task - print what a task does, and where; DEPTH: how far to indent it */
PT_API void pt_dump_task(const struct pt_task *task, unsigned depth, pt_print *print, void *context)
{
    pt_time deadline;

    pt_print_indent_(print, context, depth);
    print(context, task->name ? task->name : "a task");
    print(context, ": ");
    print(context, pt_task_doing(task));
#if PT_PAUSE
    if (pt_task_alive(task) && pt_task_paused(task) && !(task->state & PT_TASK_HELD_))
        print(context, ", is paused");
#endif
#if PT_CANCEL
    if (pt_task_alive(task) && pt_task_canceled(task))
        print(context, ", is canceled");
#endif
#if PT_TIMERS != PT_TIMERS_NONE
    if (pt_task_alive(task) && pt_task_deadline(task, &deadline)) {
        pt_time now = task->loop->now;
        uint64_t left = pt_time_before(now, deadline) ? (pt_time)(deadline - now) : 0;

        print(context, task->state & PT_TASK_SLEEPING_ ? ", " : ", timeout in ");
        pt_print_number_(print, context, (left * 1000 + PT_TICKS_PER_SEC - 1) / PT_TICKS_PER_SEC);
        print(context, " ms");
    }
#else
    (void)deadline;
#endif
    print(context, "\n");
    if (pt_task_alive(task))
        pt_dump_frames_(task, depth + 1, print, context);
}

/* pt_dump - print all tasks of a loop, each below its parent, with where they are */
PT_API void pt_dump(const struct pt_loop *loop, pt_print *print, void *context)
{
    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task)) {
        unsigned depth = 0;

        for (const struct pt_task *up = pt_task_parent(task); up; up = pt_task_parent(up))
            depth++;
        pt_dump_task(task, depth, print, context);
    }
}

#endif
#endif
