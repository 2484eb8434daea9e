/* fake.h - shared by the two simulated systems: a clock, and an interrupt at any step
 * SPDX-License-Identifier: MIT
 *
 * Each run is a child process. Its interrupt comes at one step, counted from the start. It runs the
 * code of the page, which is included after this file. */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned fake_now = 0xfffffe00u; /* wraps soon */
static unsigned fake_second;            /* ticks in a second */
static unsigned fake_steps, fake_strike, fake_sent, fake_readings;
static bool fake_inside; /* an interrupt runs */
static bool
    fake_woken; /* the thread was notified, or the semaphore given, and has not slept since */

void fake_interrupt(void); /* posts a pulse */
bool fake_open(void);      /* whether the interrupt is on: after pt_remote_open */
bool fake_posted(void);    /* whether the loop has not handled the post yet */

static void fake_fail(const char *what)
{
    printf("the interrupt came at step %u: %s\n", fake_strike, what);
    exit(1);
}

/* fake_step - a step of the thread; the interrupt may come before it */
static void fake_step(void)
{
    if (fake_inside || !fake_open() || ++fake_steps != fake_strike)
        return;
    fake_inside = true;
    fake_interrupt();
    fake_inside = false;
}
#define PT_ATOMIC_STEP_(...) fake_step() /* ignores the kind of step */

/* fake_sleep - sleep until woken, for at most TICKS; the interrupt may come as the thread falls
 * asleep */
static void fake_sleep(unsigned ticks)
{
    fake_step();
    if (!fake_woken) {
        if (fake_posted())
            fake_fail("it sleeps, and something was posted");
        fake_now += ticks;
    }
    fake_woken = false;
}

/* fake_reading - the page's task calls it each second with its reading; the run ends after three */
static void fake_reading(unsigned pulses)
{
    fake_sent += pulses;
    if (++fake_readings * fake_second != (unsigned)(fake_now - 0xfffffe00u))
        fake_fail("a reading came early or late");
    if (fake_readings == 3)
        exit(fake_sent == 1 ? 0 : 2);
}

/* fake_past - whether an idle step returns at once for a deadline that is past or now */
static bool fake_past(bool (*idle)(void *context, unsigned now, unsigned until))
{
    unsigned before = fake_now;

    if (!idle(NULL, before - 10, before - 1) || fake_now != before)
        return false;
    return idle(NULL, before - 10, before) && fake_now == before;
}

/* fake_runs - run START once for each step at which the interrupt can come; whether all succeed */
static bool fake_runs(void (*start)(void), unsigned second)
{
    int status = 0;

    fake_second = second;
    for (fake_strike = 1; status == 0; fake_strike++) {
        pid_t child = fork();

        if (child == 0) {
            start();
            fake_fail("the loop has ended");
        }
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return false;
    }
    printf("%u steps\n", fake_strike - 2);
    return WIFEXITED(status) && WEXITSTATUS(status) == 2 && fake_strike > 20; /* no step is left */
}

#endif
