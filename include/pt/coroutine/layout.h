/* layout.h - without PT_AWAIT, a task and its frame are one struct
 * SPDX-License-Identifier: MIT
 *
 * A task has only one frame there: struct pt has the fields of struct pt_task, too, and a resumable
 * function has one parameter. This saves a microcontroller a pointer, and the padding between the
 * two. In C++ the union of the two constructs and destroys the frame. */
#ifndef PT_LAYOUT_H
#define PT_LAYOUT_H

#include "../base/config.h"

/* PT_FRAME_TASK_ and PT_FRAME_BYTES_: the fields of the task that are in its frame; with pools also
 * its owner, which else stands behind the control block (PT_OWNED_TASK in loop/pool.h).
 * PT_TASK_KIND_: what holds the task and its base frame, in C. PT_PARAMETERS_: the parameters of a
 * resumable function; PT_CALL_ calls it. */
#if PT_AWAIT
#define PT_FRAME_TASK_
#define PT_FRAME_BYTES_
#define PT_TASK_KIND_ struct
#define PT_PARAMETERS_ struct pt *pt_, struct pt_task *pt_current_
#define PT_CALL_(fn, pt, task) fn(pt, task)
#else
#define PT_FRAME_TASK_                                                                  \
    PT_IF_(PT_POOLS, struct pt_owner *owner;) /* with PT_FLAG_OWNED_: of its storage */ \
    PT_CONTROL_                                                                         \
    PT_CONTROL_RESUME_
#define PT_FRAME_BYTES_ PT_CONTROL_BYTES_
#define PT_TASK_KIND_ union
#define PT_PARAMETERS_ struct pt *pt_
#define PT_CALL_(fn, pt, task) ((void)(task), fn(pt))
#define pt_task pt
#define pt_current_ pt_
#endif

#if defined(__cplusplus) && PT_AWAIT
struct pt_task;
extern "C++" template <class Frame, class Task = struct pt_task> struct pt_task_with_ {
    Task task;
    Frame frame;
};
#elif defined(__cplusplus)

/* Whether objects of TYPE end without a call. */
#if defined(__clang__)
#define PT_ENDS_ALONE_(type) __is_trivially_destructible(type)
#else
#define PT_ENDS_ALONE_(type) __has_trivial_destructor(type)
#endif

struct pt;
extern "C++" {
template <class Frame, class Task = struct pt, bool = __is_trivial(Frame),
          bool = PT_ENDS_ALONE_(Frame)>
union pt_task_with_ {
    Task task;
    Frame frame;
};
/* A union does not construct a member of a class by itself, nor destroy it. The task, which is in
 * the frame, becomes zero. */
template <class Frame, class Task> union pt_task_with_<Frame, Task, false, true> {
    Task task;
    Frame frame;

    pt_task_with_() : frame()
    {
        frame.pt = Task();
    }
};
template <class Frame, class Task> union pt_task_with_<Frame, Task, false, false> {
    Task task;
    Frame frame;

    pt_task_with_() : frame()
    {
        frame.pt = Task();
    }
    ~pt_task_with_()
    {
        frame.~Frame();
    }
};
}
#endif

#endif
