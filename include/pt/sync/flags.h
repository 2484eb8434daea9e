/* flags.h - a word of bits: a task waits for any, or all, of some of them
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_FLAGS(&radio, &self->want, RADIO_RX | RADIO_ERROR, PT_FLAGS_ANY | PT_FLAGS_CLEAR);
 *     if (self->want.found & RADIO_ERROR) ...
 *
 *     pt_flags_set(&radio, RADIO_RX);
 *
 * Cancel, timeout: before and during the wait, the task leaves, and the bits stay as they are. Once
 * its bits are set, it has them (with PT_FLAGS_CLEAR they are cleared), and continues to its next
 * wait. */
#ifndef PT_FLAGS_H
#define PT_FLAGS_H

#include "transfer.h"

#if PT_CHANNELS

/* The flags. Zeroed, they are not ready: call pt_flags_init. Read bits; only functions write. */
struct pt_flags {
    struct pt_wait_queue_ waiters; /* tasks that wait for bits */
    unsigned bits;                 /* the bits that are set */
};

/* How to wait: for any of the bits, or for all; PT_FLAGS_CLEAR clears those found. */
enum { PT_FLAGS_ANY = 0, PT_FLAGS_ALL = 1, PT_FLAGS_CLEAR = 2 };

/* What a task waits for; in its frame. Read found; PT_WAIT_FLAGS writes the rest. */
struct pt_flags_wanted {
    unsigned mask;  /* the bits it waits for */
    unsigned found; /* which of them were set when the wait ended; 0 if it was interrupted */
    uint8_t how;    /* PT_FLAGS_ALL and so on */
};

/* pt_flags_init - start with no bit set; O(1) */
PT_API void pt_flags_init(struct pt_flags *flags);

/* PT_WAIT_FLAGS(&flags, &self->wanted, mask, how) - wait until bits of MASK are set
 * No wait if they are already set. self->pt.status is PT_OK, and wanted.found has the bits of MASK
 * that were set. No bit of a MASK of 0 is ever set: the wait for any of them has no end, and
 * PT_DEBUG stops it; in a select the case does not come true. */
#define PT_WAIT_FLAGS(flags, wanted, mask, how)                                \
    do {                                                                       \
        PT_CHECK_ONE_(wanted, "PT_WAIT_FLAGS") PT_IN_BODY_;                    \
        if (pt_flags_must_wait_(pt_current_, pt_, flags, wanted, mask, how)) { \
            PT_NOT_LOCAL_(wanted, "the struct pt_flags_wanted")                \
            PT_SUSPEND_(PT_OP_PARK);                                           \
            pt_task_take_(pt_current_);                                        \
        }                                                                      \
    } while (0)

/* PT_CASE_FLAGS(&flags, &self->wanted, mask, how) - PT_WAIT_FLAGS, in a select
 * wanted.found is 0 unless this case comes true. Each case needs its own wanted. */
#define PT_CASE_FLAGS(flags, wanted, mask, how) \
    pt_case_flags_(PT_CASE_TASK_, flags, wanted, mask, how)

/* pt_flags_set - set BITS, and wake the tasks that waited for them; O(waiters)
 * All waiters see the same bits; PT_FLAGS_CLEAR takes effect after the last waiter. */
PT_API void pt_flags_set(struct pt_flags *flags, unsigned bits);

/* pt_flags_clear - clear BITS; O(1) */
PT_API void pt_flags_clear(struct pt_flags *flags, unsigned bits);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_flags_init(struct pt_flags *flags)
{
    pt_wait_queue_init_(&flags->waiters);
    flags->bits = 0;
}

/* Whether the bits that a task waits for are set; stores them in found, or else 0. */
PT_API bool pt_flags_find_(const struct pt_flags *flags, struct pt_flags_wanted *wanted)
{
    unsigned there = flags->bits & wanted->mask;
    bool enough = wanted->how & PT_FLAGS_ALL ? there == wanted->mask : there != 0;

    wanted->found = enough ? there : 0;
    return enough;
}

/* Take the bits that a task waits for, if they are set. */
PT_API bool pt_flags_take_(struct pt_flags *flags, struct pt_flags_wanted *wanted)
{
    bool found = pt_flags_find_(flags, wanted);

    if (wanted->how & PT_FLAGS_CLEAR)
        flags->bits &= ~wanted->found;
    return found;
}

PT_API bool pt_flags_must_wait_(struct pt_task *task, struct pt *frame, struct pt_flags *flags,
                                struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    frame->status = PT_OK;
    wanted->mask = mask;
    wanted->how = (uint8_t)how;
    if (pt_flags_take_(flags, wanted))
        return false;
    PT_ASSERT_(mask, "the mask is 0: no bit can end the wait", "PT_WAIT_FLAGS");
    pt_task_wait_in_queue_(task, &flags->waiters, PT_WHY_FLAGS, wanted);
    return true;
}

PT_API void pt_flags_set(struct pt_flags *flags, unsigned bits)
{
    struct pt_node *node = pt_wait_queue_first_(&flags->waiters), *next;
    unsigned used = 0;

    flags->bits |= bits;
    for (; node; node = next) { /* pt-bounds: loop tasks */
        bool selects = pt_waiter_selects_(node);
        struct pt_flags_wanted *wanted = (struct pt_flags_wanted *)pt_value_of_(node, selects);

        next = pt_wait_queue_next_(&flags->waiters, node);
        if (!pt_flags_find_(flags, wanted))
            continue;
        if (wanted->how & PT_FLAGS_CLEAR)
            used |= wanted->found;
        while (selects && pt_waiter_leaves_with_(next, node))
            next = pt_wait_queue_next_(&flags->waiters, next);
        pt_wait_remove_(node);
        pt_waiter_complete_as_(node, selects, PT_FLAG_GIVEN_);
    }
    flags->bits &= ~used;
}

PT_API void pt_flags_clear(struct pt_flags *flags, unsigned bits)
{
    flags->bits &= ~bits;
}

#if PT_SELECTS
PT_API bool pt_case_flags_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_flags_take_((struct pt_flags *)it->target, (struct pt_flags_wanted *)it->item);
}

PT_ALWAYS void pt_case_flags_(struct pt_task *task, struct pt_flags *flags,
                              struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_flags_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_flags, waiters));

    wanted->mask = mask;
    wanted->how = (uint8_t)how;
    wanted->found = 0;
    pt_case_add_(task, &kind, flags, wanted);
}
#endif

#endif
#endif
