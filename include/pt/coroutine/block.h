/* block.h - a block of a body, which something else can end
 * SPDX-License-Identifier: MIT
 *
 * PT_WITH_TIMEOUT, PT_WITH_GROUP and PT_WITH_LOCAL open one: scope/scope.h. */
#ifndef PT_BLOCK_H
#define PT_BLOCK_H

#include "frame.h"

/* A block's state:
 *
 *     CLOSED --open--> OPENED --enter--> ENTERED --its end, break, time over--> CLOSED
 *       a group:                            +--> LEFT, LEAVING: waits for its tasks --^ */
enum { PT_SCOPE_CLOSED_, PT_SCOPE_OPENED_, PT_SCOPE_ENTERED_, PT_SCOPE_LEFT_, PT_SCOPE_LEAVING_ };

/* Its marks. */
enum {
    PT_SCOPE_LATE_ = 0x01,  /* it must be ended as soon as the task can be interrupted */
    PT_SCOPE_FIRED_ = 0x02, /* it was ended */
    PT_SCOPE_TIMED_ = 0x04, /* it has a deadline that has not expired yet */
    PT_SCOPE_GROUP_ = PT_GROUPS ? 0x08 : 0, /* it is the first member of a struct pt_group */
    PT_SCOPE_LOCAL_ = 0x10                  /* it is a struct pt_local's: nothing ends it */
};

/* A block. It lives in its function's frame, and is zero before its first use.
 * Macros write it. */
struct pt_scope {
    struct pt_scope *outer;                /* the next in the task's chain */
    struct pt *frame;                      /* the frame that opened it */
    PT_IF_(PT_TIMEOUTS, pt_time deadline;) /* when its time is over */
    pt_label label;                        /* where the frame continues when the block is ended */
    uint8_t depth;                         /* how many cleanups surround it */
    uint8_t state;
    uint8_t marks;
};

#endif
