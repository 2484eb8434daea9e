/* transfer.h - what channels and queues have in common: the transfer of a value
 * SPDX-License-Identifier: MIT
 *
 * An operation `bool NAME_must_wait_(task, frame, through, item, size)` returns false when it is
 * done; its code is in the frame's status. It returns true when the task must suspend, because the
 * task is in a wait queue or lets another task run first. On a PC a body has NAME_quick_ in its
 * place: "without a call", below. */
#ifndef PT_TRANSFER_H
#define PT_TRANSFER_H

#include "select.h"

#if PT_CHANNELS

/* Two arguments: VALUE, a pointer to the type that TYPED points to, and the size of that type.
 * The compiler rejects any other pointer, even a void * (they cannot be subtracted); a pointer to
 * volatile; for PT_ITEM_, which is written through, a pointer to const; in C++, a type that is not
 * trivially copyable. TYPED is not evaluated. */
#if defined(__cplusplus)
#define PT_ITEM_(typed, value) static_cast<void *>(value), PT_ITEM_SIZE_(typed, value)
#define PT_CONST_ITEM_(typed, value) \
    const_cast<void *>(static_cast<const void *>(value)), PT_ITEM_SIZE_(typed, value)
#define PT_ITEM_SIZE_(typed, value) \
    ((void)sizeof((value) - (typed)), sizeof(pt_bytewise_of_(typed)))
extern "C++" template <class Value> struct pt_bytewise_ {
    static_assert(__is_trivially_copyable(Value), "values are copied byte by byte: pass a pointer");
    typedef char bytes[sizeof(Value)];
};
extern "C++" template <class Value>
typename pt_bytewise_<Value>::bytes &pt_bytewise_of_(const volatile Value *);
#else
#define PT_ITEM_(typed, value) \
    (PT_ITEM_NOT_(const, value), (void *)(value)), PT_ITEM_SIZE_(typed, value)
#define PT_CONST_ITEM_(typed, value) \
    ((void *)(uintptr_t)(const void *)(1 ? (value) : (typed))), PT_ITEM_SIZE_(typed, value)
#define PT_ITEM_SIZE_(typed, value) \
    (PT_ITEM_NOT_(volatile, value), (void)sizeof((value) - (typed)), sizeof *(typed))
#define PT_ITEM_NOT_(qualifier, value) ((void)sizeof(char[PT_LEADS_TO_(qualifier, value) ? -1 : 1]))
#endif

/* Where the waiter's value is, or goes: its item, or the item of its case of a select. */
PT_ALWAYS void *pt_value_of_(struct pt_node *node, bool selects)
{
    PT_IF_(PT_SELECTS, if (selects) return pt_case_item_((struct pt_waiter_ *)(void *)node);)
    return pt_waiter_item_(node);
}

/* How an operation completes another task's wait; a constant. QUICK: without a call, because
 * pt_wait_queue_needs_call_ was false. */
enum pt_way_ { PT_ANY_WAY_, PT_QUICK_WAY_ };

PT_ALWAYS void pt_waiter_given_(struct pt_node *node, bool selects, enum pt_way_ way)
{
    if (way == PT_QUICK_WAY_)
        pt_task_complete_unseen_(pt_task_of(node), PT_FLAG_GIVEN_);
    else
        pt_waiter_complete_as_(node, selects, PT_FLAG_GIVEN_);
}

/* Complete the first wait of a queue: give the waiter a copy of the value at ITEM. */
PT_ALWAYS void pt_wait_queue_give_(struct pt_wait_queue_ *queue, const void *item, size_t size,
                                   enum pt_way_ way)
{
    struct pt_node *node = pt_wait_queue_pop_(queue);
    bool selects = way != PT_QUICK_WAY_ && pt_waiter_selects_(node);

    pt_copy_(pt_value_of_(node, selects), item, size);
    pt_waiter_given_(node, selects, way);
}

/* Complete the first wait of a queue: copy the waiter's value to ITEM. */
PT_ALWAYS void pt_wait_queue_take_(struct pt_wait_queue_ *queue, void *item, size_t size,
                                   enum pt_way_ way)
{
    struct pt_node *node = pt_wait_queue_pop_(queue);
    bool selects = way != PT_QUICK_WAY_ && pt_waiter_selects_(node);

    pt_copy_(item, pt_value_of_(node, selects), size);
    pt_waiter_given_(node, selects, way);
}

/* Where the value of a task that must suspend is, or goes; NULL if it only lets another one run. */
PT_ALWAYS void *pt_task_place_(struct pt_task *task)
{
    return PT_HAS_QUICK_ || (task->state & PT_STATE_QUEUED_) ? pt_waiter_item_(&task->node) : NULL;
}

/* On a PC: the rest of an operation is a call at the end of the step (PT_PASS_). That call carries
 * the operation out. If THROUGH is NULL, the value has been transferred: the call then only lets
 * the other task run first (pt_task_defers_). Returns true: the body must suspend. */
PT_ALWAYS bool pt_task_transfers_late_(struct pt_task *task, void *through, void *item)
{
    task->node.link.operand = through;
    task->waiter.item = item;
    return true;
}

/* Let the other task run first. But a task that is to be interrupted does not: it could meet others
 * forever and never reach a wait that ends it. Returns whether it yields. */
PT_ALWAYS bool pt_task_defers_(struct pt_task *task)
{
    if ((task->state & PT_STATE_INTERRUPTED_) && pt_task_must_end_(task))
        return false;
    pt_task_give_(task, PT_FLAG_GIVEN_);
    return true;
}

/* The opcode of a task that must suspend: PARK in a wait queue, YIELD to
 * let another one run first. */
PT_ALWAYS unsigned char pt_wait_opcode_(const struct pt_task *task)
{
    return task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD;
}

/* In a body: carry out an operation. The item is what PT_ITEM_ or PT_CONST_ITEM_ expands to. */
#define PT_TRANSFER_(pass, through, ...) \
    PT_TRANSFER_BY_(pass(pt_current_, pt_, through, __VA_ARGS__), pt_wait_opcode_(pt_current_))
#define PT_TRANSFER_BY_(waits, opcode)  \
    do {                                \
        PT_IN_BODY_;                    \
        if (waits) {                    \
            PT_PLACE_SURVIVES_()        \
            PT_SUSPEND_(opcode);        \
            pt_task_take_(pt_current_); \
        }                               \
    } while (0)
/* PT_DEBUG: in a body, stop if that place is a local. */
#define PT_PLACE_SURVIVES_() PT_NOT_LOCAL_(pt_task_place_(pt_current_), "the place of the value")

/* Repeat the operation until it fails; after each, run the block that follows the macro. */
#define PT_TRANSFER_EACH_(pass, through, ...)                                                    \
    PT_EACH_(PT_CHECK_EACH_(through, __VA_ARGS__), pass(pt_current_, pt_, through, __VA_ARGS__), \
             pt_wait_opcode_(pt_current_), PT_HERE_)

/* PT_DEBUG: stop if an argument is another one at each evaluation. */
#define PT_CHECK_EACH_(through, ...) \
    PT_CHECK_ONE_(through, "PT_..._EACH") PT_CHECK_ONE_(PT_FIRST_(__VA_ARGS__), "PT_..._EACH")

/* WAIT starts the operation, and is true if the task must suspend, with OPCODE. The outer loop runs
 * once: it holds the label. Each round of the inner loop is one value.
 *
 * pt_ask_ is true if a round must evaluate WAIT, as the first one must. After a resume pt_entered_
 * is false, and so is pt_ask_: that round takes the value that came while the task was suspended.
 * From then on pt_ask_ is true. */
#define PT_EACH_(check, wait, opcode, here)                                       \
    for (PT_IN_BODY_, check pt_entered_ = true; pt_entered_; pt_entered_ = false) \
        PT_LABEL_CASE_(PT_LABEL_OF_(here))                                        \
    for (pt_ask_ = pt_entered_;                                                   \
         PT_DO_IF_(PT_EACH_MUST_WAIT_(wait), PT_EACH_SUSPEND_(here, opcode)),     \
        PT_ELSE_DOES_ || pt_->status == PT_OK;)                                   \
        PT_ELSE_DO_(PT_EACH_MUST_WAIT_(wait), PT_EACH_SUSPEND_(here, opcode))     \
    PT_ELSE_DO_(pt_->status != PT_OK, break;)
#define PT_EACH_MUST_WAIT_(wait) \
    (pt_ask_ ? (wait) : (pt_ask_ = true, pt_task_take_(pt_current_), false))
#define PT_EACH_SUSPEND_(here, opcode)                  \
    PT_CHECK_BLOCKS_()                                  \
    PT_PLACE_SURVIVES_()                                \
    PT_LEAVE_TO_(PT_LABEL_OF_(here), pt_op_of_(opcode)) \
    pt_task_take_(pt_current_); /* a body with its own stack continues here */

/* --- without a call ------------------------------------------------------------------------ */

/* A body that makes calls must save registers at each resume, and that takes as long as a transfer.
 * So on a PC a body transfers a value without a call. Two cases need one: the other task selects,
 * or an observer or a host is told of its wake. Then the call is the last thing of the step: the
 * body has stored its label, and the operands are in the task's node. With PT_DEBUG every transfer
 * is left to the call, so that a lost local shows.
 *
 * NAME_pass_(task, frame, through, item, size, way) is the operation, and may complete the first
 * wait of the queue OTHERS of THROUGH. PT_PASS_ defines around it, with the last three for a PC:
 *
 *     NAME_must_wait_   NAME_pass_ with calls: in a body on a part, a native task, NAME_late_
 *     NAME_quick_       in a body: NAME_pass_ without a call; or it is left to the call: true
 *     NAME_opcode_      if that was true, when the label is stored: PARK if the task is in a wait
 *                       queue, else what NAME_late_ returns
 *     NAME_late_        the call: NAME_must_wait_, or let the other task run first; PARK or YIELD
 *                       if the task must suspend, else PT_OP_AGAIN_ */
#define PT_PASS_(name, type, others)                                                        \
    PT_ALWAYS bool name##_must_wait_(struct pt_task *task, struct pt *frame, type *through, \
                                     void *item, size_t size)                               \
    {                                                                                       \
        return name##_pass_(task, frame, through, item, size, PT_ANY_WAY_);                 \
    }                                                                                       \
    PT_IF_(PT_HAS_QUICK_, PT_PASS_LATE_(name, type) PT_PASS_QUICK_(name, type, others))

#if PT_HAS_QUICK_
#define PT_PASS_LATE_(name, type)                                                           \
    PT_COLD unsigned char name##_late_(struct pt_task *task, struct pt *frame, size_t size) \
    {                                                                                       \
        type *through = (type *)task->node.link.operand;                                    \
                                                                                            \
        if (through ? name##_must_wait_(task, frame, through, task->waiter.item, size)      \
                    : pt_task_defers_(task))                                                \
            return pt_wait_opcode_(task);                                                   \
        return pt_opcode_again_(task, frame);                                               \
    }
#define PT_PASS_QUICK_(name, type, others)                                                      \
    PT_ALWAYS bool name##_quick_(struct pt_task *task, struct pt *frame, type *through,         \
                                 void *item, size_t size)                                       \
    {                                                                                           \
        if (PT_DEBUG || pt_wait_queue_needs_call_(&through->others))                            \
            return pt_task_transfers_late_(task, through, item);                                \
        return name##_pass_(task, frame, through, item, size, PT_QUICK_WAY_);                   \
    }                                                                                           \
    PT_ALWAYS unsigned char name##_opcode_(struct pt_task *task, struct pt *frame, size_t size) \
    {                                                                                           \
        if (PT_LIKELY(task->state & PT_STATE_QUEUED_))                                          \
            return PT_OP_PARK;                                                                  \
        return name##_late_(task, frame, size);                                                 \
    }

#define PT_PASS_TRANSFER_(name, through, item)                      \
    PT_TRANSFER_BY_(name##_quick_(pt_current_, pt_, through, item), \
                    name##_opcode_(pt_current_, pt_, PT_ITEM_BYTES_(item)))
#define PT_PASS_EACH_(name, through, item)                                                  \
    PT_EACH_(PT_CHECK_EACH_(through, item), name##_quick_(pt_current_, pt_, through, item), \
             name##_opcode_(pt_current_, pt_, PT_ITEM_BYTES_(item)), PT_HERE_)
#define PT_ITEM_BYTES_(...) PT_SECOND_(__VA_ARGS__)
#define PT_SECOND_(first, second) second

/* Resume the frame at once. A generator, and a task of another scheduler, have no loop that would:
 * the first such call of a step resumes it, again and again, and the calls within that return. */
PT_ALWAYS unsigned char pt_opcode_again_(struct pt_task *task, struct pt *frame)
{
    pt_op op;

    if (PT_LIKELY(task->loop != NULL) || (task->flags & PT_FLAG_REPEATS_))
        return PT_OP_AGAIN_;
    task->flags |= PT_FLAG_REPEATS_;
    op = pt_body_finish_step_(frame, task);
    task->flags &= (uint8_t)~PT_FLAG_REPEATS_;
    return (unsigned char)op.code;
}
#else
#define PT_PASS_TRANSFER_(name, through, ...) PT_TRANSFER_(name##_must_wait_, through, __VA_ARGS__)
#define PT_PASS_EACH_(name, through, ...) PT_TRANSFER_EACH_(name##_must_wait_, through, __VA_ARGS__)
#endif

#endif
#endif
