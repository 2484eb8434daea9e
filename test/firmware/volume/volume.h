/* volume.h - two cores of an emulator that run at the same time: what volume.c needs of a board
 * SPDX-License-Identifier: MIT
 *
 * It is PT_CONFIG_H, too. With -DLOCKED there are no atomics: a post masks the interrupts of its
 * core, and takes a lock that both cores share. The lock is a word in memory here, and stands for
 * one of the hardware. */
#ifndef VOLUME_H
#define VOLUME_H

#define PT_TICKS_PER_SEC 1000
#define PT_REMOTE 1

/* second_start - the second core runs RUN, which does not return
 * core - the number of this one: 0 or 1
 * core_interrupt - interrupt the core NUMBER, which enables that interrupt
 * core_wait - called with interrupts masked: stop until that interrupt is pending */
void second_start(void (*run)(void));
unsigned core(void);
void core_interrupt(unsigned number);
void core_wait(void);

/* ring - end the sleep of the other core, if it sleeps or is about to; behind a post. Once a sleep:
 * an interrupt takes the emulator as long as many posts. */
extern unsigned about_to_sleep[2];
static inline void ring(void)
{
    unsigned *other = &about_to_sleep[1 - core()];

    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(other, __ATOMIC_RELAXED) && __atomic_exchange_n(other, 0, __ATOMIC_SEQ_CST))
        core_interrupt(1 - core());
}

#ifdef LOCKED
#define PT_ATOMICS 0
#define PT_POST_ENTER() post_enter()
#define PT_POST_LEAVE(masked) post_leave(masked)

extern unsigned post_lock;

#ifdef __arm__
#define MASK(state) __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory")
#define UNMASK(state) __asm__ volatile("msr primask, %0" : : "r"(state) : "memory")
#else
#define MASK(state) __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(state) : : "memory")
#define UNMASK(state) __asm__ volatile("csrs mstatus, %0" : : "r"((state)&8) : "memory")
#endif

static inline unsigned post_enter(void)
{
    unsigned masked;

    MASK(masked);
    while (__atomic_exchange_n(&post_lock, 1, __ATOMIC_SEQ_CST)) {
    }
    return masked;
}

static inline void post_leave(unsigned masked)
{
    __atomic_store_n(&post_lock, 0, __ATOMIC_SEQ_CST);
    ring();
    UNMASK(masked);
}
#endif

#endif
