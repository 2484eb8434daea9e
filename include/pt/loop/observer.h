/* observer.h - observers of a loop: the calls that they get, and when
 * SPDX-License-Identifier: MIT
 *
 * A turn, and the calls that an observer gets in it:
 *
 *     the posts (inbox.h)                     posted
 *     the timers that are due (turn.h)        expired, woken
 *     each task of the batch (watched.h)      pick, resumes; or, without a step, blocked
 *         its step, in which it wakes others  woken
 *         its opcode (watched.h, unwind.h)    returned, ended
 *     the end (turn.h)                        turned
 *
 * The files that follow make these calls, each at its place. inspect/observe.h adds observers, and
 * lists what they may do. A loop without an observer looks for one once in a turn
 * (pt_loop_observer_), and once for each task that becomes ready (pt_loop_reports_). */
#ifndef PT_OBSERVER_H
#define PT_OBSERVER_H

#include "../queue/ready_order.h"
#include "loop.h"

/* What an observer chooses from: the tasks that are left to run in this turn, in order. */
struct pt_choice {
    size_t count; /* how many, at least one */
    const struct pt_ready_ *ready;
    const struct pt_batch_ *batch;
};

struct pt_remote;
typedef struct pt_remote pt_posted_remote_; /* off.h can forbid its name */

/* An observer watches each step of a loop, or chooses the next task: with PT_INSPECT. Members may
 * be NULL. */
struct pt_observer {
    /* Return which task of CHOICE runs next: a number below its count. If several observers have
     * this member, the loop asks the one that was added last. */
    size_t (*pick)(struct pt_observer *self, const struct pt_choice *choice);

    /* TASK is about to be resumed. What an observer may do in each of these calls: observe.h. */
    void (*resumes)(struct pt_observer *self, struct pt_task *task);
    /* TASK has returned the opcode OP, and waits or continues as OP says. A DONE takes effect after
     * this call. */
    void (*returned)(struct pt_observer *self, struct pt_task *task, enum pt_opcode op);
    /* TASK is done; its storage still exists. */
    void (*ended)(struct pt_observer *self, struct pt_task *task);
    /* The tasks of a turn have run. */
    void (*turned)(struct pt_observer *self, struct pt_loop *loop);

#if PT_TRACE /* these calls come in the middle of an operation: an observer must only look */
    /* TASK has become ready: it was SPAWNED, or its wait or its pause is over. pt_loop_current
     * is the task that did it; NULL: a timer, a post, an observer, or something outside of the
     * turns. A task that yields stays ready, without a call. */
    void (*woken)(struct pt_observer *self, struct pt_task *task, bool spawned);
    /* TASK was ready, and waits without a step: it is paused, or its end waits for its group. */
    void (*blocked)(struct pt_observer *self, struct pt_task *task);
    /* The timer of TASK was due at AT. If that ends its wait, `woken` is next. */
    void (*expired)(struct pt_observer *self, struct pt_task *task, pt_time at);
    /* The callback of REMOTE is about to run, for so many posts. */
    void (*posted)(struct pt_observer *self, struct pt_remote *remote, unsigned times);
    /* The observer's own notes on tasks, or NULL: stuck.h does not follow pointers in them. */
    const void *notes;
    size_t notes_bytes;
#endif

    struct pt_observer *next; /* written by pt_loop_observe */
};

/* --- implementation ------------------------------------------------------------------------ */

/* Call this member of each observer that has it. In the call an observer may take itself out. */
#define PT_TELL_(loop, member, ...)                                  \
    do {                                                             \
        struct pt_observer *told_ = pt_loop_observer_(loop), *next_; \
        for (; told_ && (next_ = told_->next, true); told_ = next_)  \
            if (told_->member)                                       \
                told_->member(told_, __VA_ARGS__);                   \
    } while (0)

/* --- each step ----------------------------------------------------------------------------- */

/* Let an observer choose the task of the batch that runs next. */
PT_COLD void pt_loop_pick_(struct pt_loop *loop, struct pt_batch_ *batch)
{
    struct pt_observer *observer = pt_loop_observer_(loop);
    struct pt_choice choice;

    pt_census_set_current_(loop, NULL);
    choice.count = pt_ready_left_(&loop->ready, batch);
    choice.ready = &loop->ready;
    choice.batch = batch;
    while (observer && !observer->pick) /* pt-bounds: loop observers */
        observer = observer->next;
    if (observer && choice.count)
        pt_ready_promote_(&loop->ready, batch, observer->pick(observer, &choice));
}

/* A task is about to be resumed (OP is NULL), or has returned OP. */
PT_COLD void pt_loop_tell_(struct pt_loop *loop, struct pt_task *task, const pt_op *op)
{
    if (op)
        PT_TELL_(loop, returned, task, (enum pt_opcode)op->code); /* pt-bounds: loop observers */
    else
        PT_TELL_(loop, resumes, task); /* pt-bounds: loop observers */
}

/* A task is done. */
PT_COLD void pt_loop_tell_ended_(struct pt_loop *loop, struct pt_task *task)
{
    pt_census_set_current_(loop, NULL);
    PT_TELL_(loop, ended, task); /* pt-bounds: loop observers */
}

/* The tasks of a turn have run. */
PT_API void pt_loop_tell_turned_(struct pt_loop *loop)
{
    PT_TELL_(loop, turned, loop); /* pt-bounds: loop observers */
}

/* --- what makes a task ready --------------------------------------------------------------- */

#if PT_TRACE
/* A task has become ready. */
PT_COLD void pt_loop_tell_woken_(struct pt_loop *loop, struct pt_task *task, bool spawned)
{
    PT_TELL_(loop, woken, task, spawned); /* pt-bounds: loop observers */
}

/* A task that was ready waits, without a step. */
PT_COLD void pt_loop_tell_blocked_(struct pt_loop *loop, struct pt_task *task)
{
    PT_TELL_(loop, blocked, task); /* pt-bounds: loop observers */
}

/* A task's timer for the time AT has left the timer queue. */
PT_API void pt_loop_tell_expired_(const struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    PT_TELL_(loop, expired, task, at); /* pt-bounds: loop observers */
}

/* The callback of REMOTE is about to run, for so many posts. */
PT_COLD void pt_loop_tell_posted_(struct pt_loop *loop, pt_posted_remote_ *remote, unsigned times)
{
    PT_TELL_(loop, posted, remote, times); /* pt-bounds: loop observers */
}
#else
#define pt_loop_tell_woken_(loop, task, spawned) ((void)0)
#define pt_loop_tell_blocked_(loop, task) ((void)0)
#define pt_loop_tell_expired_(loop, task, at) ((void)0)
#define pt_loop_tell_posted_(loop, remote, times) ((void)0)
#endif

/* The loop has another observer or another host. */
PT_API void pt_loop_update_reports_(struct pt_loop *loop)
{
    pt_loop_set_reports_(loop, pt_loop_observer_(loop) || pt_loop_host_(loop));
}

#endif
