/* overwritten.h - PT_DEBUG: what a start or an await would write over
 * SPDX-License-Identifier: MIT
 *
 * A start zeroes the frame first, and only the loop knows of a task in it that still runs. An
 * await can find that another task runs the frame. These checks replace the empty ones of
 * coroutine/checks.h, before anything is written. */
#ifndef PT_OVERWRITTEN_H
#define PT_OVERWRITTEN_H

#include "../scope/group.h"

#if PT_DEBUG && PT_HAS_MEMBERS_ && PT_HAS_LOOP_

/* TASK starts FRAME. */
#undef PT_CHECK_OVERWRITTEN_
#define PT_CHECK_OVERWRITTEN_(task, frame, ...)                                   \
    pt_check_overwritten_((task)->loop, frame, PT_ZEROES_(*(frame), __VA_ARGS__), \
                          PT_START_OF_(__VA_ARGS__), __LINE__),

/* The task keeps the loop in which it is about to start: so that is evaluated once. */
#undef PT_CHECK_START_
#define PT_CHECK_START_(in, storage, ...)                                                       \
    pt_check_overwritten_((storage)->task.loop = (in), &(storage)->frame,                       \
                          PT_ZEROES_((storage)->frame, __VA_ARGS__), PT_START_OF_(__VA_ARGS__), \
                          __LINE__),
#undef PT_STARTED_IN_
#define PT_STARTED_IN_(in, storage) (storage)->task.loop

#if PT_GROUPS
PT_ALWAYS bool pt_task_is_member_(const struct pt_task *at)
{
    return (at->flags & PT_FLAG_MEMBER_) && at->joiners.first;
}
#else
#define pt_task_is_member_(at) false
#endif

/* Whether the bytes at AT, which can be anything, are a live task of the loop. They are one if the
 * loop's list has it; a task of a group is in no list of the loop, and is one by its loop and its
 * joiners: by chance other bytes can look the same. */
PT_API bool pt_task_lives_at_(const struct pt_loop *loop, const struct pt_task *at)
{
    const struct pt_node *member;

    if (at->loop != loop || !pt_task_alive(at) || !at->member.prev)
        return false;
    if (pt_task_is_member_(at))
        return true;
    member = pt_wait_queue_first_(&loop->tasks);
    while (member && member != &at->member)
        member = pt_wait_queue_next_(&loop->tasks, member);
    return member != NULL;
}

/* Stop if one of the SIZE bytes behind the struct pt of a FRAME is in use. */
PT_NOINLINE void pt_check_overwritten_(const struct pt_loop *loop, const void *frame, size_t size,
                                       const char *where, unsigned line)
{
    const char *bytes = (const char *)frame;
    size_t at = sizeof(struct pt);

    for (; loop && at + sizeof(struct pt_task) <= size; at += PT_ALIGN_OF_(struct pt_task))
        if (pt_task_lives_at_(loop, (const struct pt_task *)(const void *)&bytes[at]))
            PT_PANIC("a task in its frame still runs, and would become zero: join that task first, "
                     "or put PT_KEEP behind the name",
                     where, line);
}

#if PT_AWAIT
#undef PT_CHECK_SHARED_
#define PT_CHECK_SHARED_(task, frame) pt_check_shared_(task, frame);

/* Whether FRAME is one of the task's frames. */
PT_API bool pt_task_has_frame_(const struct pt_task *task, const struct pt *frame)
{
    const struct pt *at = pt_task_top_(task);

    for (int i = 0; at && at != frame && i < PT_LOOKS_; i++)
        at = pt_caller_of_(at);
    return at == frame;
}

PT_API void pt_check_shared_in_(const struct pt_wait_queue_ *tasks, const struct pt *frame)
{
    struct pt_node *node = pt_wait_queue_first_(tasks);

    for (int i = 0; node && i < PT_LOOKS_; i++, node = pt_wait_queue_next_(tasks, node))
        PT_ASSERT_(!pt_task_has_frame_(pt_task_of_member_(node), frame),
                   "the frame runs already, for another task: give each task, and each level of a "
                   "recursion, a frame of its own",
                   "PT_WAIT_COMPLETE");
}

/* TASK awaits FRAME: stop if another task runs it. To find the list of its group is O(its
 * joiners). */
PT_API void pt_check_shared_(const struct pt_task *task, const struct pt *frame)
{
    if (!task->loop)
        return;
    pt_check_shared_in_(&task->loop->tasks, frame);
    PT_IF_(PT_GROUPS, if (task->flags & PT_FLAG_MEMBER_)
                          pt_check_shared_in_(&pt_task_group_(task)->members, frame);)
}
#endif

#endif
#endif
