/* overwritten.h - PT_DEBUG: what a start or an await would write over, or the end of a native body
 * SPDX-License-Identifier: MIT
 *
 * A start or an await zeroes the frame first, and only the loop knows of a task in it that still
 * runs, and whether another task runs the frame. These checks replace the empty ones of
 * coroutine/checks.h, before anything is written. */
#ifndef PT_OVERWRITTEN_H
#define PT_OVERWRITTEN_H

#include "../scope/tree.h"

#if PT_DEBUG && PT_HAS_MEMBERS_ && PT_HAS_LOOP_

/* TASK starts FRAME. */
#undef PT_CHECK_OVERWRITTEN_
#define PT_CHECK_OVERWRITTEN_(task, frame, ...)                                                \
    pt_check_overwritten_((task)->loop, (uintptr_t)(frame), PT_ZEROES_(*(frame), __VA_ARGS__), \
                          PT_START_OF_(__VA_ARGS__), __LINE__),

/* The task keeps the loop in which it is about to start: so that is evaluated once. */
#undef PT_CHECK_START_
#define PT_CHECK_START_(in, storage, ...)                                                       \
    pt_check_overwritten_((storage)->task.loop = (in), (uintptr_t)(&(storage)->frame),          \
                          PT_ZEROES_((storage)->frame, __VA_ARGS__), PT_START_OF_(__VA_ARGS__), \
                          __LINE__),
#undef PT_STARTED_IN_
#define PT_STARTED_IN_(in, storage) (storage)->task.loop

/* Whether AT, which can be any bytes, is a task of the loop. */
PT_API bool pt_loop_has_task_(const struct pt_loop *loop, const struct pt_task *at)
{
    const struct pt_task *task;

    if (at->loop != loop || !pt_task_alive(at))
        return false;
    task = pt_tree_next_(loop, NULL);
    while (task && task != at)
        task = pt_tree_next_(loop, task);
    return task;
}

/* Whether TASK runs a frame that begins in the SIZE bytes at START. */
PT_API bool pt_task_runs_within_(const struct pt_task *task, uintptr_t start, size_t size)
{
    const struct pt *at = pt_task_top_(task);

    for (int i = 0; at && i < PT_LOOKS_; i++, at = pt_caller_of_(at))
        if ((uintptr_t)at - start < size)
            return true;
    return false;
}

/* Stop if a task runs FRAME, or one of the SIZE bytes of it that become zero is in use. Only in a
 * loop with many tasks it reads those bytes: valgrind can report them as uninitialized. FRAME is no
 * pointer, for which gcc -O2 would warn of a local frame that is not initialized. */
PT_NOINLINE void pt_check_overwritten_(const struct pt_loop *loop, uintptr_t frame, size_t size,
                                       const char *where, unsigned line)
{
    const size_t step = PT_ALIGN_OF_(struct pt_task);
    const struct pt_task *task = loop ? pt_tree_next_(loop, NULL) : NULL;
    bool lives = false, runs = false;

    for (int i = 0; task && i < PT_LOOKS_; i++, task = pt_tree_next_(loop, task)) {
        lives = lives || (uintptr_t)task - frame < size;
        runs = runs || (PT_AWAIT && pt_task_runs_within_(task, frame, size ? size : 1));
    }
    for (size_t at = step; task && !lives && at + sizeof(struct pt_task) <= size; at += step)
        lives = pt_loop_has_task_(loop, (const struct pt_task *)(frame + at));
    if (lives)
        PT_PANIC("a task in its frame still runs, and would become zero: join that task first, or "
                 "put PT_KEEP behind the name",
                 where, line);
    if (runs)
        PT_PANIC("the frame runs already, for another task, or has one in it that does: give each "
                 "task, and each level of a recursion, a frame of its own",
                 where, line);
}

/* A native body has returned: stop if one of the tasks that it looks at is in the SIZE bytes at
 * START, its stack. */
#undef PT_CHECK_OUTLIVED_
#define PT_CHECK_OUTLIVED_(loop, start, size) pt_check_outlived_(loop, (uintptr_t)(start), size)
PT_NOINLINE void pt_check_outlived_(const struct pt_loop *loop, uintptr_t start, size_t size)
{
    const struct pt_task *task = loop ? pt_tree_next_(loop, NULL) : NULL;

    for (int i = 0; task && i < PT_LOOKS_; i++, task = pt_tree_next_(loop, task))
        if ((uintptr_t)task - start < size)
            PT_PANIC("a task on its stack still runs: join it before the function returns",
                     "pt_native", 0);
}

#endif
#endif
