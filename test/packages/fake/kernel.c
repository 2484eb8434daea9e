/* kernel.c - a Zephyr of one thread, whose time passes only in its waits, for the tests of the module
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>
#include <zephyr/ztest.h>

enum { MOST = 10 };

static int64_t now = 0xffffff00; /* 32 bits wrap soon */
static struct k_timer *running;
static const char *name;
static const char *names[MOST];
static void (*tests[MOST])(void);
static unsigned count;
static void (*set_up)(void *), (*tear_down)(void *);

static void fail(const char *what, unsigned line)
{
    printf("FAIL %s: %s (line %u)\n", name, what, line);
    exit(1);
}

int64_t k_uptime_ticks(void)
{
    return now;
}

/* tick - let the time pass until AT, or until the timer expires, whichever is first */
static void tick(int64_t at)
{
    struct k_timer *timer = running;

    if (!timer || timer->next > at) {
        now = at;
        return;
    }
    now = timer->next;
    timer->next += timer->period;
    if (timer->period == 0)
        running = NULL;
    timer->expiry(timer);
}

int k_sem_init(struct k_sem *sem, unsigned initial, unsigned limit)
{
    *sem = (struct k_sem){initial, limit};
    return 0;
}

void k_busy_wait(uint32_t microseconds)
{
    tick(now + (int64_t)microseconds * CONFIG_SYS_CLOCK_TICKS_PER_SEC / 1000000);
}

/* As in Zephyr, it sleeps until the next tick and then TIMEOUT more: up to a tick longer. */
int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
    int64_t end = timeout.ticks < 0 ? INT64_MAX : now + timeout.ticks + 1;

    for (unsigned rings = 0; sem->count == 0 && now < end; rings++) {
        if ((timeout.ticks < 0 && !running) || rings > 1000)
            fail("it sleeps, and nothing wakes it", 0);
        tick(end);
    }
    if (sem->count == 0)
        return -1;
    sem->count--;
    return 0;
}

void k_sem_give(struct k_sem *sem)
{
    if (sem->count < sem->limit)
        sem->count++;
}

void k_timer_init(struct k_timer *timer, void (*expiry)(struct k_timer *),
                  void (*stop)(struct k_timer *))
{
    *timer = (struct k_timer){expiry, 0, 0};
    (void)stop;
}

void k_timer_start(struct k_timer *timer, k_timeout_t first, k_timeout_t period)
{
    timer->next = now + first.ticks + 1;
    timer->period = period.ticks;
    running = timer;
}

void k_timer_stop(struct k_timer *timer)
{
    if (running == timer)
        running = NULL;
}

unsigned irq_lock(void)
{
    return 0;
}

void irq_unlock(unsigned state)
{
    (void)state;
}

void printk(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void k_panic(void)
{
    exit(1);
}

void fake_test(const char *test_name, void (*test)(void))
{
    names[count] = test_name;
    tests[count++] = test;
}

void fake_suite(void (*before)(void *), void (*after)(void *))
{
    set_up = before;
    tear_down = after;
}

void fake_expect(bool holds, const char *what, unsigned line)
{
    if (!holds)
        fail(what, line);
}

int main(void)
{
    for (unsigned test = 0; test < count; test++) {
        name = names[test];
        set_up(NULL);
        tests[test]();
        tear_down(NULL);
        printf("ok %s\n", name);
    }
    return 0;
}
