/* frame.h - the machine: its opcodes, the frame of a resumable function, the task that runs frames
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_task              struct rocket             struct read_line
 *     +---------+                 +-----------+  caller     +-----------+
 *     | top ----+---------------------------------------->  | struct pt |   runs
 *     +---------+                 | struct pt | <---------- +-----------+
 *     | base frame: struct rocket |   waits   |
 *     +---------------------------+-----------+
 *
 * A task is a control block, struct pt_task, and a base frame; PT_TASK(rocket) holds both. To await
 * another function is to push its frame. The task resumes its top frame directly, at any depth. */
#ifndef PT_FRAME_H
#define PT_FRAME_H

#include "layout.h"
#include "../base/same_knobs.h"
#include "../base/status.h"
#include "../queue/timers.h"
#include "../queue/wait_list.h"
#include "../queue/wait_queue.h"

struct pt;
struct pt_loop;
struct pt_owner;
struct pt_site_;

/* --- opcodes -------------------------------------------------------------------------------- */

/* The machine has six instructions. A function runs to its next instruction and returns it; the
 * operand is in the task's node. Everything else in pt is built from PARK and a wake. YIELD is 0
 * and PARK is 1: each takes that many permits from its task (state.h). DONE is the last one. */
/* clang-format off */
/*    name           operand              what the loop does */
#define PT_OP_TABLE(X)                                                                      \
    X(YIELD,         "-",                 "to the back of the ready queue")                 \
    X(PARK,          "-",                 "out of all queues until the task is woken")     \
    X(WAIT,          "node.at: deadline", "into the timer queue")                           \
    X(SPAWN,         "node.link: task",   "the new task becomes ready; resume the spawner") \
    X(WAIT_COMPLETE, "node.link: frame",  "resume the frame; when it is done, its caller")  \
    X(DONE,          "-",                 "resume the frame's caller, or end the task")
/* clang-format on */

/* PT_OP_YIELD, PT_OP_PARK and so on: the names of the table. */
enum pt_opcode {
#define PT_OP_ENUM_(name, operand, text) PT_OP_##name,
    PT_OP_TABLE(PT_OP_ENUM_)
#undef PT_OP_ENUM_
};

/* What a resumable function returns. It is a struct, so that a stray `return 0;` in a body is a
 * compile error, not an opcode. */
typedef struct pt_op {
    pt_register_ code; /* PT_OP_* */
} pt_op;

/* pt_op_name - "YIELD" for PT_OP_YIELD; the text is static */
PT_API const char *pt_op_name(enum pt_opcode code);

/* --- tasks and frames ------------------------------------------------------------------------ */

/* pt_label - where a function continues; 0 at its start: an unsigned number of PT_LABEL_BITS */
#define PT_LABEL_TYPE_ PT_UINT_(PT_LABEL_BITS)
typedef PT_LABEL_TYPE_ pt_label;

#define PT_LABEL_START_ 0 /* never resumed */
#define PT_LABEL_DONE_ ((pt_label)-1)
#define PT_LABEL_FINALLY_ ((pt_label)-2)
#define PT_LABEL_LAST_ ((pt_label)-3) /* the largest label of a suspension */

/* Whether a task has a pointer to its loop; whether it has flags besides its state. */
#define PT_HAS_LOOP_ \
    PT_OR_(PT_OR_(PT_HAS_WAIT_QUEUES_, PT_HAS_CLOCK_), PT_OR_(PT_HAS_INTERRUPTS_, PT_TIMED_PARKS))
#define PT_HAS_FLAGS_ PT_OR_(PT_OR_(PT_HAS_INTERRUPTS_, PT_CHANNELS), PT_POOLS)
#define PT_HAS_NAME_ PT_AND_(PT_INSPECT, PT_NOT_(PT_NAME_FITS_))

/* The control block: fields that the loop writes, in three parts. The timer of a task with timeouts
 * is a node, which stands among the pointers, or only an index, among the bytes. */
#define PT_CONTROL_                                                                                \
    PT_IF_(PT_OR_(PT_JOINS, PT_GROUPS), struct pt_wait_list_ joiners;) /* last its group */        \
    PT_IF_(PT_HAS_MEMBERS_, struct pt_node member;)  /* its place in its group or loop */          \
    PT_IF_(PT_HAS_NAME_, const char *name;)          /* the coroutine's, or the user's choice */   \
    PT_IF_(PT_HAS_SCOPES_, struct pt_scope *scopes;) /* its open blocks, innermost first */        \
    PT_IF_(PT_AND_(PT_TIMEOUTS, PT_NOT_(PT_TIMERS_STORAGE_)), pt_timer_ timer;) /* besides node */ \
    PT_IF_(PT_SINCE, pt_time since;)            /* when it ran last: the time of that turn */      \
    PT_IF_(PT_HAS_LOOP_, struct pt_loop *loop;) /* if absent: node.link of a parked task */

/* NODE: the task's place in the ready queue or among waiters. While the task runs, node.at and
 * node.link take the operands of its opcode; without a pt_clock_, node.at is first the time at
 * which the turn began. In a wait queue the waiter also points to a value, or to the place for
 * one. */
#define PT_CONTROL_RESUME_                                            \
    PT_CHOOSE_(PT_CHANNELS, PT_CONTROL_WAITER_, struct pt_node node;) \
    PT_IF_(PT_AWAIT, struct pt *top;) /* the frame to resume */
#define PT_CONTROL_WAITER_        \
    PT_EXTENSION union {          \
        struct pt_node node;      \
        struct pt_waiter_ waiter; \
    };

#define PT_CONTROL_BYTES_                                                                         \
    uint8_t state;                        /* PT_STATE_* bits */                                   \
    PT_IF_(PT_HAS_FLAGS_, uint8_t flags;) /* PT_FLAG_* bits: a plain resume does not read them */ \
    PT_IF_(PT_CANCEL, pt_status reason;)  /* the code that pt_cancel got */                       \
    PT_IF_(PT_INSPECT, uint8_t why;)      /* what it waits for in a wait queue: PT_WHY_TABLE */   \
    PT_IF_(PT_HAS_URGENT_, bool urgent;)  /* pt_task_set_urgent has marked it */                  \
    PT_IF_(PT_AND_(PT_TIMEOUTS, PT_TIMERS_STORAGE_), pt_timer_ timer;)

/* The task. The caller owns the storage; only the loop writes to it. The fields that a resume reads
 * come last on a PC, next to the base frame. On a small part they come first, where the short
 * offset of a load instruction reaches them. */
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

/* Nothing awaits the base frame of a task. So there the name of the task can have the caller's
 * place; a bit of `cleaning` tells which of the two it is. */
#define PT_FRAME_CALLER_ PT_CHOOSE_(PT_NAME_FITS_, PT_CALLER_OR_NAME_, struct pt *caller;)
#define PT_CALLER_OR_NAME_     \
    PT_EXTENSION union {       \
        struct pt *caller;     \
        const char *task_name; \
    };
#define PT_CLEANING_MOST_ PT_CHOOSE_(PT_NAME_FITS_, 0x7fu, 0xffu) /* the bits that count cleanups */
#define PT_CLEANING_BASE_ PT_CHOOSE_(PT_NAME_FITS_, 0x80u, 0u) /* a base frame, which has a name */

/* pt_fn - a resumable function: runs to its next opcode and returns it */
typedef pt_op pt_fn(PT_PARAMETERS_);

/* Where a suspension is in the source: its offset from fn, or 0; or a pointer to it, or NULL. */
typedef PT_CHOOSE_(PT_SITE_FITS_, int32_t, const struct pt_site_ *) pt_kept_site_;

/* The frame: the first member of every coroutine's struct. */
struct pt {
    PT_FRAME_TASK_
    pt_fn *fn;                         /* the resumable function; written by PT_INIT */
    PT_IF_(PT_AWAIT, PT_FRAME_CALLER_) /* the frame that awaits this one, or NULL */
    PT_FRAME_BYTES_
    pt_label label;   /* where to continue; written by the suspending macros */
    pt_status status; /* of its last operation; when it is done, its result */
#if PT_CLEANUP
    pt_status result; /* what it will end with, after its cleanup */
    uint8_t cleaning; /* twice its callers' cleanups; + 1 in its own; and a bit */
#endif
    PT_IF_(PT_OR_(PT_SITES, PT_SITE_FITS_), pt_kept_site_ site;) /* where it last suspended */
};

/* PT_TASK(rocket) - the type that holds a task and its base frame, as .task and .frame
 * The caller owns the storage. It must be zero before the first spawn, as static storage is. In
 * C each use of PT_TASK is a type of its own: `typedef PT_TASK(rocket) rocket_task;` names one.
 * What works on tasks of any coroutine takes the struct pt_task *, &storage.task. */
#ifdef __cplusplus
#define PT_TASK(name) pt_task_with_<struct name> /* layout.h */
#else
#define PT_TASK(name)        \
    PT_TASK_KIND_            \
    {                        \
        struct pt_task task; \
        struct name frame;   \
    }
#endif

/* --- blocks --------------------------------------------------------------------------------- */

/* A block's state:
 *
 *     CLOSED --open--> ENTERED --its end, break, time over--> CLOSED
 *       a group:          +--> LEFT, LEAVING: waits for its tasks --^
 *       a lock's block:   LEFT while it waits for the lock */
enum { PT_SCOPE_CLOSED_, PT_SCOPE_ENTERED_, PT_SCOPE_LEFT_, PT_SCOPE_LEAVING_ };

/* Its marks. */
enum {
    PT_SCOPE_LATE_ = 0x01,  /* it must be ended as soon as the task can be interrupted */
    PT_SCOPE_FIRED_ = 0x02, /* it was ended */
    PT_SCOPE_TIMED_ = 0x04, /* it has a deadline that has not expired yet */
    PT_SCOPE_GROUP_ = PT_GROUPS ? 0x08 : 0, /* it is the first member of a struct pt_group */
    PT_SCOPE_LOCAL_ = 0x10,                 /* it is a struct pt_local's: nothing ends it */
    PT_SCOPE_HELD_ = PT_SYNC ? 0x20 : 0     /* it is a struct pt_held's, and has its lock */
};

/* A block of a body, as PT_WITH_TIMEOUT, PT_WITH_GROUP and others open it (scope/scope.h). It lives
 * in its function's frame, and is zero before its first use. Macros write it. */
struct pt_scope {
    struct pt_scope *outer; /* the next in the task's chain */
    struct pt *frame;       /* the frame that opened it */
#if PT_TIMEOUTS
    pt_time deadline; /* when its time is over */
#endif
    pt_label label; /* where the frame continues when the block is ended */
    uint8_t depth;  /* how many cleanups surround it */
    uint8_t state;
    uint8_t marks;
};

/* --- implementation ------------------------------------------------------------------------ */

/* LEAVE_: PT_RETURN inside blocks: the interpreter closes them, and resumes the frame at its
 * PT_FINALLY. AGAIN_: what the frame asked for is done (sync/transfer.h): it is resumed at once. */
enum { PT_OP_LEAVE_ = PT_OP_DONE + 1, PT_OP_AGAIN_ };

PT_ALWAYS pt_op pt_op_of_(unsigned char code)
{
    pt_op op;

    op.code = code;
    return op;
}

PT_API const char *pt_op_name(enum pt_opcode code)
{
    switch (code) {
#define PT_OP_NAME_(name, operand, text) \
    case PT_OP_##name: return #name;
        PT_OP_TABLE(PT_OP_NAME_)
#undef PT_OP_NAME_
    default: return "?";
    }
}

/* What a build can lack: pt_task_flags_(task), pt_task_set_flags_(task, flags), and so on. */
PT_FIELD_(PT_HAS_FLAGS_, pt_task, pt_task, flags, uint8_t, 0)
/* A task that is in none of the loop's queues has its loop in its node. */
PT_FIELD_(PT_HAS_LOOP_, pt_task, pt_task, loop, struct pt_loop *,
          (struct pt_loop *)its->node.link.operand)
PT_FIELD_(PT_SINCE, pt_task, pt_task, since, pt_time, 0)
PT_FIELD_(PT_HAS_SCOPES_, pt_task, pt_task, scopes, struct pt_scope *, NULL)
PT_FIELD_(PT_CANCEL, pt_task, pt_task, reason, pt_status, PT_OK)
PT_FIELD_(PT_INSPECT, pt_task, pt_task, why, uint8_t, 0)
PT_FIELD_(PT_HAS_URGENT_, pt_task, pt_task_mark, urgent, bool, false)
/* The frame that the task resumes; NULL before its first spawn. */
PT_FIELD_(PT_AWAIT, pt_task, pt_task, top, struct pt *, (struct pt *)(uintptr_t)its)
PT_FIELD_(PT_HAS_NAME_, pt_task, pt_task_field, name, const char *, NULL)
PT_FIELD_(PT_NAME_FITS_, pt, pt_frame, task_name, const char *, NULL)
PT_FIELD_(PT_OR_(PT_SITES, PT_SITE_FITS_), pt, pt_frame, site, pt_kept_site_, 0)
PT_FIELD_(PT_AWAIT, pt, pt_frame, caller, struct pt *, NULL)
PT_FIELD_(PT_CLEANUP, pt, pt_frame, result, pt_status, PT_OK)
PT_FIELD_(PT_CLEANUP, pt, pt_frame, cleaning, uint8_t, 0)

#endif
