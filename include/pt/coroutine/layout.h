/* layout.h - without PT_AWAIT, a task and its frame are one struct
 * SPDX-License-Identifier: MIT
 *
 * A task has only one frame there: struct pt has the fields of struct pt_task, too, and a resumable
 * function has one parameter. This saves a microcontroller a pointer, and the padding between the
 * two. */
#ifndef PT_LAYOUT_H
#define PT_LAYOUT_H

#include "../base/config.h"

/* PT_FRAME_TASK_ and PT_FRAME_BYTES_: the fields of the task that are in its frame; with pools also
 * its owner, which else stands behind the control block (PT_OWNED_TASK in loop/pool.h).
 * PT_TASK_KIND_: what holds the task and its base frame. PT_PARAMETERS_: the parameters of a
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

#endif
