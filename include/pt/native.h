/* native.h - a task whose body is an ordinary function, on a stack of its own
 * SPDX-License-Identifier: MIT
 *
 *     static pt_status chat(struct pt_native *self)
 *     {
 *         int number;
 *
 *         while (pt_native_recv(self, &numbers, &number) == PT_OK)
 *             if (pt_native_wait(self, PT_MS(number)) != PT_OK)
 *                 break;
 *         return PT_OK;
 *     }
 *
 *     PT_START(&loop, &task, pt_native, .function = chat, .stack = stack, .bytes = sizeof stack);
 *
 * pt_native is a resumable function whose body is a stack switch: to resume it is to go on in FUNCTION,
 * and an operation in there switches back with its opcode. The loop cannot tell the difference, nor
 * can a channel, a lock or whoever joins it. So locals live, calls nest, and recursion is free; what it
 * costs is the stack.
 *
 *     loop ──resume──► pt_native ══switch══► function ──► its calls ──► pt_native_wait
 *      ▲                                                                     ║
 *      └────opcode──── pt_native ◄════════════════switch═════════════════════╝
 *
 * Every operation returns a code: PT_OK and those of the same operation in a body (task.h, sync.h,
 * ...), and also
 *
 *     what pt_cancel gave, once     when the task was cancelled: return, by way of what is to be
 *                                   cleaned up, in which further operations do wait
 *     PT_ETIMEDOUT                  when the time of a block of it is over: return to that block, of
 *                                   which pt_timed_out then says so
 *
 * What it was handed it has: then the operation is done, and returns PT_OK. */
#ifndef PT_NATIVE_H
#define PT_NATIVE_H

#include "fiber.h"
#include "pt.h"

#if PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_

struct pt_native;

/* pt_native_function - a body: what it returns is what the task, or the await, ends with */
typedef pt_status pt_native_function(struct pt_native *self);

/* The frame of the resumable function pt_native. */
struct pt_native {
    struct pt pt;
    pt_native_function *function; /* the body; the caller's choice, as the next three */
    void *argument;               /* the user's */
    void *stack;                  /* its stack, which is its own until it is done */
    size_t bytes;                 /* how long that is */
    struct pt_task *task;         /* the task that it runs in; written at each resume */
    struct pt_fiber fiber;        /* where the body goes on */
    struct pt_fiber resumer;      /* where its opcode is wanted */
    pt_op op;                     /* that opcode */
};

/* Where it goes on: behind an operation, or behind one that its block has ended. */
enum { PT_NATIVE_GOES_ON_ = 1, PT_NATIVE_TIMED_OUT_ = 2 };

/* The body on its stack, and its end. */
PT_API void pt_native_main_(struct pt_fiber *fiber)
{
    struct pt_native *self = (struct pt_native *)fiber->argument;

    self->pt.result = self->function(self);
    self->op = pt_end_(&self->pt);
}

/* PT_FN(pt_native): go on in the body, to its next operation. */
PT_API pt_op pt_native_pt_(struct pt *pt, struct pt_task *task)
{
    struct pt_native *self = (struct pt_native *)(void *)pt; /* its first member */

    if (PT_UNLIKELY(pt->label == PT_LABEL_DONE_))
        return pt_op_(PT_OP_DONE);
    if (PT_UNLIKELY(pt->label == PT_LABEL_START_)) {
        pt_fiber_root(&self->resumer);
        pt_fiber_init(&self->fiber, &self->resumer, self->stack, self->bytes, pt_native_main_,
                      self);
    }
    self->task = task;
    pt_fiber_switch(&self->resumer, &self->fiber);
    if (PT_UNLIKELY(pt->label == PT_LABEL_DONE_))
        pt_fiber_close(&self->fiber);
    return self->op;
}

/* Leave the body with an opcode. What the operation came to, when it goes on. */
PT_ALWAYS pt_status pt_native_suspend_(struct pt_native *self, unsigned char opcode)
{
    struct pt *pt = &self->pt;

    pt->label = PT_NATIVE_GOES_ON_;
    self->op = pt_op_(opcode);
    pt_fiber_switch(&self->fiber, &self->resumer);
    if (PT_LIKELY(pt->label == PT_NATIVE_GOES_ON_))
        return pt->status;
    if (pt->label == PT_NATIVE_TIMED_OUT_)
        return PT_ETIMEDOUT;
    pt->cleaning |= 1; /* from here on nothing ends it */
    return pt->result;
}

/* The same for an operation that may be handed something. */
PT_ALWAYS pt_status pt_native_rest_(struct pt_native *self, unsigned char opcode)
{
    pt_status status = pt_native_suspend_(self, opcode);

    if (PT_LIKELY(self->pt.label == PT_NATIVE_GOES_ON_))
        pt_task_take_(self->task);
    return status;
}

/* The same for one that has seen whether the task WAITS. */
PT_ALWAYS pt_status pt_native_pass_(struct pt_native *self, bool waits)
{
    if (!waits)
        return self->pt.status;
    return pt_native_rest_(self, self->task->state & PT_TASK_LISTED_ ? PT_OP_PARK : PT_OP_YIELD);
}

/* --- the loop's operations ----------------------------------------------------------------- */

/* pt_native_yield - PT_YIELD */
PT_ALWAYS pt_status pt_native_yield(struct pt_native *self)
{
    self->pt.status = PT_OK;
    return pt_native_suspend_(self, PT_OP_YIELD);
}

/* pt_native_park - PT_PARK */
PT_ALWAYS pt_status pt_native_park(struct pt_native *self)
{
    self->pt.status = PT_OK;
    return pt_native_suspend_(self, PT_OP_PARK);
}

#if PT_TIMERS != PT_TIMERS_NONE

/* pt_native_now - PT_NOW */
PT_ALWAYS pt_time pt_native_now(const struct pt_native *self)
{
    return self->task->node.at;
}

/* pt_native_wait, pt_native_wait_until - PT_WAIT, PT_WAIT_UNTIL; PT_ERANGE if the delay is too long */
PT_API pt_status pt_native_wait(struct pt_native *self, pt_time delay)
{
    self->pt.status = PT_OK;
    if (!pt_wait_(self->task, delay))
        return PT_ERANGE;
    return pt_native_suspend_(self, PT_OP_WAIT);
}

PT_API pt_status pt_native_wait_until(struct pt_native *self, pt_time deadline)
{
    self->pt.status = PT_OK;
    pt_wait_until_(self->task, deadline);
    return pt_native_suspend_(self, PT_OP_WAIT);
}

#endif

/* pt_native_spawn(self, &storage, rocket, .field = value ...) - PT_SPAWN */
#define pt_native_spawn(self, ...) PT_START((self)->task->loop, __VA_ARGS__)

/* pt_native_call(self, &frame, read_line, .field = value ...) - PT_WAIT_COMPLETE */
#define pt_native_call(self, frame, ...) \
    (PT_INIT(frame, __VA_ARGS__), pt_native_await_(self, &(frame)->pt))

PT_API pt_status pt_native_await_(struct pt_native *self, struct pt *frame)
{
    self->task->node.link.operand = frame;
    return pt_native_suspend_(self, PT_OP_WAIT_COMPLETE);
}

#if PT_JOINS
/* pt_native_join - PT_JOIN */
PT_API pt_status pt_native_join(struct pt_native *self, struct pt_task *target)
{
    return pt_native_pass_(self, pt_join_(self->task, &self->pt, target));
}
#endif

/* --- timeouts ------------------------------------------------------------------------------ */

#if PT_TIMEOUTS

/* pt_native_timeout - from here to pt_native_timeout_end: PT_WITH_TIMEOUT
 * SCOPE is in no use, and may be a local. PT_OK, or PT_ERANGE: then there is no block. Blocks nest: each is
 * ended before the one around it, and before the function that has it returns. */
PT_API pt_status pt_native_timeout(struct pt_native *self, struct pt_scope *scope, pt_time delay)
{
    self->pt.status = PT_OK;
    scope->state = PT_SCOPE_CLOSED_;
    scope->marks = 0;
    pt_timeout_open_(self->task, &self->pt, scope, PT_NATIVE_TIMED_OUT_, delay);
    self->task->flags &= (uint8_t)~PT_TASK_REFUSED_;
    return self->pt.status;
}

/* pt_native_timeout_end - the end of a block; whether its time was over before */
PT_API bool pt_native_timeout_end(struct pt_native *self, struct pt_scope *scope)
{
    if (scope->state != PT_SCOPE_CLOSED_)
        pt_scope_unlink_(self->task, scope);
    return pt_timed_out(scope);
}

#endif

/* --- what other headers have --------------------------------------------------------------- */

#if PT_SYNC

/* pt_native_wait_event - PT_WAIT_EVENT */
PT_API pt_status pt_native_wait_event(struct pt_native *self, struct pt_event *event)
{
    return pt_native_pass_(self, pt_event_wait_(self->task, &self->pt, event));
}

/* pt_native_acquire - PT_ACQUIRE */
PT_API pt_status pt_native_acquire(struct pt_native *self, struct pt_semaphore *semaphore)
{
    return pt_native_pass_(self, pt_semaphore_wait_(self->task, &self->pt, semaphore));
}

/* pt_native_lock, pt_native_unlock - PT_LOCK, PT_UNLOCK */
PT_API pt_status pt_native_lock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_native_pass_(self, pt_lock_wait_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_lock_release(lock, self->task);
}

#endif

#if PT_CHANNELS

/* pt_native_wait_condition - PT_WAIT_CONDITION */
PT_API pt_status pt_native_wait_condition(struct pt_native *self, struct pt_condition *condition,
                                          struct pt_lock *lock)
{
    return pt_native_pass_(self, pt_condition_wait_(self->task, &self->pt, condition, lock));
}

/* pt_native_wait_flags - PT_WAIT_FLAGS */
PT_API pt_status pt_native_wait_flags(struct pt_native *self, struct pt_flags *flags,
                                      struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    return pt_native_pass_(self, pt_flags_wait_(self->task, &self->pt, flags, wanted, mask, how));
}

/* pt_native_wait_barrier - PT_WAIT_BARRIER */
PT_API pt_status pt_native_wait_barrier(struct pt_native *self, struct pt_barrier *barrier)
{
    return pt_native_pass_(self, pt_barrier_wait_(self->task, &self->pt, barrier));
}

/* pt_native_lock_shared, pt_native_lock_exclusive, pt_native_unlock_exclusive - PT_LOCK_SHARED, ... */
PT_API pt_status pt_native_lock_shared(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_pass_(self, pt_rwlock_shared_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_lock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_pass_(self, pt_rwlock_exclusive_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_rwlock_release_exclusive(lock, self->task);
}

/* pt_native_send(self, &channel, &value), pt_native_recv - PT_SEND, PT_RECV; the value may be a local */
#define pt_native_send(self, ch, value)                                       \
    pt_native_pass_(self, pt_send_((self)->task, &(self)->pt, &(ch)->channel, \
                                   PT_CONST_ITEM_((ch)->type_, value), sizeof *(value)))
#define pt_native_recv(self, ch, value)                                       \
    pt_native_pass_(self, pt_recv_((self)->task, &(self)->pt, &(ch)->channel, \
                                   PT_ITEM_((ch)->type_, value), sizeof *(value)))

/* pt_native_push(self, &queue, &value), pt_native_pop - PT_PUSH, PT_POP */
#define pt_native_push(self, q, value)                                     \
    pt_native_pass_(self, pt_push_((self)->task, &(self)->pt, &(q)->queue, \
                                   PT_CONST_ITEM_((q)->items, value), sizeof *(value)))
#define pt_native_pop(self, q, value)                                     \
    pt_native_pass_(self, pt_pop_((self)->task, &(self)->pt, &(q)->queue, \
                                  PT_ITEM_((q)->items, value), sizeof *(value)))

#endif

#if PT_SELECTS

/* pt_native_select(self, &choice, case, ...); - PT_SELECT, a statement
 * The selection may be a local, for which pt_select_init was called. The cases are those of a body. self->pt.status is its code; PT_SELECTED(&choice) which case came
 * true, if it is not one of being cancelled or timed out. */
#define pt_native_select(self, choice, ...)                                      \
    do {                                                                         \
        struct pt_task *const pt_task_ = (self)->task;                           \
        struct pt *const pt_ = &(self)->pt;                                      \
                                                                                 \
        if (PT_SELECT_START_(choice, true, PT_COUNT_(__VA_ARGS__), __VA_ARGS__)) \
            pt_->status = pt_native_rest_(self, (choice)->select.rest);          \
    } while (0)

#endif

#endif
#endif
