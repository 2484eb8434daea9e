/* two_cores.h - posts from both cores of an RP2040, which has no atomics: copy it into a project
 * SPDX-License-Identifier: MIT
 *
 * PT_CONFIG_H includes it, for the files of both cores. The critical section of posts masks the
 * interrupts of its own core, and takes a spinlock of the hardware, which nothing else may use: in
 * the Pico SDK spin_lock_claim(31) reserves it. When it returns the lock, it wakes a core that
 * sleeps by wfe. doc/porting.md has the sleep. */
#ifndef TWO_CORES_H
#define TWO_CORES_H

#include <stdint.h>

#define PT_ATOMICS 0
#define PT_POST_ENTER() two_cores_enter()
#define PT_POST_LEAVE(masked) two_cores_leave(masked)

/* A load takes the lock, or is 0; a store returns it. */
#define SIO_SPINLOCK31 (*(volatile uint32_t *)0xd000017c)

static inline unsigned two_cores_enter(void)
{
    unsigned masked;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked) : : "memory");
    while (!SIO_SPINLOCK31) {
    }
    __asm__ volatile("dmb" : : : "memory");
    return masked;
}

static inline void two_cores_leave(unsigned masked)
{
    __asm__ volatile("dmb" : : : "memory");
    SIO_SPINLOCK31 = 1;
    __asm__ volatile("dsb\n\tsev\n\tmsr primask, %0" : : "r"(masked) : "memory");
}

#endif
