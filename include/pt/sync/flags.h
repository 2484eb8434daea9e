/* flags.h - a word of bits: tasks wait for any, or all, of some of them
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_FLAGS(&radio, &self->want, RADIO_RX | RADIO_ERROR, PT_FLAGS_ANY | PT_FLAGS_CLEAR);
 *     if (self->want.found & RADIO_ERROR) ...
 *
 *     pt_flags_set(&radio, RADIO_RX);
 *
 * Cancel, timeout: before the wait and while it waits, the task leaves and the bits stay as they
 * are. Once its bits came, it has them (with PT_FLAGS_CLEAR nobody else does), and goes on, to its
 * next wait. */
#ifndef PT_FLAGS_H
#define PT_FLAGS_H

#include "../loop/interpreter.h"

#if PT_CHANNELS

/* The bits. Zero is none: pt_flags_init. Read bits; write through the functions. */
struct pt_flags {
    struct pt_wait_queue_ waiters; /* tasks that wait for some */
    unsigned bits;                 /* those that are set */
};

/* How to wait: for one of the bits, or all; to have them cleared then, or not. */
enum { PT_FLAGS_ANY = 0, PT_FLAGS_ALL = 1, PT_FLAGS_CLEAR = 2 };

/* What one task waits for; in its frame. Read found; the rest is written by PT_WAIT_FLAGS. */
struct pt_flags_wanted {
    unsigned mask;  /* the bits it waits for */
    unsigned found; /* those that were set when the wait was over; 0 if it was interrupted */
    uint8_t how;    /* PT_FLAGS_ALL and so on */
};

/* pt_flags_init - no bit is set; O(1) */
PT_API void pt_flags_init(struct pt_flags *flags)
{
    pt_wait_queue_init_(&flags->waiters);
    flags->bits = 0;
}

/* Whether the bits that a task wants are there; then they are found. */
PT_API bool pt_flags_find_(const struct pt_flags *flags, struct pt_flags_wanted *wanted)
{
    unsigned there = flags->bits & wanted->mask;
    bool enough = wanted->how & PT_FLAGS_ALL ? there == wanted->mask : there != 0;

    wanted->found = enough ? there : 0;
    return enough;
}

/* pt_flags_set - set BITS, and let go on who has waited for that; O(waiters)
 * All that wait see the same bits; what one wanted cleared is cleared behind the last. */
PT_API void pt_flags_set(struct pt_flags *flags, unsigned bits)
{
    struct pt_node *node = pt_wait_queue_first_(&flags->waiters), *next;
    unsigned used = 0;

    flags->bits |= bits;
    for (; node; node = next) {
        struct pt_flags_wanted *wanted = (struct pt_flags_wanted *)pt_waiter_item_(node);

        next = pt_wait_queue_next_(&flags->waiters, node);
        if (!pt_flags_find_(flags, wanted))
            continue;
        if (wanted->how & PT_FLAGS_CLEAR)
            used |= wanted->found;
        pt_wait_remove_(node);
        pt_waiter_complete_(node, PT_FLAG_GIVEN_);
    }
    flags->bits &= ~used;
}

/* pt_flags_clear - clear BITS; O(1) */
PT_API void pt_flags_clear(struct pt_flags *flags, unsigned bits)
{
    flags->bits &= ~bits;
}

/* PT_WAIT_FLAGS(&flags, &self->wanted, mask, how) - wait for bits of MASK; at once, if they are there
 * self->pt.status is PT_OK, and wanted.found says which were set. */
#define PT_WAIT_FLAGS(flags, wanted, mask, how)                           \
    do {                                                                  \
        if (pt_flags_wait_(pt_current_, pt_, flags, wanted, mask, how)) { \
            PT_SUSPEND_(PT_OP_PARK);                                      \
            pt_task_take_(pt_current_);                                   \
        }                                                                 \
    } while (0)

PT_API bool pt_flags_wait_(struct pt_task *task, struct pt *frame, struct pt_flags *flags,
                           struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    frame->status = PT_OK;
    wanted->mask = mask;
    wanted->how = (uint8_t)how;
    if (pt_flags_find_(flags, wanted)) {
        if (how & PT_FLAGS_CLEAR)
            flags->bits &= ~wanted->found;
        return false;
    }
    pt_task_wait_in_queue_(task, &flags->waiters, PT_WHY_FLAGS, wanted);
    return true;
}

#endif
#endif
