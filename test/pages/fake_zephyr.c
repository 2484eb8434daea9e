/* fake_zephyr.c - runs the code of doc/zephyr.md on a simulated Zephyr
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <zephyr/kernel.h> /* Zephyr's build defines CONFIG_... before every file */

#include "pt_zephyr.c"

int64_t k_uptime_ticks(void)
{
    fake_step();
    return fake_now;
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
    (void)sem;
    fake_sleep((unsigned)timeout.ticks);
    return 0;
}

void k_sem_give(struct k_sem *sem)
{
    (void)sem;
    fake_woken = true;
}

int k_msgq_put(struct k_msgq *queue, const void *item, k_timeout_t timeout)
{
    (void)queue;
    (void)timeout;
    fake_reading(*(const unsigned *)item);
    return 0;
}

void fake_interrupt(void)
{
    pulse_interrupt(NULL, NULL, 0);
}

bool fake_open(void)
{
    return pulse.loop != NULL;
}

bool fake_posted(void)
{
    return pulse.posted != 0;
}

static void start(void)
{
    pt_main(NULL, NULL, NULL);
}

int main(void)
{
    return fake_past(zephyr_idle) && fake_runs(start, CONFIG_SYS_CLOCK_TICKS_PER_SEC) ? 0 : 1;
}
