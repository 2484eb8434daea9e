/* ceiling.h - a lock between loops at different priorities, on an ARMv7-M: the ceiling
 * SPDX-License-Identifier: MIT
 *
 * Whoever uses what is shared runs at the priority of its most urgent user, so none of them can come in between. There
 * is nothing to wait for, no deadlock, and at most one such section delays a user, however many there are.
 * An ARMv6-M has no BASEPRI: mask all interrupts there (board_lock). */
#ifndef CEILING_H
#define CEILING_H

#include <stdint.h>

/* ceiling_raise - hold off interrupts of PRIORITY (as the NVIC has it, not 0) and below; returns what was before */
static inline uint32_t ceiling_raise(uint32_t priority)
{
    uint32_t before;

    __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1"
                     : "=&r"(before)
                     : "r"(priority)
                     : "memory");
    return before;
}

static inline void ceiling_lower(uint32_t before)
{
    __asm__ volatile("msr basepri, %0" ::"r"(before) : "memory");
}

#endif
