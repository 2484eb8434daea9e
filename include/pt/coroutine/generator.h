/* generator.h - resumable functions without a loop: the caller asks for each value
 * SPDX-License-Identifier: MIT
 *
 *     struct walk { struct pt pt; const struct tree *tree; const struct tree **out; };
 *
 *     PT_ASYNC(walk, self)                      the frame of the level below is self + 1
 *     {
 *         if (self->tree->left)
 *             PT_YIELD_FROM(self + 1, walk, .tree = self->tree->left, .out = self->out);
 *         *self->out = self->tree;
 *         PT_YIELD();
 *         if (self->tree->right)
 *             PT_YIELD_FROM(self + 1, walk, .tree = self->tree->right, .out = self->out);
 *     }
 *     PT_END
 *
 *     PT_INIT(&levels[0], walk, .tree = root, .out = &at);
 *     while (pt_next(&levels[0].pt)) use(at->number);
 *
 * `levels` has a frame for each level of the tree, and nothing checks that there are enough. If the
 * depth is not known, let each frame have a pointer to the next one, and allocate that.
 *
 * A generator that yields from another one runs it in its own place. pt_next resumes the innermost
 * one directly: a value costs the same at every depth. */
#ifndef PT_GENERATOR_H
#define PT_GENERATOR_H

#include "coroutine.h"

/* pt_next - run a generator to its next PT_YIELD
 * Returns true at a yield, false at the end and ever after. If it yields from others, pass the
 * outermost one; a frame that a task awaits is the task's. What needs a loop stops the program
 * with a message: a wait, a spawn, a block; on a PC and with PT_DEBUG also a lock and PT_ADOPT,
 * which a part does not check. An operation that need not wait works as in a task. Cost: O(1). */
PT_API bool pt_next(struct pt *pt);

/* pt_send(&generator, .field = value ...) - set fields of its frame, then pt_next */
#define pt_send(generator, ...)                                              \
    (PT_CHECK_ONE_(generator, "pt_send") PT_SET_(generator, ~, __VA_ARGS__), \
     pt_next(&(generator)->pt))

#if PT_CLEANUP
/* pt_close - end a generator early: its PT_FINALLY runs, if it was started and has not ended
 * If it yields from others, so do theirs, the innermost first. Skips the yields of the cleanups.
 * Returns the generator's status: PT_ECANCELED, unless the cleanup returned another code, or the
 * generator had already ended or reached its cleanup. */
PT_API pt_status pt_close(struct pt *pt);
#endif

#if PT_SUBGENERATORS

/* PT_YIELD_FROM(&frame, walk, .field = value ...) - yield every value of another generator
 * FRAME is a struct walk: its body runs in this one's place until it is done. Then self->pt.status
 * is the code that it ended with. The caller of the generator sees the outermost one, not FRAME:
 * let both write to one place, as above. Each level of a recursion needs a frame of its own. In a
 * generator PT_WAIT_COMPLETE is the same; in a task each value is a PT_YIELD of the task. Cost:
 * O(1). */
#define PT_YIELD_FROM(frame, ...)                                                  \
    do {                                                                           \
        PT_IN_BODY_;                                                               \
        PT_NOT_LOCAL_(frame, "the frame to yield from")                            \
        PT_CHECK_AWAIT_(frame, "PT_YIELD_FROM", "yields from itself", __VA_ARGS__) \
        PT_INIT_LASTS_(frame, __VA_ARGS__);                                        \
        pt_current_->node.link.operand = &(frame)->pt;                             \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);                                          \
    } while (0)

#endif

/* --- implementation ------------------------------------------------------------------------ */

#if PT_SUBGENERATORS

/* The frame to resume. Nothing awaits the outermost frame; there `caller` leads to the innermost
 * one, or is NULL if it yields itself:
 *
 *     outermost <--caller-- frame <--caller-- innermost
 *         '------------caller-------------------^ */
PT_ALWAYS struct pt *pt_innermost_(struct pt *outermost)
{
    struct pt *inner = pt_caller_of_(outermost);

    return inner ? inner : outermost;
}

/* PT_DEBUG: stop if a task or another generator runs FRAME: then the ring does not lead back to
 * it. */
PT_API void pt_check_outermost_(const struct pt *frame)
{
    const struct pt *at = pt_caller_of_(frame);

    PT_ASSERT_(!pt_has_name_(frame), "the frame is that of a task: only the task's loop resumes it",
               "pt_next");
    for (int i = 0; PT_DEBUG && at && at != frame && i < PT_LOOKS_; i++) {
        PT_ASSERT_(pt_caller_of_(at),
                   "the frame was awaited, and belongs to a task: only that resumes it", "pt_next");
        at = at->caller;
    }
}

/* INNER, the innermost frame, has returned OP, and its operand to TASK. Returns whether another
 * frame is the innermost one now, and runs at once. */
PT_ALWAYS bool pt_generator_passes_(struct pt *outermost, struct pt *inner,
                                    const struct pt_task *task, pt_op op)
{
    struct pt *next;

    if (PT_LIKELY(op.code == PT_OP_YIELD))
        return false;
    if (op.code == PT_OP_WAIT_COMPLETE) {
        next = (struct pt *)task->node.link.operand;
        if (!pt_can_await_(inner)) {
            inner->status = PT_ERANGE;
            return true;
        }
        next->caller = inner;
        pt_frame_set_cleaning_(next, pt_cleaning_within_(inner));
        outermost->caller = next;
        return true;
    }
    if (op.code != PT_OP_DONE || inner == outermost)
        return false;
    next = inner->caller;
    next->status = inner->status;
    outermost->caller = next == outermost ? NULL : next;
    return true;
}

#else
#define pt_innermost_(outermost) (outermost)
#define pt_check_outermost_(frame) ((void)0)
#define pt_generator_passes_(outermost, inner, task, op) ((void)(task), false)
#endif

PT_API bool pt_next(struct pt *pt)
{
    PT_IF_(PT_AWAIT, struct pt_task nobody;) /* takes the operands of opcodes */
    struct pt_task *task = PT_CHOOSE_(PT_AWAIT, &nobody, pt);
    struct pt *inner;
    pt_op op;

    PT_ASSERT_(pt->fn, "the frame was not initialized: call PT_INIT", "pt_next");
    if (PT_SUBGENERATORS && PT_UNLIKELY(pt->label == PT_LABEL_DONE_))
        return false;
    pt_check_outermost_(pt);
    if (PT_CHANNELS || PT_GROUPS)
        pt_task_set_flags_(task, 0); /* for operations that do not wait */
    if (PT_CHANNELS || PT_TIMED_PARKS)
        task->state = 0;
    pt_task_set_loop_(task, NULL);
    pt_task_set_scopes_(task, NULL);
    pt_node_set_at_(&task->node, 0); /* what PT_NOW() gives in a generator */
    do {
        inner = pt_innermost_(pt);
        op = pt_body_resume_(inner, task);
    } while (pt_generator_passes_(pt, inner, task, op));
    if (PT_UNLIKELY(op.code != PT_OP_YIELD && op.code != PT_OP_DONE))
        PT_PANIC("a generator has no loop to carry this opcode out",
                 pt_op_name((enum pt_opcode)op.code), 0);
    return op.code == PT_OP_YIELD;
}

#if PT_CLEANUP

/* A generator is closed: let its FRAME continue at its PT_FINALLY, unless it is in a cleanup. */
PT_API void pt_frame_close_(struct pt *frame)
{
    if (frame->label == PT_LABEL_DONE_ || frame->cleaning)
        return;
    frame->result = PT_ECANCELED;
    if (frame->label == PT_LABEL_START_)
        pt_end_(frame);
    else
        frame->label = PT_LABEL_FINALLY_;
}

/* Close the frames that were awaited after the close: by a native body, which can go on. */
PT_API void pt_close_later_(struct pt *outermost)
{
    struct pt *frame = pt_innermost_(outermost);

    for (; PT_SUBGENERATORS && frame != outermost && !frame->cleaning &&
           frame->label != PT_LABEL_FINALLY_;
         frame = pt_caller_of_(frame))
        pt_frame_close_(frame);
}

PT_API pt_status pt_close(struct pt *pt)
{
    struct pt *frame = pt_innermost_(pt);

    for (; PT_SUBGENERATORS && frame != pt; frame = pt_caller_of_(frame))
        pt_frame_close_(frame);
    pt_frame_close_(frame);
    while (pt_next(pt))
        pt_close_later_(pt);
    return pt->status;
}

#endif
#endif
