/* kernel.h - replaces Zephyr's header, to compile doc/zephyr.md: types and declarations, no code
 * SPDX-License-Identifier: MIT */
#ifndef STUB_ZEPHYR_KERNEL_H
#define STUB_ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ticks;
} k_timeout_t;
#define K_TICKS(n) ((k_timeout_t){n})
#define K_NO_WAIT ((k_timeout_t){0})
#define K_FOREVER ((k_timeout_t){-1})

int64_t k_uptime_ticks(void);

struct k_sem {
    unsigned count, limit;
};
#define K_SEM_DEFINE(name, initial, most) static struct k_sem name = {initial, most}
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);

struct k_msgq {
    size_t size;
    unsigned most, align;
};
#define K_MSGQ_DEFINE(name, size, most, align) static struct k_msgq name = {size, most, align}
int k_msgq_put(struct k_msgq *queue, const void *item, k_timeout_t timeout);

#define K_THREAD_DEFINE(name, stack, entry, a, b, c, priority, options, delay) \
    void (*const stub_thread_##name)(void *, void *, void *) = entry

struct device;
struct gpio_callback;

#endif
