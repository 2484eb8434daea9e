/* cancel.h - what ends a task's work from outside: a cancel, a deadline, a group's decision
 * SPDX-License-Identifier: MIT
 *
 *     pt_cancel(&self->worker.task, PT_ECANCELED);
 *     PT_JOIN(&self->worker.task);                 the worker and its cleanups are done
 *
 * A cancel ends a whole task; a deadline or a group's decision ends one block. Each only sets bits
 * and, if the task waits, makes it ready. When the loop next takes the task, unwind.h ends the
 * work. A task that nothing interrupts pays for one test: of INTERRUPTED, in a byte that a turn
 * reads anyway for pt_pause.
 *
 *     bit           set by                                    cleared
 *     INTERRUPTED   a cancel, a deadline, a group's decision  when nothing is left to end
 *     CANCELED      a cancel                                  at the next spawn
 *     LATE          a block's deadline, a group's decision    when the block ends, or is rearmed
 *     GIVEN         what gives the task something, at once    when the task resumes with it
 *                   or certainly later; a wait that was over before a deadline
 *     USES_GIVEN    the resume of a task that has GIVEN       at the next wait, or interruption */
#ifndef PT_CANCEL_H
#define PT_CANCEL_H

#include "scope.h"

#if PT_CANCEL
/* pt_cancel - make a task end, with the code REASON
 * A task that waits ends at that wait; a task that is ready ends where it last waited; a task that
 * runs ends at its next wait, or when a function that it awaits has ended. Each of its functions
 * runs its PT_FINALLY, the innermost first, and the tasks that join it get REASON: PT_ECANCELED, or
 * a code of the program, -128 to -64. But a code that its last cleanup returns, or that it returns
 * before a wait, is its own. A task in a cleanup ends after the cleanup. A paused task is resumed,
 * so that it ends; a later pause holds it until pt_resume. A task that has not run yet runs to its
 * first wait, and ends there: its cleanup gives back what it was started with. A task still gets
 * what it was given. Its storage is in use until it is done: PT_JOIN waits for that. No effect on a
 * task that is not alive, or was canceled before.
 *
 * The PT_FINALLY of a canceled task can wait, and await functions, like the rest of its body: no
 * cancel and no deadline from outside ends it. So give a wait that can last a time of its own.
 * self->pt.result tells why the cleanup runs: here it is REASON.
 *
 * Cost: O(open blocks of the task); and O(1) to leave its wait, but O(cases) for a select, that of
 * a removal from the timer queue for a sleep, and for the last writer that waits for a rwlock
 * O(readers that wait).
 *
 *     PT_FINALLY
 *     if (self->pt.result != PT_OK)
 *         PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
 *             PT_WAIT_COMPLETE(&self->bye, say_goodbye, .io = &self->io);
 *         }
 *     pt_io_close(&self->io); */
PT_API void pt_cancel(struct pt_task *task, pt_code_ reason);
#endif

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_INTERRUPTS_

/* The outermost late block of a task, among those that no cleanup protects; or NULL. */
PT_ALWAYS const void *pt_scopes_late_(const struct pt_task *task, uint_fast8_t depth)
{
    const struct pt_scope *late = NULL;

    /* pt-bounds: loop blocks */
    for (const struct pt_scope *scope = pt_task_scopes_(task); scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_LATE_) && scope->depth == depth)
            late = scope;
    return late;
}

/* What must end now: one of the task's blocks, the task itself (all of it), or NULL: nothing. */
PT_COLD const void *pt_task_must_end_(const struct pt_task *task)
{
    uint_fast8_t depth = pt_depth_(pt_task_top_(task));
    const void *ending = pt_scopes_late_(task, depth);

    if (PT_CANCEL && depth == 0 && (task->flags & PT_FLAG_CANCELED_))
        ending = task;
    return ending;
}

/* What must end in a task ends at its next wait, and not before, when a function ends that it
 * awaits: what that was given would be lost. But this ends with the function on top if that is in
 * its PT_FINALLY: those who await it must end. */
PT_SHARED void pt_task_spare_(struct pt_task *task)
{
    uint_fast8_t flags = task->flags & (uint8_t)~PT_FLAG_USES_GIVEN_;

    if (!(pt_frame_cleaning_(pt_task_top_(task)) & 1)) /* it is in no PT_FINALLY of its own */
        flags |= PT_FLAG_USES_GIVEN_;
    task->flags = (uint8_t)flags;
}

/* There may be something to end in a task. Set INTERRUPTED; if it waits and something must end now,
 * it leaves its wait, and is ready. When it is next in a batch, unwind.h ends what must end. */
PT_COLD void pt_task_interrupt_(struct pt_task *task)
{
    task->state |= PT_STATE_INTERRUPTED_;
    task->flags &= (uint8_t)~PT_FLAG_USES_GIVEN_; /* it protects only from what came before */
    if (PT_CHANNELS && (task->flags & PT_FLAG_GIVEN_))
        return; /* it has what it waits for, or will certainly get it: a condition's lock */
    if (pt_task_must_end_(task))
        pt_task_force_wake_(task);
}

#else
#define pt_task_spare_(task) ((void)(task))
#define pt_task_must_end_(task) NULL
#define pt_task_interrupt_(task) ((void)(task))
#endif

#if PT_CANCEL
PT_API void pt_cancel(struct pt_task *task, pt_code_ reason)
{
    pt_status code = pt_status_of_(reason, "pt_cancel");

    if (!pt_task_alive(task) || pt_task_canceled(task))
        return;
    task->flags |= PT_FLAG_CANCELED_;
    task->reason = code;
    PT_IF_(PT_PAUSE, pt_resume(task);)
    pt_task_interrupt_(task);
}
#endif

#endif
