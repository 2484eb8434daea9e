/* native_task.h - operations of native tasks: yield, sleep, spawn, await, join
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_wait(self, PT_MS(10));
 *     pt_native_spawn(self, &led, blink);
 *     status = pt_native_join(self, &led.task);
 *
 * Each does what the macro named beside it does, and returns the code; native.h tells what the
 * codes mean. Included by native.h. */
#ifndef PT_NATIVE_TASK_H
#define PT_NATIVE_TASK_H

#include "native_body.h"
#include "stack.h"
#include "../loop/pool.h"
#include "../sync/ticker.h"

/* pt_native_yield - PT_YIELD */
PT_ALWAYS pt_status pt_native_yield(struct pt_native *self);

/* pt_native_park - PT_PARK */
PT_ALWAYS pt_status pt_native_park(struct pt_native *self);

/* --- time ---------------------------------------------------------------------------------- */

/* pt_native_wait(self, delay) - PT_WAIT; PT_ERANGE, at once, if the delay is too long */
#define pt_native_wait(self, delay) \
    pt_native_sleep_(self,          \
                     PT_ANY_DELAY_(delay, __func__, "pt_native_wait", "pt_native_wait_deadline"))

#if PT_HAS_TIMERS_
/* pt_native_now - PT_NOW */
PT_ALWAYS pt_time pt_native_now(const struct pt_native *self);

/* pt_native_wait_deadline - PT_WAIT_DEADLINE */
PT_API pt_status pt_native_wait_deadline(struct pt_native *self, uint64_t deadline);

/* pt_native_wait_tick - PT_WAIT_TICK */
PT_API pt_status pt_native_wait_tick(struct pt_native *self, struct pt_ticker *ticker);
#endif

/* pt_native_park_for(self, delay) - PT_PARK_FOR; PT_ERANGE, at once, if the delay is too long
 * In a block whose own time is over it returns PT_ETIMEDOUT, too, each time: pt_timed_out(&limit)
 * tells, already in the block. */
#define pt_native_park_for(self, delay)                                                         \
    pt_native_park_timed_(self, pt_finite_(PT_ANY_DELAY_(delay, __func__, "pt_native_park_for", \
                                                         "pt_native_park_deadline")))

#if PT_TIMED_PARKS
/* pt_native_park_deadline - PT_PARK_DEADLINE */
PT_API pt_status pt_native_park_deadline(struct pt_native *self, uint64_t deadline);
#endif

/* --- other tasks, and functions ------------------------------------------------------------ */

/* pt_native_spawn(self, &storage, rocket, .field = value ...) - PT_SPAWN
 * STORAGE may be a local: zero it before, and join the task before the function returns, in a
 * cleanup (native_block.h), since a cancel ends any other join. */
#define pt_native_spawn(self, ...) PT_START(pt_native_loop_(self), __VA_ARGS__)

/* pt_native_call(self, &frame, read_line, .field = value ...) - PT_WAIT_COMPLETE
 * The frame may be a local. It may be a frame of pt_native, with a stack of its own. */
#define pt_native_call(self, frame, ...)                                                  \
    (PT_CHECK_ONE_(self, "pt_native_call")                                                \
         PT_CHECK_CALL_(self, &(frame)->pt, PT_ZEROES_(*(frame), __VA_ARGS__)),           \
     PT_CHECK_OVERWRITTEN_((self)->task, frame, __VA_ARGS__) PT_INIT(frame, __VA_ARGS__), \
     pt_native_await_(self, &(frame)->pt))

#if PT_JOINS
/* pt_native_join - PT_JOIN */
PT_API pt_status pt_native_join(struct pt_native *self, struct pt_task *target);
#endif

/* pt_native_spawn_from(self, &pool, connection, .field = value ...) - PT_SPAWN_FROM */
#define pt_native_spawn_from(self, ...) PT_START_FROM(pt_native_loop_(self), __VA_ARGS__)

/* pt_native_spawn_when_free(self, &pool, connection, ...) - PT_SPAWN_WHEN_FREE
 * It returns the code of the spawn, or of the wait if that failed. */
#define pt_native_spawn_when_free(self, from, ...)                                          \
    ((pt_status)(PT_CHECK_ONE_(from, "pt_native_spawn_when_free") PT_POOL_TAKE_(from) ||    \
                         (pt_native_wait_room_(self, &(from)->pool) && PT_POOL_TAKE_(from)) \
                     ? PT_POOL_ROOM_(from, pt_native_loop_(self))                           \
                           ? PT_POOL_START_(pt_native_loop_(self), from, __VA_ARGS__)       \
                           : (pt_status)PT_ENOMEM                                           \
                     : ((from)->taken = NULL, (pt_status)(self)->pt.status)))

/* pt_native_spawn_new(self, connection, ...) - PT_SPAWN_NEW; self->loop->taken is the new task */
#define pt_native_spawn_new(self, ...) PT_START_NEW(pt_native_loop_(self), __VA_ARGS__)

/* --- on a stack of a pool ------------------------------------------------------------------ */

/* pt_native_start(&loop, &stacks, function, argument) - start a native task on a stack of a pool
 * Its stack has the task, too: its control block and frame are at the upper end, about 300 bytes.
 * Tools show it by the name of FUNCTION. The result is the task, or NULL if it did not start: the
 * pool has no stack, or the loop no room; stacks.error is the reason. The stack returns to the
 * pool when the task is done; then the task is gone, as one of PT_SPAWN_NEW is. It needs libpt.
 *
 *     task = pt_native_start(self->loop, &stacks, chat, peer);        in a native body
 *     task = pt_native_start(PT_LOOP(), &stacks, chat, peer);         in a stackless one
 *     if (task)
 *         pt_group_add(&group, task);
 */
#define pt_native_start(loop, stacks, function, argument) \
    pt_native_start_named_(loop, stacks, PT_TEXT(function), function, argument)

/* --- implementation ------------------------------------------------------------------------ */

/* PT_DEBUG: as PT_CHECK_AWAIT_. */
#define PT_CHECK_CALL_(self, frame, size) \
    PT_CHOOSE_(PT_DEBUG, pt_native_check_call_(self, frame, size), (void)0)
PT_API void pt_native_check_call_(const struct pt_native *self, const struct pt *frame, size_t size)
{
    pt_check_callers_(&self->pt, frame, size, "the frame runs already, and awaits itself" PT_GIVE_,
                      "pt_native_call");
}

PT_ALWAYS pt_status pt_native_yield(struct pt_native *self)
{
    self->pt.status = PT_OK;
    return pt_native_suspend_(self, PT_OP_YIELD);
}

PT_ALWAYS pt_status pt_native_park(struct pt_native *self)
{
    self->pt.status = PT_OK;
    return pt_native_suspend_(self, PT_OP_PARK);
}

#if PT_HAS_TIMERS_

PT_ALWAYS pt_time pt_native_now(const struct pt_native *self)
{
    return pt_now_(self->task);
}

PT_API pt_status pt_native_sleep_(struct pt_native *self, pt_time delay)
{
    self->pt.status = PT_OK;
    if (!pt_wait_(self->task, delay))
        return PT_ERANGE;
    return pt_native_suspend_(self, PT_OP_WAIT);
}

PT_API pt_status pt_native_wait_deadline(struct pt_native *self, uint64_t deadline)
{
    self->pt.status = PT_OK;
    if (!pt_wait_until_(self->task, pt_time_until_(pt_native_now(self), deadline)))
        return PT_ERANGE;
    return pt_native_suspend_(self, PT_OP_WAIT);
}

#if PT_TIMED_PARKS
PT_API pt_status pt_native_park_timed_(struct pt_native *self, pt_time delay)
{
    if (!pt_park_timed_(self->task, &self->pt, delay, true))
        return PT_ERANGE;
    return pt_native_suspend_(self, pt_park_opcode_(self->task));
}

PT_API pt_status pt_native_park_deadline(struct pt_native *self, uint64_t deadline)
{
    if (!pt_park_timed_(self->task, &self->pt, pt_time_until_(pt_native_now(self), deadline),
                        false))
        return PT_ERANGE;
    return pt_native_suspend_(self, pt_park_opcode_(self->task));
}
#endif

PT_API pt_status pt_native_wait_tick(struct pt_native *self, struct pt_ticker *ticker)
{
    pt_status status;

    do {
        status = pt_native_wait_deadline(self, pt_ticker_due_(ticker, pt_native_now(self)));
    } while (status == PT_OK && self->pt.label == PT_NATIVE_GOES_ON_ &&
             !pt_ticker_ticked_(ticker, pt_native_now(self)));
    return status;
}

#endif

/* The loop of a running body; a generator has none. */
PT_API struct pt_loop *pt_native_loop_(const struct pt_native *self)
{
    if (PT_UNLIKELY(!self->task->loop))
        PT_PANIC("a generator has no loop to spawn in", "pt_native_spawn", 0);
    return self->task->loop;
}

/* What came before the await ends the function at its first wait, as it would an operation; not at
 * its end, when its work is done. */
PT_API pt_status pt_native_await_(struct pt_native *self, struct pt *frame)
{
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(self->task->state & PT_STATE_INTERRUPTED_))
        pt_task_spare_(self->task);
    self->task->node.link.operand = frame;
    return pt_native_suspend_(self, PT_OP_WAIT_COMPLETE);
}

#if PT_JOINS
PT_API pt_status pt_native_join(struct pt_native *self, struct pt_task *target)
{
    return pt_native_wait_if_(self, pt_join_(self->task, &self->pt, target));
}
#endif

#if PT_POOLS

/* What is at the upper end of a stack of pt_native_start. */
struct pt_native_started_ {
    struct pt_owner owner; /* its first member */
    struct pt_stacks *stacks;
    PT_OWNED_TASK(pt_native) native;
};

PT_API void pt_native_give_back_(struct pt_owner *owner, struct pt_task *task)
{
    struct pt_native_started_ *started = (struct pt_native_started_ *)(void *)owner;

    pt_stack_give(started->stacks, ((struct pt_native *)(void *)task->top)->stack);
}

PT_MUST_CHECK PT_API struct pt_task *pt_native_start_named_(struct pt_loop *loop,
                                                            struct pt_stacks *stacks,
                                                            const char *name,
                                                            pt_native_function *function,
                                                            void *argument)
{
    char *stack = (char *)pt_stack_take(stacks, name);
    size_t bytes = (stacks->bytes - sizeof(struct pt_native_started_)) & ~(size_t)15;
    struct pt_native_started_ *started;

    if (!stack)
        return NULL;
    if (bytes > stacks->bytes)
        PT_PANIC("the stacks of the pool have no room for a task", "pt_native_start", 0);
    started = (struct pt_native_started_ *)(void *)(stack + bytes);
    pt_zero_(started, 0, sizeof *started);
    started->owner.release = pt_native_give_back_;
    started->stacks = stacks;
    PT_INIT(&started->native.frame, pt_native, .function = function, .argument = argument,
            .stack = stack, .bytes = bytes);
    pt_task_init_(&started->native.task, &started->native.frame.pt, name);
    PT_OWN(&started->native, &started->owner);
    if (pt_spawn(loop, &started->native.task) == PT_OK)
        return &started->native.task;
    stacks->error = "the loop has no room for a task";
    return NULL;
}

/* Wait for an item; whether this task got one. If not, the code of the wait is in its status. */
PT_API bool pt_native_wait_room_(struct pt_native *self, struct pt_pool *pool)
{
    pt_pool_wait_(pool, self->task);
    self->pt.status = PT_OK;
    self->pt.status = pt_native_suspend_(self, PT_OP_PARK);
    return self->pt.label == PT_NATIVE_GOES_ON_ && pt_pool_granted_(pool, self->task);
}
#endif

#endif
