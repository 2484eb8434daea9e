/* await.h - frames that await frames: another one comes on top of a task, or goes
 * SPDX-License-Identifier: MIT */
#ifndef PT_AWAIT_H
#define PT_AWAIT_H

#include "../scope/unwind.h"

#if PT_AWAIT && PT_DEBUG && PT_HAS_MEMBERS_
/* How many tasks of a list to look at, and how many frames of each. To find the list of a
 * member's group takes O(its joiners). */
enum { PT_AWAIT_LOOKS_ = 64 };

/* Whether FRAME is one of the task's frames. */
PT_API bool pt_task_has_frame_(const struct pt_task *task, const struct pt *frame)
{
    const struct pt *at = pt_task_top_(task);

    for (int i = 0; at && at != frame && i < PT_AWAIT_LOOKS_; i++)
        at = pt_caller_of_(at);
    return at == frame;
}

PT_API void pt_await_check_in_(const struct pt_wait_queue_ *tasks, const struct pt *frame)
{
    struct pt_node *node = pt_wait_queue_first_(tasks);

    for (int i = 0; node && i < PT_AWAIT_LOOKS_; i++, node = pt_wait_queue_next_(tasks, node))
        PT_ASSERT_(!pt_task_has_frame_(pt_task_of_member_(node), frame),
                   "the frame runs already, for another task: give each task, and each level of a "
                   "recursion, a frame of its own",
                   "PT_WAIT_COMPLETE");
}

/* TASK awaits FRAME: stop if the frame is one of a task's already. */
PT_API void pt_await_check_(const struct pt_loop *loop, const struct pt_task *task,
                            const struct pt *frame)
{
    PT_ASSERT_(!pt_task_has_frame_(task, frame),
               "the frame runs already, and awaits itself: give each level of a recursion a frame "
               "of its own",
               "PT_WAIT_COMPLETE");
    pt_await_check_in_(&loop->tasks, frame);
    PT_IF_(PT_GROUPS, if (task->flags & PT_FLAG_MEMBER_)
                          pt_await_check_in_(&pt_task_group_(task)->members, frame);)
}
#else
#define pt_await_check_(loop, task, frame) ((void)0)
#endif

#if PT_AWAIT
/* DONE is complete: put the frame that awaits it on top again; false if there is none. */
PT_ALWAYS bool pt_task_return_(struct pt_task *task, const struct pt *done)
{
    struct pt *caller = pt_caller_of_(done);

    if (!caller)
        return false;
    task->top = caller;
    task->top->status = done->status;
    return true;
}

/* Let FRAME run in place of the frame on top. */
PT_ALWAYS bool pt_task_await_(struct pt_task *task, struct pt *frame)
{
    if (!pt_nests_(task->top)) {
        task->top->status = PT_ERANGE;
        return true;
    }
    frame->caller = task->top;
    pt_frame_set_cleaning_(frame, pt_cleaning_within_(task->top));
    task->top = frame;
    return true;
}
#else
#define pt_task_return_(task, done) ((void)(done), false)
#define pt_task_await_(task, frame) ((void)(task), true)
#endif

/* A function is done, and its caller is about to continue. If an interruption came while the task
 * could not be interrupted, it acts now. Returns whether to resume the frame on top now. */
PT_ALWAYS bool pt_task_resumes_caller_(struct pt_task *task)
{
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_) &&
        !(pt_task_flags_(task) & PT_FLAG_USES_GIVEN_))
        return pt_task_unwind_(task);
    return true;
}

#endif
