/* kernel.h - replaces Zephyr's header, to compile the module for Zephyr: what it uses, declared as there
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ZEPHYR_KERNEL_H
#define FAKE_ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ticks;
} k_timeout_t;
#define K_TICKS(n) ((k_timeout_t){(int64_t)(n)})
#define K_MSEC(n) K_TICKS((int64_t)(n)*CONFIG_SYS_CLOCK_TICKS_PER_SEC / 1000)
#define K_NO_WAIT K_TICKS(0)
#define K_FOREVER K_TICKS(-1)

int64_t k_uptime_ticks(void);
void k_busy_wait(uint32_t microseconds);

struct k_sem {
    unsigned count, limit;
};
int k_sem_init(struct k_sem *sem, unsigned initial, unsigned limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);

struct k_timer {
    void (*expiry)(struct k_timer *timer);
    int64_t next, period; /* 0: it does not run */
};
#define K_TIMER_DEFINE(name, expiry, stop) struct k_timer name = {expiry, 0, 0}
void k_timer_init(struct k_timer *timer, void (*expiry)(struct k_timer *),
                  void (*stop)(struct k_timer *));
void k_timer_start(struct k_timer *timer, k_timeout_t first, k_timeout_t period);
void k_timer_stop(struct k_timer *timer);

void k_panic(void);

#endif
