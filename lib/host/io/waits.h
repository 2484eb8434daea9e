/* waits.h - how a task yields to others, or waits, in a reader or a writer
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_WAITS_H
#define PT_LIB_WAITS_H

#include "descriptor.h"
#include "../../needs.h"

#include <pt/host/stream.h>

/* How many operations a task makes in a row, unless the program chooses. */
enum { PT_STREAM_SHARE_ = 32 };

/* Count an operation: whether the task must yield before it. */
static inline bool pt_stream_yields_(struct pt_stream_waits_ *waits, uint8_t share)
{
    if (!pt_share_is_over_(share, &waits->done))
        return false;
    waits->done = 0;
    waits->opcode = PT_OP_YIELD;
    return true;
}

/* A function of a stream has moved COUNT bytes of SIZE; more would lie outside of the buffer. */
static inline void pt_stream_moved_(size_t count, size_t size, bool writing)
{
    PT_NEEDS_(count <= size, "the stream has moved more bytes than it was asked for: pt_stream_ops",
              writing ? "a write" : "a read");
}

/* A function of the STREAM returned PT_EAGAIN: the task must suspend, to await the wait of the
 * stream, or for a turn. Returns true. */
static inline bool pt_stream_waits_(struct pt_task *task, struct pt *frame,
                                    const struct pt_stream *stream, struct pt_stream_waits_ *waits,
                                    bool writing)
{
    pt_label label = waits->spare.pt.label;
    struct pt *wait;

    PT_NEEDS_(label == PT_LABEL_START_ || label == PT_LABEL_DONE_,
              "another task waits in the same reader or writer", writing ? "a write" : "a read");
    PT_NEEDS_(stream->ops->wait, "the stream has no wait, and returned PT_EAGAIN",
              writing ? "a write" : "a read");
    wait = stream->ops->wait(stream->object, writing, &waits->spare);
    task->node.link.operand = wait;
    frame->status = PT_OK;
    if (!wait || wait == &waits->spare.pt) /* another frame can end at once, and count on */
        waits->done = 0;
    waits->opcode = wait ? PT_OP_WAIT_COMPLETE : PT_OP_YIELD;
    return true;
}

#endif
