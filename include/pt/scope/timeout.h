/* timeout.h - blocks that end when their time is over
 * SPDX-License-Identifier: MIT
 *
 *     struct fetch { struct pt pt; struct pt_scope limit; ... };
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
 *         PT_WAIT_COMPLETE(&self->line, read_line, .io = &self->io);
 *     }
 *     if (pt_timed_out(&self->limit)) ...
 *
 * break and continue leave the block; PT_RETURN leaves the function. A block is ended where the
 * task waits: functions awaited in the block run their PT_FINALLY, innermost first, and then the
 * block's function continues after the block. If the time of several blocks is over, the outermost
 * one is ended. During a PT_FINALLY only blocks that it opened are ended; those around it after it,
 * also if it ends at their deadline: what its function has done stands in its frame.
 *
 * A wait that is over by the block's deadline counts, even if one turn notices both: the task
 * continues to its next wait, so no value that came in time is lost. What another task does in that
 * turn, such as set the event or unlock, is too late: the block is ended. A timeout of 0 is over
 * before the first wait of its block: that ends it, also a PT_YIELD or a PT_WAIT(0); in a
 * PT_FINALLY also the end of a function that it awaits. */
#ifndef PT_TIMEOUT_H
#define PT_TIMEOUT_H

#include "cancel.h"

#if PT_TIMEOUTS

/* PT_WITH_TIMEOUT(&self->limit, delay) { ... } - end the block when DELAY ticks have passed
 * DELAY counts from PT_NOW(). The block is left at its end, by break or PT_RETURN, or when its time
 * is over. In the last case pt_timed_out returns true, and self->pt.status is PT_ETIMEDOUT. A delay
 * of 0 ends the block where the task first waits or yields: what is there at once, such as a free
 * lock, it still gets. PT_DELAY_NEVER never ends the block. A longer delay ends the function with
 * PT_ERANGE, and a scope in use with PT_EBUSY; PT_DEBUG stops at a longer or a negative delay, and
 * a constant one is a compile error.
 *
 * SCOPE is evaluated several times, the last time when the block is left: it must always name the
 * same scope. Do not use goto into or out of a PT_WITH_... block. A block that is left by goto
 * stays open: when its time is over, the function continues after the block's end. PT_DEBUG detects
 * a goto into or out of a block at the function's next suspension, PT_FINALLY or end, with gcc from
 * version 6 on.
 *
 * Cost: mostly O(1), at most that of an arming (PT_TIMERS). When the block ends, its timer stays in
 * the timer queue, for the task's next block. So that block can end before others that got the same
 * deadline earlier. If there is no next block, the timer expires without an effect, or pt_loop_run
 * removes it before it sleeps. A sleep always gets a new timer. */
#define PT_WITH_TIMEOUT(scope, delay)                                                             \
    PT_TIMED_BLOCK_(                                                                              \
        scope,                                                                                    \
        PT_DELAY_OF_(delay, PT_DELAY_NEVER, PT_FUNCTION_, "PT_WITH_TIMEOUT", "PT_WITH_DEADLINE"), \
        PT_HERE_)

/* PT_WITH_DEADLINE(&self->limit, deadline) { ... } - end the block when the clock shows DEADLINE
 * As PT_WITH_TIMEOUT; a deadline in the past is a timeout of 0, and one that is PT_DELAY_NEVER
 * ahead never ends the block. */
#define PT_WITH_DEADLINE(scope, deadline) \
    PT_TIMED_BLOCK_(scope, pt_time_until_(PT_NOW(), deadline), PT_HERE_)

/* PT_REARM(&self->limit, delay) - in a body: give an open block of this task DELAY ticks from now
 * From PT_NOW(). Then self->pt.status is PT_OK, or an error, and nothing has changed: PT_ERANGE if
 * DELAY is over PT_DELAY_MAX (as in PT_WAIT); PT_EINVAL if the block is not open, belongs to a
 * group, a local or a lock, or to another task, where PT_DEBUG stops. Cost: O(open blocks); plus
 * an arming if the deadline is before the task's timer. A later deadline is one store on a PC. */
#define PT_REARM(scope, delay)                            \
    (PT_IN_BODY_, (void)(pt_->status = pt_timeout_rearm_( \
                             pt_current_, scope,          \
                             PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_REARM", "0"))))

/* pt_timed_out - whether a block was ended by its deadline; valid until it is opened again */
PT_ALWAYS bool pt_timed_out(const struct pt_scope *scope);

/* --- implementation ------------------------------------------------------------------------ */

#define PT_TIMED_BLOCK_(scope, delay, here)                                                    \
    for (PT_IN_BODY_,                                                                          \
         PT_NOT_LOCAL_THEN_(scope, "the scope") PT_CHECK_ONE_(scope, "PT_WITH_TIMEOUT")        \
             pt_entered_ = pt_timeout_open_(pt_current_, scope, delay, PT_LABEL_OF_(here)),    \
             PT_DO_IF_(!pt_entered_, PT_REFUSE_AT_(here)), pt_refused_ = !pt_entered_;         \
         pt_refused_ || pt_entered_; pt_scope_leave_(pt_current_, scope), pt_entered_ = false) \
        PT_ELSE_DO_(pt_refused_, PT_REFUSE_AT_(here))                                          \
    PT_LABEL_CASE_(PT_LABEL_OF_(here))                                                         \
    PT_COUNTING_FOR_(pt_blocks_, pt_entered_, pt_entered_ = false)
#define PT_REFUSE_AT_(here)                 \
    enum { pt_here_ = PT_LABEL_OF_(here) }; \
    PT_CHECK_LABEL_(pt_here_);              \
    PT_REFUSE_()

PT_ALWAYS bool pt_timed_out(const struct pt_scope *scope)
{
    return scope->marks & PT_SCOPE_FIRED_;
}

/* Whether SCOPE is an open block of TASK; PT_DEBUG stops if it is another task's. */
PT_ALWAYS bool pt_scope_of_(const struct pt_task *task, const struct pt_scope *scope)
{
    const struct pt_scope *open = task->scopes;

    while (open && open != scope) /* pt-bounds: loop blocks */
        open = open->outer;
    PT_ASSERT_(open || scope->state == PT_SCOPE_CLOSED_,
               "the block is another task's: only the task that opened it can change its deadline",
               "PT_REARM");
    return open;
}

/* Arm the task's timer for a block, after those of the sleepers, which asked before. */
PT_COLD void pt_task_schedule_block_(struct pt_task *task)
{
    pt_loop_flush_sleepers_(task->loop);
    pt_task_schedule_(task);
}

/* delay > PT_DELAY_MAX, without that constant, for which some parts have no short instruction. */
PT_ALWAYS bool pt_is_too_long_(pt_time delay)
{
    return (pt_time)(delay | (delay + 1)) > PT_DELAY_NEVER;
}

PT_SHARED pt_status pt_timeout_rearm_(struct pt_task *task, struct pt_scope *scope, pt_time delay)
{
    if (!pt_scope_of_(task, scope) ||
        (scope->marks & (PT_SCOPE_GROUP_ | PT_SCOPE_LOCAL_ | PT_SCOPE_HELD_)))
        return PT_EINVAL;
    if (pt_is_too_long_(delay))
        return PT_ERANGE;
    if (!delay) {
        scope->marks = PT_SCOPE_LATE_;
        task->state |= PT_STATE_INTERRUPTED_;
        pt_task_spare_(task); /* the end of a function that it awaits is no wait */
        return PT_OK;
    }
    scope->deadline = pt_now_(task) + delay;
    scope->marks = PT_SCOPE_TIMED_; /* forget a deadline that was missed but had no effect */
    if (!PT_FAST_ || !(task->flags & PT_FLAG_TIMED_) ||
        pt_time_before(scope->deadline, pt_timers_at_(&task->loop->timers, &task->timer)))
        pt_task_schedule_block_(task);
    return PT_OK;
}

PT_SHARED bool pt_timeout_open_(struct pt_task *task, struct pt_scope *scope, pt_time delay,
                                pt_label label)
{
    if (delay > PT_DELAY_NEVER) {
        pt_task_top_(task)->status = PT_ERANGE;
        return false;
    }
    if (!pt_scope_open_(task, scope, label, 0))
        return false;
    pt_timeout_rearm_(task, scope, delay); /* PT_DELAY_NEVER sets no deadline */
    return true;
}

/* Whether a task waits for the time of its timer, or a later one. */
PT_ALWAYS bool pt_task_needs_timer_(const struct pt_task *task)
{
    return (task->state & PT_STATE_SLEEPING_) || pt_scopes_first_(task);
}

/* The first timer, or NULL. The loop is about to sleep: if the first timers are of closed blocks,
 * it drops them, or it would notice a deadlock late. Without a port they cost a turn without
 * work. */
PT_API pt_timer_ *pt_loop_first_timer_(struct pt_loop *loop)
{
    pt_timer_ *first = pt_timers_first_(&loop->timers);

    while (PT_PORT && first && !pt_task_needs_timer_(pt_task_of_timer_(first))) {
        pt_task_of_timer_(first)->flags &= (uint8_t)~PT_FLAG_TIMED_;
        pt_timers_pop_(&loop->timers);
        first = pt_timers_first_(&loop->timers);
    }
    return first;
}

#else
#define pt_loop_first_timer_(loop) pt_timers_first_(&(loop)->timers)
#endif
#endif
