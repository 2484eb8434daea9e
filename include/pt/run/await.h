/* await.h - frames that await frames: another one comes on top of a task, or goes
 * SPDX-License-Identifier: MIT */
#ifndef PT_AWAIT_H
#define PT_AWAIT_H

#include "overwritten.h"
#include "../scope/unwind.h"

#if PT_AWAIT
/* The frame DONE is complete: put its caller on top again; false if it has none. */
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
    if (!pt_can_await_(task->top)) {
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
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_)) {
        if (pt_task_flags_(task) & PT_FLAG_USES_GIVEN_)
            pt_task_spare_(task);
        else
            return pt_task_unwind_(task);
    }
    return true;
}

#endif
