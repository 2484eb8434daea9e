/* stuck.h - tasks that wait for each other in a circle, and tasks that nobody can wake any more
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
 * the rest of the program runs. Only a cancel ends it.
 *
 * A task is *suspected* if it waits for what no live task, no global variable and no stack leads to:
 * a channel whose other side has gone, an event that nobody has. That needs a description of the
 * memory: memory.h, or on a PC pt_find_stuck of libpt (host/find_stuck.h). Live are tasks that run, are
 * ready, paused or timed, that wait for a descriptor, and that a live task can wake. What is in
 * static storage can always be reached; the items of a PT_POOL cannot, unless something points to
 * them. So a task that is stuck can be missed. A pointer that is kept where the search cannot see it,
 * in the kernel or in a device, is declared by pt_keep. */
#ifndef PT_STUCK_H
#define PT_STUCK_H

#include "dump.h"
#include "memory.h"
#include "../loop/pool.h"
#include "../sync/lock.h"
#include "../sync/rwlock.h"

#if PT_INSPECT && PT_CHANNELS

/* One task that is stuck. */
struct pt_stuck {
    const struct pt_task *task;
    const struct pt_task *waits_for; /* another one, whose step it needs; NULL: not known */
    unsigned circle;                 /* the number of its circle, from 1 on; 0: it is in none */
    bool exact;                      /* true: it waits for a deadlock; false: suspected */
};

/* pt_stuck_found - called for each task that is stuck; CONTEXT is what was passed with it
 * The tasks of a circle come one after the other, each before the one that it waits for. It must not
 * change the loop. */
typedef void pt_stuck_found(void *context, const struct pt_stuck *stuck);

/* pt_loop_find_stuck - find the tasks of a loop that are stuck; between turns, or in a task
 * MEMORY is a description made for this call, or NULL: then only deadlocks are found. Tasks of other
 * loops count as live. Returns PT_OK, or PT_ENOMEM if the description has no room for the tasks: then
 * only deadlocks were looked for. Cost: O(tasks) for each task in the longest chain of waits, and
 * with MEMORY a look at each word of it. */
PT_API pt_status pt_loop_find_stuck(struct pt_loop *loop, struct pt_memory *memory,
                                    pt_stuck_found *found, void *context);

/* pt_dump_stuck - print the same, and where each task is; returns how many are stuck */
PT_API unsigned pt_dump_stuck(struct pt_loop *loop, struct pt_memory *memory, pt_print *print,
                              void *context);

/* A pointer that is kept where a search cannot see it. */
struct pt_kept {
    const void *pointer;
    struct pt_kept *next; /* written by pt_keep */
};

/* pt_keep - declare that something holds POINTER where no search sees it: a device, the kernel
 * A task or an object that it points to, or into, can then be woken or used. KEPT must exist until
 * pt_unkeep. O(1) */
PT_API void pt_keep(struct pt_loop *loop, struct pt_kept *kept, const void *pointer);

/* pt_unkeep - nothing holds the pointer any more; no effect if KEPT was not declared; O(n) */
PT_API void pt_unkeep(struct pt_loop *loop, struct pt_kept *kept);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_keep(struct pt_loop *loop, struct pt_kept *kept, const void *pointer)
{
    kept->pointer = pointer;
    kept->next = loop->kept;
    loop->kept = kept;
}

PT_API void pt_unkeep(struct pt_loop *loop, struct pt_kept *kept)
{
    struct pt_kept **link = &loop->kept;

    while (*link && *link != kept)
        link = &(*link)->next;
    if (*link)
        *link = kept->next;
}

/* Marks of a task during a search, beside what it waits for. */
enum {
    PT_STUCK_PATH_ = 0x20, /* on the path that is followed now */
    PT_STUCK_SEEN_ = 0x40, /* followed; with PATH: told */
    PT_STUCK_LIVE_ = 0x80,
    PT_STUCK_TOLD_ = PT_STUCK_PATH_ | PT_STUCK_SEEN_
};

/* One search. */
struct pt_search_ {
    struct pt_loop *loop;
    struct pt_memory *memory; /* NULL: what is not another task's counts as live */
    pt_stuck_found *found;
    void *context;
    const struct pt_task *holder; /* the last that was looked up, and whether it is of the loop */
    bool held;
    const void *pool; /* the same, and whether one of its tasks can end */
    bool pool_ends;
    unsigned circles;
    unsigned dead; /* how many are */
};

#define PT_STUCK_MOST_ 256 /* with more dead tasks, nobody looks which of them uses what */

PT_ALWAYS unsigned pt_stuck_marks_(const struct pt_task *task)
{
    return task->why & (PT_STUCK_TOLD_ | PT_STUCK_LIVE_);
}

/* Whether no search has found yet that the task can go on. */
PT_ALWAYS bool pt_stuck_dead_(const struct pt_search_ *search, const struct pt_task *task)
{
    return task->loop == search->loop && !(task->why & PT_STUCK_LIVE_);
}

/* Whether a task is one of the loop's. It may be gone: the holder of a lock can end and forget it. */
PT_API bool pt_stuck_knows_(struct pt_search_ *search, const struct pt_task *task)
{
    const struct pt_task *it = NULL;

    if (search->holder == task)
        return search->held;
    while ((it = pt_loop_task(search->loop, it)) && it != task) {
    }
    search->holder = task;
    search->held = it != NULL;
    return search->held;
}

/* Whether a task need not be woken by another one. */
PT_API bool pt_stuck_wakes_itself_(const struct pt_task *task)
{
    if (task->loop->current == task || (task->state & PT_STATE_SLEEPING_))
        return true;
    PT_IF_(PT_TIMEOUTS, if (pt_scopes_first_(task)) return true;)
    return !(task->state & PT_STATE_QUEUED_) && !pt_task_parked_(task);
}

/* The task that a lock leads to: its holder; NULL: none does, or it reads and nobody knows who. */
PT_API const struct pt_task *pt_stuck_holder_(const struct pt_task *task)
{
    const void *item = task->waiter.item;
    unsigned why = task->why & PT_WHY_MASK_;

    if (why == PT_WHY_SHARED || (why == PT_WHY_LOCK && (task->state & PT_STATE_HAS_OPS_)))
        return ((const struct pt_rwlock *)item)->writer;
    if (why == PT_WHY_LOCK || (why == PT_WHY_CONDITION && (task->flags & PT_FLAG_GIVEN_)))
        return ((const struct pt_lock *)item)->owner;
    return NULL;
}

#if PT_GROUPS
/* The first task of a group that is dead so far, or NULL. */
PT_API const struct pt_task *pt_stuck_member_(const struct pt_search_ *search, const void *item)
{
    const struct pt_group *group = (const struct pt_group *)item;

    for (struct pt_node *node = pt_wait_queue_first_(&group->members); node;
         node = pt_wait_queue_next_(&group->members, node))
        if (pt_stuck_dead_(search, pt_task_of_member_(node)))
            return pt_task_of_member_(node);
    return NULL;
}
#else
#define pt_stuck_member_(search, item) ((void)(search), (const struct pt_task *)NULL)
#endif

#if PT_POOLS
/* The first task of a pool that is dead so far. *ENDS: whether another one can end. */
PT_API const struct pt_task *pt_stuck_pooled_(const struct pt_search_ *search, const void *item,
                                              bool *ends)
{
    const struct pt_pool *pool = (const struct pt_pool *)item;
    const struct pt_task *dead = NULL;
    unsigned count = 0;

    for (const struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (task->owner == &pool->owner && pt_stuck_dead_(search, task)) {
            dead = dead ? dead : task;
            count++;
        }
    *ends = count < pool->used;
    return dead;
}

#else
#define pt_stuck_pooled_(search, item, ends) (*(ends) = true, (const struct pt_task *)NULL)
#endif

/* Whether one of its tasks can end. The answer is kept for the next task that waits for it. */
PT_API bool pt_stuck_pool_ends_(struct pt_search_ *search, const void *pool)
{
    if (search->pool != pool)
        (void)pt_stuck_pooled_(search, pool, &search->pool_ends);
    search->pool = pool;
    return search->pool_ends;
}

/* --- what can be reached --- */

/* A task can go on: so it can use all that its frames lead to. */
PT_API void pt_stuck_live_(struct pt_search_ *search, struct pt_task *task)
{
    struct pt_memory *memory = search->memory;

    task->why = (uint8_t)((task->why & PT_WHY_MASK_) | PT_STUCK_LIVE_);
    if (!memory)
        return;
    pt_memory_reach_(memory, (uintptr_t)task);
    PT_IF_(PT_POOLS, pt_memory_reach_(memory, (uintptr_t)task->owner);)
    PT_IF_(PT_GROUPS, pt_memory_reach_(memory, (uintptr_t)task->group);)
    PT_IF_(PT_AWAIT, for (const struct pt *frame = task->top; frame; frame = frame->caller)
                         pt_memory_reach_(memory, (uintptr_t)frame);)
}

/* The task that stands before this one in its queue; NULL if it is the first. */
PT_API struct pt_task *pt_stuck_before_(const struct pt_memory *memory, const struct pt_task *task)
{
    uintptr_t link = (uintptr_t)task->node.prev;
    size_t at = pt_memory_piece_(memory, link);
    struct pt_task *before;

    if (at == PT_NO_PIECE_ || memory->pieces[at].kind != PT_PIECE_TASK_)
        return NULL;
    before = (struct pt_task *)memory->pieces[at].start;
    return link == (uintptr_t)&before->node.link.next ? before : NULL; /* else the task's joiners */
}

/* Whether something can use the queue in which a task waits. If so, the tasks before it are live. A
 * queue is followed once in a round. */
PT_API bool pt_stuck_queue_reached_(struct pt_search_ *search, struct pt_task *last)
{
    struct pt_memory *memory = search->memory;
    struct pt_task *task;
    struct pt_task *before = last;
    bool reached = false;

    do {
        task = before;
        task->why |= PT_STUCK_PATH_;
        before = pt_stuck_before_(memory, task);
    } while (before && !(before->why & (PT_STUCK_LIVE_ | PT_STUCK_PATH_)));
    if (!before)
        reached = pt_memory_reached_(memory, (uintptr_t)task->node.prev);
    else if (before->why & PT_STUCK_LIVE_)
        reached = true;
    for (before = last; reached && before != task; before = pt_stuck_before_(memory, before))
        pt_stuck_live_(search, before);
    if (reached)
        pt_stuck_live_(search, task);
    return reached;
}

#if PT_SELECTS
PT_API bool pt_stuck_select_reached_(const struct pt_search_ *search,
                                     const struct pt_select_ *select)
{
    for (uint_fast8_t i = 0; i < select->count; i++)
        if (pt_memory_reached_(search->memory, (uintptr_t)select->cases[i].target))
            return true;
    return false;
}
#endif

/* Whether a live task, or whatever else runs, can end a wait that is not for a certain task. */
PT_API bool pt_stuck_reached_(struct pt_search_ *search, struct pt_task *task)
{
    if (!search->memory || (task->why & PT_WHY_MASK_) == PT_WHY_IO)
        return true;
    if (!(task->state & PT_STATE_QUEUED_))
        return pt_memory_reached_(search->memory, (uintptr_t)task);
    PT_IF_(PT_SELECTS,
           if ((task->why & PT_WHY_MASK_) == PT_WHY_SELECT) return pt_stuck_select_reached_(
               search, (const struct pt_select_ *)task->waiter.item);)
    return pt_stuck_queue_reached_(search, task);
}

/* Whether the holder of a lock can release it. One that is not of the loop is in another one, or has
 * ended and its storage can be gone. */
PT_READS_ALL_ PT_API bool pt_stuck_releases_(struct pt_search_ *search,
                                             const struct pt_task *holder)
{
    if (pt_stuck_knows_(search, holder))
        return !pt_stuck_dead_(search, holder);
    if (!search->memory)
        return true;
    return pt_memory_has_(search->memory, (uintptr_t)holder) && pt_task_alive(holder) &&
           holder->loop != search->loop;
}

/* Whether a task can go on, by what is known so far. */
PT_API bool pt_stuck_goes_on_(struct pt_search_ *search, struct pt_task *task)
{
    const struct pt_task *holder;

    if (pt_stuck_wakes_itself_(task))
        return true;
    if (task->state & PT_STATE_QUEUED_) {
        switch (task->why & PT_WHY_MASK_) {
        case PT_WHY_JOIN: return !pt_stuck_dead_(search, (const struct pt_task *)task->waiter.item);
        case PT_WHY_GROUP: return !pt_stuck_member_(search, task->waiter.item);
        case PT_WHY_POOL: return pt_stuck_pool_ends_(search, task->waiter.item);
        default:
            holder = pt_stuck_holder_(task);
            if (holder)
                return pt_stuck_releases_(search, holder);
        }
    }
    return pt_stuck_reached_(search, task);
}

/* Look at each task that is not known to be live; whether one more is. */
PT_API bool pt_stuck_round_(struct pt_search_ *search)
{
    bool more = false;

    search->pool = NULL;
    if (search->memory)
        pt_memory_spread_(search->memory);
    for (struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (pt_stuck_marks_(task) != PT_STUCK_TOLD_)
            task->why &= (uint8_t)~PT_STUCK_PATH_;
    for (struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (!(task->why & PT_STUCK_LIVE_) && pt_stuck_marks_(task) != PT_STUCK_TOLD_ &&
            pt_stuck_goes_on_(search, task)) {
            pt_stuck_live_(search, task);
            more = true;
        }
    return more;
}

/* --- what was found --- */

/* Whether the frames of a task lead to BLOCK of the memory. */
PT_API bool pt_stuck_uses_(struct pt_memory *memory, const struct pt_task *task, size_t block)
{
    bool open;
    size_t own = pt_memory_block_(memory, (uintptr_t)task, &open);
    const struct pt_piece *piece = &memory->pieces[own];

    if (own == PT_NO_PIECE_ || own == block)
        return own == block;
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

/* The other task that is dead and leads to the object for which TASK waits, but does not wait beside
 * it; the first of several. */
PT_API const struct pt_task *pt_stuck_user_(struct pt_search_ *search, const struct pt_task *task)
{
    uintptr_t head;
    size_t block;
    bool open;

    if (!search->memory || search->dead > PT_STUCK_MOST_ ||
        (task->why & PT_WHY_MASK_) == PT_WHY_SELECT)
        return NULL;
    head = pt_stuck_head_(search->memory, task);
    block = pt_memory_block_(search->memory, head, &open);
    if (block == PT_NO_PIECE_)
        return NULL;
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

/* The same, to be marked. */
PT_ALWAYS struct pt_task *pt_stuck_other_(struct pt_search_ *search, const struct pt_task *task)
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
        it = pt_stuck_other_(search, it);
    }
    first = it;
    if (first && (first->why & PT_STUCK_TOLD_) == PT_STUCK_PATH_) {
        search->circles++;
        do {
            pt_stuck_tell_(search, it, search->circles);
            it = pt_stuck_other_(search, it);
        } while (it != first);
    }
    for (it = task; it && (it->why & PT_STUCK_TOLD_) == PT_STUCK_PATH_;
         it = pt_stuck_other_(search, it))
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

#if PT_POOLS
/* Describe the pool of a task: it is pt's own, from its first member to the pointer to the item that
 * was taken last, which follows the items. The task's item is a block. */
PT_API bool pt_stuck_describe_pool_(struct pt_memory *memory, const struct pt_task *task)
{
    const struct pt_pool *pool = (const struct pt_pool *)(const void *)task->owner;

    if (!pool || pool->owner.release != pt_pool_release_)
        return true;
    return pt_memory_put_(memory, pool, (size_t)(pool->end - (const char *)pool) + sizeof(void *),
                          PT_PIECE_LINKS_) &&
           pt_memory_add(memory, task, pool->size);
}
#else
#define pt_stuck_describe_pool_(memory, task) ((void)(task), true)
#endif

/* Describe the arrays of the queues: pointers of earlier tasks are left in them. */
PT_API bool pt_stuck_describe_queues_(struct pt_memory *memory, const struct pt_loop *loop)
{
    bool room = true;

    (void)memory, (void)loop;
#if PT_READY_STORAGE_
    if (loop->ready.ring)
        room = pt_memory_put_(memory, loop->ready.ring,
                              (loop->ready.mask + 1 + PT_READY_AHEAD_) * sizeof *loop->ready.ring,
                              PT_PIECE_LINKS_);
#endif
#if PT_TIMERS_STORAGE_
    if (loop->timers.heap.entries)
        room = room && pt_memory_put_(memory, loop->timers.heap.entries,
                                      loop->timers.heap.capacity * sizeof(struct pt_heap_entry),
                                      PT_PIECE_LINKS_);
#endif
#if PT_HAS_BUCKETS_
    if (loop->timers.far)
        room = room &&
               pt_memory_put_(memory, loop->timers.far->entries,
                              loop->timers.far->room * PT_CHUNK_ * sizeof(struct pt_heap_entry),
                              PT_PIECE_LINKS_);
#endif
    return room;
}

/* Describe pt's own memory: the control blocks, the loop, its arrays, the items of pools. Returns
 * whether there was room. */
PT_API bool pt_stuck_describe_(struct pt_memory *memory, const struct pt_loop *loop)
{
    bool room = pt_memory_put_(memory, loop, sizeof *loop, PT_PIECE_LINKS_) &&
                pt_stuck_describe_queues_(memory, loop);

    for (const struct pt_task *task = pt_loop_task(loop, NULL); task && room;
         task = pt_loop_task(loop, task))
        room = pt_memory_put_(memory, task, sizeof *task, PT_PIECE_TASK_) &&
               pt_stuck_describe_pool_(memory, task);
    return room;
}

/* What the loop itself leads to: who looks on, who has posted, what the program has declared. */
PT_API void pt_stuck_reach_loop_(struct pt_memory *memory, struct pt_loop *loop)
{
    pt_memory_reach_(memory, (uintptr_t)loop->observer);
    PT_IF_(PT_PORT, pt_memory_reach_(memory, (uintptr_t)loop->port);)
    PT_IF_(PT_PORT, if (loop->port) pt_memory_reach_(memory, (uintptr_t)loop->port->context);)
    PT_IF_(PT_NESTING, pt_memory_reach_(memory, (uintptr_t)loop->host);)
    PT_IF_(PT_REMOTE, pt_memory_reach_(memory, (uintptr_t)loop->inbox.first);)
    PT_IF_(
        PT_WAKERS, for (const struct pt_waker *waker = loop->wakers; waker; waker = waker->next) {
            pt_memory_reach_(memory, (uintptr_t)waker);
            pt_memory_reach_(memory, (uintptr_t)waker->task);
        })
    for (const struct pt_kept *kept = loop->kept; kept; kept = kept->next) {
        pt_memory_reach_(memory, (uintptr_t)kept);
        pt_memory_reach_(memory, (uintptr_t)kept->pointer);
    }
}

PT_API pt_status pt_loop_find_stuck(struct pt_loop *loop, struct pt_memory *memory,
                                    pt_stuck_found *found, void *context)
{
    struct pt_search_ search = {loop, NULL, found, context, NULL, false, NULL, false, 0, 0};
    pt_status status = PT_OK;
    struct pt_task *task;

    pt_stuck_search_(&search);
    if (memory && !pt_stuck_describe_(memory, loop))
        status = PT_ENOMEM;
    if (memory && status == PT_OK) {
        search.memory = memory;
        pt_memory_begin_(memory);
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

#if PT_DEADLOCKS && PT_PORT && PT_HOSTED && !defined(_WIN32)
/* clang-format off */
PT_C_LINKAGE_ int (dprintf)(int fd, const char *format, ...); /* a program with a PT_PANIC needs it, too */
/* clang-format on */

PT_COLD void pt_deadlock_print_(void *context, const char *text)
{
    (void)context;
    (void)(dprintf)(2, "%s", text);
}

/* pt_loop_run, with PT_DEADLOCKS. */
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
