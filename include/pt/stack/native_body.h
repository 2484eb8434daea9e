/* native_body.h - a resumable function with an ordinary function as its body, on a stack of its own
 * SPDX-License-Identifier: MIT
 *
 * This file has the frame and its switches; native_task.h and the others have the operations.
 *
 *     loop ──resume──► pt_native ══switch══► function ──► its calls ──► pt_native_wait
 *      ▲                                                                     ║
 *      └────opcode──── pt_native ◄════════════════switch═════════════════════╝
 *
 * A resume of pt_native continues FUNCTION, and an operation in FUNCTION switches back with its
 * opcode. The loop cannot tell the difference; nor can a channel, a lock or a task that joins it.
 *
 * A body that yields, or waits in a queue, switches to the next native task of the turn by itself,
 * and does what the loop would have done: one switch instead of two, at the same depth. */
#ifndef PT_NATIVE_BODY_H
#define PT_NATIVE_BODY_H

#include "fiber.h"
#include "../run/run.h"

PT_STATIC_ASSERT((PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_),
                 "native tasks need PT_AWAIT 1, PT_CLEANUP 1 and PT_JOINS 1, or PT_SYNC 1");

struct pt_native;

/* pt_native_function - a body; the task, or the await, ends with the code that it returns */
typedef pt_status pt_native_function(struct pt_native *self);

/* Where the loop resumed a native task. The opcode that comes back may be another task's, if the
 * first one switched to that by itself. */
struct pt_native_resumer_ {
    struct pt_fiber fiber; /* the first member */
    struct pt_native *who; /* the task that the opcode is from */
};

/* The frame of the resumable function pt_native. */
struct pt_native {
    struct pt pt;
    struct pt_task *task;  /* the task that it runs in; written at each resume, like loop */
    struct pt_loop *loop;  /* the task's loop */
    struct pt_fiber fiber; /* where the body continues; its parent is where its opcode goes */
    pt_op op;              /* that opcode */
    bool moved;            /* since the loop resumed it, native tasks have begun another batch */
    pt_native_function *function;      /* the body; set by the caller, like the next three */
    void *argument;                    /* the user's */
    void *stack;                       /* its stack, not to be touched until it is done */
    size_t bytes;                      /* the size of the stack */
    struct pt_native_resumer_ resumer; /* where the loop resumed it */
};

/* --- implementation ------------------------------------------------------------------------ */

/* Switch from one native task to another, or to where it was resumed. Code compiled as C++ takes
 * along the exceptions that are caught or in flight. */
#if PT_HAS_CAUGHT_
PT_COLD void pt_native_switch_caught_(struct pt_fiber *from, struct pt_fiber *to)
{
    pt_fiber_switch_caught(from, to);
}

PT_ALWAYS void pt_native_switch_(struct pt_fiber *from, struct pt_fiber *to)
{
    if (PT_UNLIKELY(pt_caught_any_()))
        pt_native_switch_caught_(from, to);
    else
        pt_fiber_switch(from, to);
}
#else
#define pt_native_switch_ pt_fiber_switch
#endif

/* Labels of a body: after an operation, or after one that was ended by a timeout or a group. */
enum { PT_NATIVE_GOES_ON_ = 1, PT_NATIVE_TIMED_OUT_ = 2, PT_NATIVE_DECIDED_ = 3 };

/* Whether ADDRESS is on the stack of a body. */
PT_ALWAYS bool pt_native_on_stack_(const struct pt_native *self, const void *address)
{
    return (uintptr_t)address - (uintptr_t)self->stack < self->bytes;
}

/* With PT_DEBUG: the word above a body's stack, which has its owner. */
PT_ALWAYS const struct pt_native **pt_native_owner_(const struct pt_native *self)
{
    uintptr_t above = (uintptr_t)self->stack + self->bytes - sizeof self;

    return (const struct pt_native **)(above & ~(uintptr_t)(sizeof self - 1));
}

/* Panic if the body returned and left a block open, or a task on its stack alive. */
PT_API void pt_native_check_end_(const struct pt_native *self)
{
    for (const struct pt_scope *scope = pt_task_scopes_(self->task); scope; scope = scope->outer)
        if (pt_native_on_stack_(self, scope))
            PT_PANIC("a function returned without closing its block", "pt_native", 0);
        else if (scope->frame != &self->pt)
            break;
    PT_CHECK_OUTLIVED_(self->task->loop, self->stack, self->bytes);
}

/* Where the next opcode goes. */
PT_ALWAYS struct pt_native_resumer_ *pt_native_resumer_of_(const struct pt_native *self)
{
    return (struct pt_native_resumer_ *)(void *)self->fiber.parent; /* its first member */
}

PT_ALWAYS void pt_native_tell_(struct pt_native *self, pt_op op)
{
    struct pt_native_resumer_ *resumer = pt_native_resumer_of_(self);

    if (resumer != &self->resumer || self->moved) /* another task switched to it */
        op.code |= PT_OP_OF_CURRENT_;
    self->op = op;
    resumer->who = self;
}

/* Run the body on its stack, and report its end. */
PT_API void pt_native_main_(struct pt_fiber *fiber)
{
    struct pt_native *self = (struct pt_native *)fiber->argument;

    self->pt.result = self->function(self);
    pt_native_check_end_(self);
    pt_native_tell_(self, pt_end_(&self->pt));
}

/* Make the fiber of a body. */
PT_ALWAYS void pt_native_make_(struct pt_native *self)
{
    size_t above = PT_DEBUG ? 2 * sizeof self : 0; /* the owner, and what aligns it */

    if (!self->function || !self->stack || self->bytes < PT_FIBER_LEAST_ + above)
        PT_PANIC("it has no function, no stack, or one without room", "pt_native", 0);
    if (PT_DEBUG)
        *pt_native_owner_(self) = self;
    pt_fiber_root(&self->resumer.fiber);
    pt_fiber_init(&self->fiber, &self->resumer.fiber, self->stack, self->bytes - above,
                  pt_native_main_, self);
}

/* PT_FN(pt_native): run the body to its next operation that suspends. */
PT_API pt_op pt_native_pt_(struct pt *pt, struct pt_task *task)
{
    struct pt_native *self = (struct pt_native *)(void *)pt; /* its first member */

    if (PT_UNLIKELY(pt->label == PT_LABEL_DONE_))
        return pt_op_of_(PT_OP_DONE);
    if (PT_UNLIKELY(pt->label == PT_LABEL_START_))
        pt_native_make_(self);
    else
        PT_ASSERT_(*pt_native_owner_(self) == self,
                   "another task has its stack, or has written over the end of its own",
                   "pt_native");
    self->task = task;
    self->loop = task->loop;
    self->moved = false;
    self->fiber.parent = &self->resumer.fiber;
    PT_TOOLS_HERE_(&self->resumer.fiber); /* perhaps in another thread or fiber than before */
    pt_native_switch_(&self->resumer.fiber, &self->fiber);
    self = self->resumer.who;
    if (PT_UNLIKELY(self->pt.label == PT_LABEL_DONE_))
        pt_fiber_close(&self->fiber);
    return self->op;
}

#if PT_DEBUG && defined(__GNUC__)
/* A function of its own, so that all locals of its callers are above its frame. */
PT_NOINLINE void pt_native_check_(const struct pt_native *self)
{
    const char *here = (const char *)__builtin_frame_address(0);

    PT_ASSERT_(pt_native_on_stack_(self, here),
               "called outside the body of its task, or more than its stack is in use",
               "pt_native_...");
    for (const struct pt_scope *scope = pt_task_scopes_(self->task); scope; scope = scope->outer)
        PT_ASSERT_(!pt_native_on_stack_(self, scope) || (const char *)scope > here,
                   "a function returned without closing its block", "pt_native_...");
}
#define PT_NATIVE_CHECK_(self) pt_native_check_(self)
#else
#define PT_NATIVE_CHECK_(self) ((void)0)
#endif

/* The pt.fn of a generator that pt_close has ended: end it again at each resume, unless it cleans
 * up. */
PT_COLD pt_op pt_native_closing_(struct pt *pt, struct pt_task *task)
{
    if (pt->label != PT_LABEL_DONE_ && !(pt->cleaning & 1))
        pt->label = PT_LABEL_FINALLY_;
    return pt_native_pt_(pt, task);
}

/* The code for a body that resumes without what it waited for. Each operation that would wait
 * returns it again: the task stays interrupted, and a block that was ended stays late until it is
 * closed. */
PT_COLD pt_status pt_native_ended_(struct pt_native *self)
{
    if (PT_HAS_SCOPES_ && self->pt.label != PT_LABEL_FINALLY_) {
        /* the ended block is the innermost one now */
        pt_task_scopes_(self->task)->marks |= PT_SCOPE_LATE_ | PT_SCOPE_FIRED_;
        self->task->state |= PT_STATE_INTERRUPTED_;
        return self->pt.label == PT_NATIVE_TIMED_OUT_ ? (pt_status)PT_ETIMEDOUT
                                                      : (pt_status)PT_ECANCELED;
    }
    if (!self->task->loop)
        self->pt.fn = pt_native_closing_;
    return self->pt.result;
}

#if PT_HAS_DIRECT_

#define PT_NATIVE_AHEAD_ 8 /* how many tasks ahead a stack is prefetched */

/* The native task of a node of the ready queue, if a plain switch can resume it; otherwise NULL.
 * Its frame is as far behind its task as that of LIKE, the task that runs: so its address is known
 * before anything of it is read. (In a pool it is farther than in a PT_TASK.) */
PT_ALWAYS struct pt_native *pt_native_of_(const struct pt_native *like, struct pt_node *node)
{
    struct pt_task *task;
    struct pt_native *self;

    if (!node)
        return NULL;
    task = pt_task_of(node);
    self = (struct pt_native *)(void *)((char *)task +
                                        ((const char *)like - (const char *)like->task));
    if ((task->state & (PT_STATE_PAUSED_ | PT_STATE_INTERRUPTED_)) || task->top != &self->pt ||
        self->pt.fn != pt_native_pt_ || self->pt.label != PT_NATIVE_GOES_ON_)
        return NULL;
    return self;
}

/* The batch has ended: begin the next one, if pt_loop_run would (fast.h). The task that the loop
 * has resumed stores it, since the loop has only its own batch. */
PT_API bool pt_native_begin_(const struct pt_native *self, struct pt_batch_ *batch)
{
    char *resumer = (char *)pt_native_resumer_of_(self);

    if (!pt_loop_may_batch_(self->loop))
        return false;
    *batch = pt_ready_begin_(&self->loop->ready);
    ((struct pt_native *)(void *)(resumer - offsetof(struct pt_native, resumer)))->moved = true;
    return true;
}

/* Take the next native task out of the current turn of the loop that runs SELF. NULL if there is
 * none: then the loop must run what is next. PARKS: SELF is not ready any more, so that the next
 * batch may begin. */
PT_ALWAYS struct pt_native *pt_native_next_(const struct pt_native *self, bool parks)
{
    struct pt_loop *loop = self->loop;
    struct pt_native *next, *later;
    struct pt_batch_ batch;
    struct pt_node *node;

    if (!loop || loop->current != self->task || self->task->top != &self->pt)
        return NULL; /* not resumed by the loop */
    if (pt_loop_observer_(loop))
        return NULL;
    batch = pt_ready_tail_(&loop->ready);
    node = pt_ready_look_(&loop->ready, &batch, 0);
    if (!node && parks && pt_native_begin_(self, &batch))
        node = pt_ready_look_(&loop->ready, &batch, 0);
    next = pt_native_of_(self, node);
    if (!next)
        return NULL;
    later = pt_native_of_(self, pt_ready_look_(&loop->ready, &batch, PT_NATIVE_AHEAD_));
    if (later)
        pt_context_prefetch_(&later->fiber.context);
    pt_ready_take_(&loop->ready, &batch, &node, PT_HOT_BEHIND_ + offsetof(struct pt_native, fiber));
    return next;
}

/* Whether OPCODE leaves the task ready or in a wait queue: then its body can switch to the next one
 * by itself. */
PT_ALWAYS bool pt_native_may_run_next_(const struct pt_task *task, unsigned char opcode)
{
    return opcode == PT_OP_YIELD ||
           (opcode == PT_OP_PARK &&
            (task->state & (PT_STATE_QUEUED_ | PT_STATE_INTERRUPTED_)) == PT_STATE_QUEUED_);
}

/* Execute such an OPCODE and switch to the next task, as the loop would; false if there is none. */
PT_ALWAYS bool pt_native_run_next_(struct pt_native *self, unsigned char opcode)
{
    struct pt_native *next = pt_native_next_(self, opcode == PT_OP_PARK);
    struct pt_loop *loop = self->loop;

    if (!next)
        return false;
    if (opcode == PT_OP_YIELD)
        pt_ready_push_(&loop->ready, &self->task->node);
    loop->current = next->task;
    if (PT_HAS_TIME_IN_NODE_)
        pt_node_set_at_(&next->task->node, pt_loop_now_(loop));
    pt_task_set_since_(next->task, pt_loop_now_(loop));
    next->fiber.parent = self->fiber.parent;
    pt_native_switch_(&self->fiber, &next->fiber);
    return true;
}

#else
#define pt_native_may_run_next_(task, opcode) false
#define pt_native_run_next_(self, opcode) false
#endif

/* Leave the body with an opcode. Returns the operation's code when the body continues. */
PT_ALWAYS pt_status pt_native_suspend_(struct pt_native *self, unsigned char opcode)
{
    struct pt *pt = &self->pt;

    PT_NATIVE_CHECK_(self);
    pt->label = PT_NATIVE_GOES_ON_;
    if (!pt_native_may_run_next_(self->task, opcode) || !pt_native_run_next_(self, opcode)) {
        pt_native_tell_(self, pt_op_of_(opcode));
        pt_native_switch_(&self->fiber, self->fiber.parent);
    }
    return PT_LIKELY(pt->label == PT_NATIVE_GOES_ON_) ? pt->status : pt_native_ended_(self);
}

/* As pt_native_suspend_, for an operation that may be given something. */
PT_ALWAYS pt_status pt_native_suspend_by_(struct pt_native *self, unsigned char opcode)
{
    pt_status status = pt_native_suspend_(self, opcode);

    if (PT_LIKELY(self->pt.label == PT_NATIVE_GOES_ON_))
        pt_task_take_(self->task);
    return status;
}

/* As pt_native_suspend_by_, if QUEUE, the result of an operation's first step, says so. */
PT_ALWAYS pt_status pt_native_wait_if_(struct pt_native *self, bool queue)
{
    if (!queue)
        return self->pt.status;
    return pt_native_suspend_by_(self,
                                 self->task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD);
}

#endif
