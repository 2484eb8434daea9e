/* pt_zephyr.c - the port for Zephyr: time, sleep, wake, panic
 * SPDX-License-Identifier: MIT */
#include <pt_zephyr.h>

#include <zephyr/sys/printk.h>

static pt_time zephyr_now(void *context)
{
    (void)context;
    return (pt_time)k_uptime_ticks();
}

/* A semaphore that was given before the thread takes it ends the sleep at once: no post is lost. */
static bool zephyr_idle(void *context, pt_time now, pt_time until)
{
    struct pt_zephyr *zephyr = (struct pt_zephyr *)context;
    pt_time left = (pt_time)(until - zephyr_now(context));

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        (void)k_sem_take(&zephyr->kicked, K_FOREVER);
    else if (left <= PT_DELAY_MAX) /* else the deadline is past */
        (void)k_sem_take(&zephyr->kicked, K_TICKS(left < INT32_MAX ? left : INT32_MAX));
    return true;
}

/* In an interrupt, or a thread. One is enough: the loop handles all posts. */
static void zephyr_kick(void *context)
{
    k_sem_give(&((struct pt_zephyr *)context)->kicked);
}

void pt_zephyr_init(struct pt_zephyr *zephyr)
{
    k_sem_init(&zephyr->kicked, 0, 1);
    zephyr->port.now = zephyr_now;
    zephyr->port.idle = zephyr_idle;
    zephyr->port.resize = NULL;
    zephyr->port.context = zephyr;
    zephyr->port.kick = zephyr_kick;
    zephyr->port.turn = NULL;
    zephyr->port.grain = 1; /* of a tick a part can be over: it can last 10 ms */
    zephyr->port.is_cheap = false;
}

void pt_zephyr_panic(const char *what, const char *where, unsigned line)
{
    printk("pt: %s: %s (line %u)\n", where, what, line);
    k_panic();
    for (;;) /* k_panic does not return here; its declaration does not say so */
        ;
}
