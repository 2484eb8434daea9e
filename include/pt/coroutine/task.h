/* task.h - what a body can ask of its loop: to spawn, await and join (to sleep: clock.h, park.h)
 * SPDX-License-Identifier: MIT
 *
 *     PT_ASYNC(countdown, self)
 *     {
 *         for (; self->from > 0; self->from--)
 *             PT_WAIT(PT_SEC(1));
 *     }
 *     PT_END
 *
 *     PT_ASYNC(launch, self)
 *     {
 *         PT_SPAWN(&self->weather, watch_weather);                  runs beside this task
 *         PT_WAIT_COMPLETE(&self->count, countdown, .from = 3);     runs in this task's place
 *         PT_JOIN(&self->weather.task);
 *     }
 *     PT_END
 *
 * Each macro stores an operand and returns an opcode. An operation that can fail leaves its
 * code in self->pt.status. */
#ifndef PT_TASK_H
#define PT_TASK_H

#include "generator.h"
#include "park.h"

/* --- spawning ------------------------------------------------------------------------------ */

/* PT_SPAWN(&storage, rocket, .field = value ...) - start a task beside this one
 * STORAGE is a PT_TASK(rocket) that lives until the task is done; up to 16 fields. The new task
 * runs after those that are ready now; this one continues at once. self->pt.status is PT_OK,
 * PT_EBUSY (the task in that storage still runs: PT_DEBUG stops there) or PT_ENOMEM (the loop is
 * full; if it has no storage at all, the program stops). */
#define PT_SPAWN(storage, ...)                                                     \
    do {                                                                           \
        PT_IN_BODY_;                                                               \
        PT_CHECK_TASK_(storage, __VA_ARGS__);                                      \
        PT_NOT_LOCAL_(storage, "the task's storage")                               \
        pt_->status = pt_task_claim_(&(storage)->task, PT_START_OF_(__VA_ARGS__)); \
        if (pt_->status == PT_OK) {                                                \
            PT_TASK_INIT_LASTS_(storage, __VA_ARGS__);                             \
            pt_current_->node.link.operand = &(storage)->task;                     \
            PT_SPAWN_OPERAND_();                                                   \
        }                                                                          \
    } while (0)

/* --- awaiting ------------------------------------------------------------------------------ */

#if PT_AWAIT

/* PT_WAIT_COMPLETE(&frame, read_line, .field = value ...) - run another function here
 * FRAME is a struct read_line, not a task: it takes this function's place in the task until it
 * is done. Then self->pt.status is the code that it ended with, and its fields can be read.
 * Cost: O(1), and a resume costs the same at every depth. */
#define PT_WAIT_COMPLETE(frame, ...)                                             \
    do {                                                                         \
        PT_IN_BODY_;                                                             \
        PT_NOT_LOCAL_(frame, "the awaited frame")                                \
        PT_CHECK_AWAIT_(frame, "PT_WAIT_COMPLETE", "awaits itself", __VA_ARGS__) \
        PT_INIT_LASTS_(frame, __VA_ARGS__);                                      \
        pt_current_->node.link.operand = &(frame)->pt;                           \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);                                        \
    } while (0)

/* PT_TRY(&frame, read_line, ...) - PT_WAIT_COMPLETE, then PT_RETURN its code unless it is PT_OK */
#define PT_TRY(frame, ...)                                        \
    do {                                                          \
        PT_WAIT_COMPLETE(frame, __VA_ARGS__);                     \
        if (pt_->status != PT_OK)                                 \
            PT_CHOOSE_(PT_SITES, PT_FAIL_FROM_, PT_FAIL_)(frame); \
    } while (0)

#endif

/* --- joining ------------------------------------------------------------------------------- */

/* PT_JOIN(&storage.task) - wait until a task is done; any number of tasks may join it
 * Then self->pt.status is the code that it ended with. Without waiting: PT_EINVAL if it was never
 * spawned, PT_EDEADLK if it is the caller itself. */
#define PT_JOIN(task) PT_PARK_IF_((PT_CHECK_JOINED_(task), pt_join_(pt_current_, pt_, task)))

/* --- implementation ------------------------------------------------------------------------ */

/* End as FRAME has ended; with PT_SITES its line, too. */
#define PT_FAIL_(frame) PT_RETURN_CODE_(pt_->status)
#define PT_FAIL_FROM_(frame)              \
    do {                                  \
        pt_site_take_(pt_, &(frame)->pt); \
        PT_RETURN_CODE_(pt_->status);     \
    } while (0)

/* A compile error if STORAGE is a frame, and not a task. */
#define PT_CHECK_TASK_(storage, ...) PT_CHECK_TASK_OF_(storage, PT_FIRST_(__VA_ARGS__))
#define PT_CHECK_TASK_OF_(storage, name) PT_CHECK_NAMED_(storage, name)
#define PT_CHECK_NAMED_(storage, name) PT_NO_FRAME_(storage, struct name)

/* A compile error if TASK does not point to a task; evaluates nothing. */
#define PT_CHECK_JOINED_(task) \
    PT_POINTS_TO_(task, struct pt_task, "PT_JOIN takes the task of the storage: &storage.task")

/* In a body: start the task to which node.link.operand points. fast.h has a faster way on a PC. */
#define PT_SPAWN_OPERAND_() PT_SUSPEND_(PT_OP_SPAWN)

/* Prepare a task and its base frame for pt_spawn: an expression. */
#define PT_TASK_INIT_(storage, ...) PT_TASK_INIT_BY_(PT_INIT, storage, __VA_ARGS__)
#define PT_TASK_INIT_LASTS_(storage, ...) PT_TASK_INIT_BY_(PT_INIT_LASTS_, storage, __VA_ARGS__)
#define PT_TASK_INIT_BY_(init, storage, ...)               \
    (init(&(storage)->frame, __VA_ARGS__),                 \
     pt_task_init_(&(storage)->task, &(storage)->frame.pt, \
                   PT_WHERE_(PT_TASK_NAME_(PT_FIRST_(__VA_ARGS__)))))
#define PT_TASK_NAME_(name) PT_TEXT(name)

PT_ALWAYS void pt_task_init_(struct pt_task *task, struct pt *frame, const char *name)
{
    pt_task_set_top_(task, frame);
    pt_task_field_set_name_(task, name);
    pt_frame_set_task_name_(frame, name);
    if (PT_NAME_FITS_)
        pt_frame_set_cleaning_(frame, PT_CLEANING_BASE_);
}

/* PT_OK if the storage is free for a new task, else PT_EBUSY. */
PT_ALWAYS pt_status pt_task_claim_(const struct pt_task *task, const char *where)
{
    PT_ASSERT_(!pt_task_alive(task),
               "the task in this storage still runs: join it first; or the storage was never "
               "zeroed: make it static, or clear it",
               where);
    return pt_task_alive(task) ? (pt_status)PT_EBUSY : (pt_status)PT_OK;
}

#if PT_JOINS

/* Whether there is nothing to wait for: TARGET is not alive, or is TASK. Sets the status. */
PT_API bool pt_join_at_once_(const struct pt_task *task, struct pt *frame,
                             const struct pt_task *target)
{
    frame->status = PT_OK;
    if (pt_task_alive(target) && target != task)
        return false;
    frame->status = target == task ? (pt_status)PT_EDEADLK : pt_task_status(target);
    return true;
}

/* Join TARGET's wait list; returns false, with the status set, if there is nothing to wait for. */
PT_API bool pt_join_(struct pt_task *task, struct pt *frame, struct pt_task *target)
{
    if (pt_join_at_once_(task, frame, target))
        return false;
    pt_task_wait_in_list_(task, &target->joiners, PT_WHY_JOIN);
    pt_task_set_waits_for_(task, target);
    return true;
}

#endif

#endif
