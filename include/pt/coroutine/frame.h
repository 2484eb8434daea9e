/* frame.h - the two structs: the frame of a resumable function, and the task that runs frames
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_task              struct rocket             struct read_line
 *     +---------+                 +-----------+  caller     +-----------+
 *     | top ----+---------------------------------------->  | struct pt |   runs
 *     +---------+                 | struct pt | <---------- +-----------+
 *     | base frame: struct rocket |   waits   |
 *     +---------------------------+-----------+
 *
 * A task is a control block and a base frame. Awaiting another function pushes its frame; the
 * task resumes its top frame directly, however deep it lies. */
#ifndef PT_FRAME_H
#define PT_FRAME_H

#include "label.h"
#include "opcode.h"
#include "../base/status.h"
#include "../queue/timers.h"
#include "../queue/waits.h"

struct pt;
struct pt_group;
struct pt_loop;
struct pt_owner;
struct pt_scope;

/* The control block, as fields, for the struct that has them:
 *
 *     joiners  the tasks that wait for its end
 *     owner    who its storage goes back to at its end, or NULL
 *     group    the group that it belongs to, or NULL
 *     member   its place among the tasks of its group, or of its loop
 *     name     for those who look at it: the coroutine's, or the user's choice
 *     scopes   the blocks of its frames that something may end, innermost first
 *     timer    its place in the timer queue; without timeouts node is enough for that
 *     loop     who runs it; without this field a parked task keeps its loop in node.link
 *     node     its place in the ready queue or among waiters; while the task runs, node.at is the
 *              turn's now and both hold the operands of its opcode
 *     waiter   the node, and the value that it waits with, or for
 *     top      the frame to resume
 *     state    PT_TASK_* bits
 *     flags    more of them, which no resume looks at
 *     reason   what pt_cancel gave
 *     why      what it waits for in a queue of waiters, of PT_WHY_TABLE
 *
 * The loop writes them all. A PC has what a resume reads last, next to the base frame; a small part
 * has it first, where an instruction reaches it. */
#if PT_JOINS
#define PT_CONTROL_JOINS_ struct pt_crowd joiners;
#else
#define PT_CONTROL_JOINS_
#endif
#if PT_POOLS
#define PT_CONTROL_OWNER_ struct pt_owner *owner;
#else
#define PT_CONTROL_OWNER_
#endif
#if PT_GROUPS
#define PT_CONTROL_GROUP_ struct pt_group *group;
#else
#define PT_CONTROL_GROUP_
#endif
#if PT_HAS_MEMBERS_
#define PT_CONTROL_MEMBER_ struct pt_node member;
#else
#define PT_CONTROL_MEMBER_
#endif
#if PT_INSPECT
#define PT_CONTROL_NAME_ const char *name;
#define PT_CONTROL_WHY_ uint8_t why;
#else
#define PT_CONTROL_NAME_
#define PT_CONTROL_WHY_
#endif
#if PT_HAS_SCOPES_
#define PT_CONTROL_SCOPES_ struct pt_scope *scopes;
#else
#define PT_CONTROL_SCOPES_
#endif
#if PT_TIMEOUTS && PT_TIMERS_STORAGE
#define PT_CONTROL_TIMER_
#define PT_CONTROL_INDEX_ pt_timer timer; /* so small that it stands with the bytes */
#elif PT_TIMEOUTS
#define PT_CONTROL_TIMER_ pt_timer timer;
#define PT_CONTROL_INDEX_
#else
#define PT_CONTROL_TIMER_
#define PT_CONTROL_INDEX_
#endif
#if PT_HAS_WAITS_ || PT_HAS_INTERRUPTS_
#define PT_CONTROL_LOOP_ struct pt_loop *loop;
#define PT_HAS_LOOP_ 1
#else
#define PT_CONTROL_LOOP_
#define PT_HAS_LOOP_ 0
#endif
#if PT_AWAIT
#define PT_CONTROL_TOP_ struct pt *top;
#else
#define PT_CONTROL_TOP_
#endif
#if PT_HAS_INTERRUPTS_ || PT_CHANNELS
#define PT_CONTROL_FLAGS_ uint8_t flags;
#else
#define PT_CONTROL_FLAGS_
#endif
#if PT_CANCEL
#define PT_CONTROL_REASON_ pt_status reason;
#else
#define PT_CONTROL_REASON_
#endif
#define PT_CONTROL_    \
    PT_CONTROL_JOINS_  \
    PT_CONTROL_OWNER_  \
    PT_CONTROL_GROUP_  \
    PT_CONTROL_MEMBER_ \
    PT_CONTROL_NAME_   \
    PT_CONTROL_SCOPES_ \
    PT_CONTROL_TIMER_  \
    PT_CONTROL_LOOP_
#if PT_CHANNELS
#define PT_CONTROL_NODE_         \
    PT_EXTENSION union {         \
        struct pt_node node;     \
        struct pt_waiter waiter; \
    };
#else
#define PT_CONTROL_NODE_ struct pt_node node;
#endif
#define PT_CONTROL_RESUME_ \
    PT_CONTROL_NODE_       \
    PT_CONTROL_TOP_
#define PT_CONTROL_BYTES_ \
    uint8_t state;        \
    PT_CONTROL_FLAGS_     \
    PT_CONTROL_REASON_    \
    PT_CONTROL_WHY_       \
    PT_CONTROL_INDEX_

/* Without await a task has one frame for ever, so that frame and task are one struct: a
 * microcontroller saves a pointer and the padding between the two. */
#if !PT_AWAIT
#define pt_task pt
#endif
struct pt_task;

#if PT_CHANNELS
/* The item of a wait that takes more to leave than a place in a queue. */
struct pt_stay {
    /* TASK leaves before it was served. */
    void (*leave)(struct pt_stay *self, struct pt_task *task);
};
#endif

/* pt_fn - a resumable function: runs to its next opcode, which it returns
 * PT_PARAMETERS_ is what it takes; PT_CALL_ calls one. */
#define PT_TAKES_TASK_ (PT_AWAIT || PT_BACKEND == PT_BACKEND_NATIVE)
#if PT_TAKES_TASK_
#define PT_PARAMETERS_ struct pt *pt_, struct pt_task *pt_task_
#define PT_CALL_(fn, pt, task) fn(pt, task)
#else
#define PT_PARAMETERS_ struct pt *pt_
#define PT_CALL_(fn, pt, task) ((void)(task), fn(pt))
#define pt_task_ pt_
#endif
typedef pt_op pt_fn(PT_PARAMETERS_);

/* Where a suspension stands in the source. */
struct pt_site {
    const char *function, *file;
    unsigned line;
};

/* The frame: the first member of every coroutine's struct. */
struct pt {
#if !PT_AWAIT
    PT_CONTROL_
    PT_CONTROL_RESUME_
#endif
    pt_fn *fn; /* the resumable function; written by PT_INIT */
#if PT_AWAIT
    struct pt *caller; /* who awaits this frame, or NULL; written by the loop */
#endif
#if !PT_AWAIT
    PT_CONTROL_BYTES_
#endif
    pt_label label;   /* where to go on; written by the suspending macros */
    pt_status status; /* while it runs, the code of its last operation; then its result */
#if PT_CLEANUP
    pt_status result; /* what it will end with once its cleanup is over */
    uint8_t cleaning; /* how many cleanups it runs in, twice; odd once its own was reached */
#endif
#if PT_SITE_FITS_
    int32_t site; /* where it last suspended, as an offset from fn, or 0 */
#elif PT_SITES
    const struct pt_site *site; /* where it last suspended, or NULL */
#endif
#if PT_BACKEND == PT_BACKEND_NATIVE
    struct pt_place *place; /* its stack, and where it goes on there; NULL until it is started */
#endif
};

#if PT_CLEANUP
/* How many cleanups surround what runs in a frame. */
PT_ALWAYS uint_fast8_t pt_depth_(uint_fast8_t cleaning)
{
    return (uint_fast8_t)(cleaning - cleaning / 2);
}

/* The same for a function that such a frame awaits: as many, and not in its own; 127 at most. */
PT_ALWAYS uint8_t pt_cleaning_within_(uint8_t cleaning)
{
    return cleaning == UINT8_MAX ? UINT8_MAX - 1 : (uint8_t)(cleaning + (cleaning & 1));
}
#endif

#if PT_SITES
/* Where a frame last suspended, or NULL; and: it suspends at SITE. What lies in another file of the system
 * than fn does may be too far away. */
#if PT_SITE_FITS_
PT_ALWAYS const struct pt_site *pt_site_(const struct pt *pt)
{
    return pt->site ? (const struct pt_site *)((intptr_t)pt->fn + pt->site) : NULL;
}

PT_ALWAYS void pt_site_mark_(struct pt *pt, const struct pt_site *site)
{
    intptr_t offset = (intptr_t)((uintptr_t)site - (uintptr_t)pt->fn);

    pt->site = offset == (int32_t)offset ? (int32_t)offset : 0;
}
#else
PT_ALWAYS const struct pt_site *pt_site_(const struct pt *pt)
{
    return pt->site;
}

PT_ALWAYS void pt_site_mark_(struct pt *pt, const struct pt_site *site)
{
    pt->site = site;
}
#endif
#endif

#if PT_AWAIT
struct pt_task {
#if PT_HOSTED
    PT_CONTROL_
    PT_CONTROL_RESUME_
    PT_CONTROL_BYTES_
#else
    PT_CONTROL_RESUME_
    PT_CONTROL_BYTES_
    PT_CONTROL_
#endif
};
#endif

/* PT_TASK(rocket) - the type that holds a task and its base frame, as .task and .frame
 * The storage is the caller's and must be zero before the first spawn, as static storage is. */
#if !PT_AWAIT
#define PT_TASK(name)        \
    union {                  \
        struct pt_task task; \
        struct name frame;   \
    }
#elif defined(__cplusplus)
template <class Frame> struct pt_task_with_ {
    struct pt_task task;
    Frame frame;
};
#define PT_TASK(name) pt_task_with_<struct name>
#else
#define PT_TASK(name)        \
    struct {                 \
        struct pt_task task; \
        struct name frame;   \
    }
#endif

#endif
