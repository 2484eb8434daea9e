/* meter.c - runs the sample of the Zephyr module on a simulated Zephyr, with an interrupt at any step
 * SPDX-License-Identifier: MIT */
#include "../../pages/fake.h"

#include <stdarg.h>

#define main meter_main
#include "samples/meter/src/main.c"
#undef main
#include "zephyr/pt_zephyr.c"

int64_t k_uptime_ticks(void)
{
    fake_step();
    return fake_now;
}

int k_sem_init(struct k_sem *sem, unsigned initial, unsigned limit)
{
    *sem = (struct k_sem){initial, limit};
    return 0;
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

/* The sample starts it after pt_remote_open: from here on the interrupt can come. */
static struct k_timer *pulses;

void k_timer_start(struct k_timer *timer, k_timeout_t first, k_timeout_t period)
{
    (void)first;
    (void)period;
    pulses = timer;
}

void k_timer_stop(struct k_timer *timer)
{
    (void)timer;
}

/* The sample prints its readings. */
void printk(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)va_arg(arguments, unsigned);
    fake_reading(va_arg(arguments, unsigned));
    va_end(arguments);
}

void k_panic(void)
{
    fake_fail("a panic");
}

void fake_interrupt(void)
{
    pulses->expiry(pulses);
}

bool fake_open(void)
{
    return pulses != NULL;
}

bool fake_posted(void)
{
    return pulse.posted != 0;
}

static void start(void)
{
    meter_main();
}

static bool idle(void *context, unsigned now, unsigned until)
{
    (void)context;
    return zephyr_idle(&port, now, until);
}

int main(void)
{
    return fake_past(idle) && fake_runs(start, CONFIG_SYS_CLOCK_TICKS_PER_SEC) ? 0 : 1;
}
