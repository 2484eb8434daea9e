/* stuck.h - tasks that wait for each other in a circle, and tasks that nothing can wake any more
 * SPDX-License-Identifier: MIT
 *
 *     pt_dump_stuck(&loop, NULL, print_text, stderr);
 *
 *     deadlock: each waits for the next one, the last one for the first
 *         transfer: waits for a lock
 *             at transfer (bank.c:31)
 *         audit: waits for a lock
 *             at audit (bank.c:44)
 *
 * Two kinds. A *deadlock* is exact: a lock is held, a task is joined, a group or a pool is full of
 * tasks, and each of these waits, directly or not, for another of them. It can happen while
 * the rest of the program runs. Only a call ends it: pt_cancel and its like, or pt_group_add
 * of a task that ends. If a timeout, the end of another task of a group, or an owner that
 * leaves a group's block can cancel one of the tasks, it is no deadlock. Channels, queues,
 * events and semaphores are not among these: whoever has a pointer to a channel can send, and
 * a task does not declare that it will.
 *
 * A task is *suspected* if it waits for what no live task, no global variable and no stack leads
 * to: a channel whose other side has gone, an event that nothing leads to. That needs a description
 * of the memory: memory.h, or on a PC pt_find_stuck of libpt (host/find_stuck.h). With it, tasks
 * that wait for each other by channels, or in a group whose owner still runs the block, are named
 * as a circle, but suspected. Live are tasks that run, are ready, paused or timed, that wait for a
 * descriptor, and that a live task can wake, or make its group cancel. What is in static storage
 * can always be reached; the items of a PT_POOL cannot, unless something points to them. So a task
 * that is stuck can be missed. A pointer that is kept where the search cannot see it, in the kernel
 * or in a device, is declared by pt_keep. */
#ifndef PT_STUCK_H
#define PT_STUCK_H

#include "dump.h"
#include "keep.h"
#include "live.h"

#if PT_INSPECT && PT_CHANNELS

/* One task that is stuck. */
struct pt_stuck {
    const struct pt_task *task;
    const struct pt_task *waits_for; /* another one, whose step it needs; NULL: not known */
    unsigned circle;                 /* the number of its circle, from 1 on; 0: it is in none */
    bool exact;                      /* true: it waits for a deadlock; false: suspected */
};

/* pt_stuck_found - called for each task that is stuck; CONTEXT is what was passed with it
 * The tasks of a circle come one after the other, each before the one that it waits for.
 * It must not change the loop. */
typedef void pt_stuck_found(void *context, const struct pt_stuck *stuck);

/* pt_loop_find_stuck - find the tasks of a loop that are stuck; between turns, or in a task
 * MEMORY is a description made for this call, or NULL: then only deadlocks are found. Tasks of
 * other loops count as live. Returns PT_OK, or PT_ENOMEM if the description has no room for
 * the tasks: then only deadlocks were looked for. Cost: O(tasks) for each task in the longest
 * chain of waits, and with MEMORY a look at each word of it; without it, O(tasks) more for
 * each lock; for a task of a group, O(its joiners), and O(tasks of the group) if the end of
 * one of them can cancel the others. */
PT_API pt_status pt_loop_find_stuck(struct pt_loop *loop, struct pt_memory *memory,
                                    pt_stuck_found *found, void *context);

/* pt_dump_stuck - print the tasks that are stuck, and where each is; returns how many are stuck */
PT_API unsigned pt_dump_stuck(struct pt_loop *loop, struct pt_memory *memory, pt_print *print,
                              void *context);

/* --- implementation ------------------------------------------------------------------------ */

#define PT_STUCK_MOST_ 256 /* with more dead tasks, the user of an object is not searched */

/* Whether the frames of a task lead to BLOCK of the memory. */
PT_API bool pt_stuck_uses_(struct pt_memory *memory, const struct pt_task *task, size_t block)
{
    bool open;
    size_t own = pt_memory_block_(memory, (uintptr_t)task, &open);
    const struct pt_piece *piece;

    if (own == PT_NO_PIECE_ || own == block)
        return own == block;
    piece = &memory->pieces[own];
    return pt_memory_read_(memory, piece->start, piece->end, own + 1, block);
}

/* The link to the first task of the queue in which TASK waits. */
PT_API uintptr_t pt_stuck_head_(const struct pt_memory *memory, const struct pt_task *task)
{
    const struct pt_task *before;

    while ((before = pt_stuck_before_(memory, task)) != NULL)
        task = before;
    return (uintptr_t)task->node.prev;
}

/* The other task that is dead and leads to the object for which TASK waits, but does not wait
 * beside it; the first of several. */
PT_API const struct pt_task *pt_stuck_user_(struct pt_search_ *search, const struct pt_task *task)
{
    uintptr_t head;
    size_t block;
    bool open;

    if (!search->memory || search->dead > PT_STUCK_MOST_ ||
        (task->why & PT_WHY_MASK_) == PT_WHY_SELECT)
        return NULL;
    head = pt_stuck_head_(search->memory, task);
    /* It is in a block: else the task were live. */
    block = pt_memory_block_(search->memory, head, &open);
    for (const struct pt_task *it = pt_loop_task(search->loop, NULL); it;
         it = pt_loop_task(search->loop, it))
        if (it != task && pt_stuck_dead_(search, it) &&
            !((it->state & PT_STATE_QUEUED_) && pt_stuck_head_(search->memory, it) == head) &&
            pt_stuck_uses_(search->memory, it, block))
            return it;
    return NULL;
}

/* The task whose step a dead one needs, if it is dead, too; or NULL. */
PT_API const struct pt_task *pt_stuck_next_(struct pt_search_ *search, const struct pt_task *task)
{
    const struct pt_task *next = NULL;
    bool ends;

    if (!(task->state & PT_STATE_QUEUED_))
        return NULL;
    switch (task->why & PT_WHY_MASK_) {
    case PT_WHY_JOIN: next = (const struct pt_task *)task->waiter.item; break;
    case PT_WHY_GROUP: next = pt_stuck_member_(search, task->waiter.item); break;
    case PT_WHY_POOL: next = pt_stuck_pooled_(search, task->waiter.item, &ends); break;
    default:
        next = pt_stuck_holder_(task);
        if (!next)
            next = pt_stuck_user_(search, task);
        else if (!pt_stuck_knows_(search, next))
            next = NULL; /* it has ended */
    }
    return next && pt_stuck_dead_(search, next) ? next : NULL;
}

/* The task of pt_stuck_next_, to be marked. */
PT_ALWAYS struct pt_task *pt_stuck_next_to_mark_(struct pt_search_ *search,
                                                 const struct pt_task *task)
{
    return (struct pt_task *)(uintptr_t)pt_stuck_next_(search, task);
}

/* Tell what was found about one task. */
PT_API void pt_stuck_tell_(struct pt_search_ *search, struct pt_task *task, unsigned circle)
{
    struct pt_stuck stuck;

    stuck.task = task;
    stuck.waits_for = pt_stuck_next_(search, task);
    stuck.circle = circle;
    stuck.exact = !search->memory;
    task->why |= PT_STUCK_TOLD_;
    search->found(search->context, &stuck);
}

/* Follow the waits from TASK on, and tell a circle that they lead to. */
PT_API void pt_stuck_follow_(struct pt_search_ *search, struct pt_task *task)
{
    struct pt_task *it = task, *first;

    while (it && !(it->why & PT_STUCK_TOLD_)) {
        it->why |= PT_STUCK_PATH_;
        it = pt_stuck_next_to_mark_(search, it);
    }
    first = it;
    if (first && (first->why & PT_STUCK_TOLD_) == PT_STUCK_PATH_) {
        search->circles++;
        do {
            pt_stuck_tell_(search, it, search->circles);
            it = pt_stuck_next_to_mark_(search, it);
        } while (it != first);
    }
    for (it = task; it && (it->why & PT_STUCK_TOLD_) == PT_STUCK_PATH_;
         it = pt_stuck_next_to_mark_(search, it))
        it->why ^= PT_STUCK_TOLD_; /* followed */
}

/* Find what is live, with the memory or without, and tell the rest: circles first. */
PT_API void pt_stuck_search_(struct pt_search_ *search)
{
    struct pt_task *task;

    search->holder = NULL;
    for (task = pt_loop_task(search->loop, NULL); task; task = pt_loop_task(search->loop, task))
        if (pt_stuck_marks_(task) != PT_STUCK_TOLD_)
            task->why &= PT_WHY_MASK_;
    while (pt_stuck_round_(search)) {
    }
    for (task = pt_loop_task(search->loop, NULL); task; task = pt_loop_task(search->loop, task))
        if (!(task->why & PT_STUCK_LIVE_) && pt_stuck_marks_(task) != PT_STUCK_TOLD_) {
            task->why &= PT_WHY_MASK_;
            search->dead++;
        }
    for (task = pt_loop_task(search->loop, NULL); task; task = pt_loop_task(search->loop, task))
        if (!pt_stuck_marks_(task))
            pt_stuck_follow_(search, task);
    for (task = pt_loop_task(search->loop, NULL); task; task = pt_loop_task(search->loop, task))
        if (pt_stuck_marks_(task) == PT_STUCK_SEEN_)
            pt_stuck_tell_(search, task, 0);
}

PT_API pt_status pt_loop_find_stuck(struct pt_loop *loop, struct pt_memory *memory,
                                    pt_stuck_found *found, void *context)
{
    struct pt_search_ search = {loop, NULL, found, context, NULL, NULL, false, NULL, false, 0, 0};
    pt_status status = PT_OK;
    struct pt_task *task;

    if (memory && !pt_stuck_describe_(memory, loop)) {
        status = PT_ENOMEM;
    } else if (memory) {
        pt_memory_begin_(memory);
        search.known = memory;
    }
    pt_stuck_search_(&search);
    if (search.known) {
        search.memory = memory;
        pt_memory_read_areas_(memory);
        pt_stuck_reach_loop_(memory, loop);
        pt_stuck_search_(&search);
    }
    for (task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task))
        task->why &= PT_WHY_MASK_;
    return status;
}

/* --- in words --- */

struct pt_stuck_text_ {
    pt_print *print;
    void *context;
    struct pt_stuck last;
    unsigned count;
};

PT_API void pt_stuck_print_(void *context, const struct pt_stuck *stuck)
{
    struct pt_stuck_text_ *text = (struct pt_stuck_text_ *)context;
    bool other =
        !text->count || text->last.circle != stuck->circle || text->last.exact != stuck->exact;

    if (other && !stuck->exact)
        text->print(text->context, "suspected ");
    if (other && stuck->circle)
        text->print(text->context,
                    "deadlock: each waits for the next one, the last one for the first\n");
    else if (other)
        text->print(text->context,
                    stuck->exact ? "behind a deadlock:\n" : "to be stuck: nothing can wake it\n");
    pt_dump_task(stuck->task, 1, text->print, text->context);
    text->last = *stuck;
    text->count++;
}

PT_API unsigned pt_dump_stuck(struct pt_loop *loop, struct pt_memory *memory, pt_print *print,
                              void *context)
{
    struct pt_stuck_text_ text = {print, context, {NULL, NULL, 0, false}, 0};

    pt_loop_find_stuck(loop, memory, pt_stuck_print_, &text);
    return text.count;
}

#if PT_DEBUG && PT_PORT && PT_HOSTED && !defined(_WIN32)
/* clang-format off */
PT_C_LINKAGE_ int (dprintf)(int fd, const char *text, ...); /* also for a program's PT_PANIC */
/* clang-format on */

PT_COLD void pt_deadlock_print_(void *context, const char *text)
{
    (void)(dprintf)(2, "%s", text);
}

/* pt_loop_run, with PT_DEBUG. */
PT_COLD pt_status pt_loop_run_and_tell_(struct pt_loop *loop)
{
    pt_status status = pt_loop_run(loop);

    if (status == PT_EDEADLK) {
        pt_deadlock_print_(NULL, "pt: pt_loop_run: each task waits, and nothing can wake one:\n");
        pt_dump(loop, pt_deadlock_print_, NULL);
        pt_dump_stuck(loop, NULL, pt_deadlock_print_, NULL);
    }
    return status;
}
#define pt_loop_run(loop) pt_loop_run_and_tell_(loop)
#endif

#endif
#endif
