/* 28-codes.c - how an operation reports that it failed
 * SPDX-License-Identifier: MIT
 *
 * In a body, an operation stores its code in self->pt.status, and the body continues. Outside a
 * body, a function returns the code. These codes occur here:
 *
 *     PT_EBUSY      in use already: with PT_DEBUG the program stops there, with a message
 *     PT_ENOMEM     no storage left
 *     PT_EINVAL     an argument that makes no sense
 *     PT_EDEADLK    the wait could never end
 *     PT_EPERM      the task does not hold the lock
 *     PT_ERANGE     a number that is too large
 *     PT_ECANCELED  canceled before it was done
 *
 * What to notice:
 *   - One failure ends the function that asks: a delay over PT_DELAY_MAX, which is too long for the
 *     clock.
 *   - pt_close ends a generator; here one that has not started, so that its code is PT_ECANCELED.
 *   - PT_RETURN also takes codes of the program's own: -128 to -64.
 *
 * Try: build with -DPT_DEBUG=1, and read the message. */
#include <pt/posix.h>

#include <stdio.h>

#define NOT_TODAY ((pt_status)-64)

static void say(const char *what, pt_status code, pt_status expected)
{
    printf("%-22s %-17s  %s%s\n", what, pt_status_name(code), pt_status_text(code),
           code == expected ? "" : " (and nobody expected it)");
}

struct nap {
    struct pt pt;
    pt_time delay;
};

PT_ASYNC(nap, self)
{
    PT_WAIT(self->delay);
}
PT_END

struct tour {
    struct pt pt;
    struct nap endless;
};

static PT_TASK(tour) tour_task;
static PT_TASK(nap) one, never;
static PT_POOL(nap, 1) beds;
static struct pt_lock door;
static struct pt_condition bell;

PT_ASYNC(tour, self)
{
    PT_SPAWN(&one, nap, .delay = 0);
    say("spawn", self->pt.status, PT_OK);
    PT_SPAWN(&one, nap, .delay = 0);
    say("spawn it again", self->pt.status, PT_EBUSY);
    PT_SPAWN_FROM(&beds, nap, .delay = 0);
    PT_SPAWN_FROM(&beds, nap, .delay = 0);
    say("two tasks in one bed", self->pt.status, PT_ENOMEM);
    PT_JOIN(&never.task);
    say("join nobody", self->pt.status, PT_EINVAL);
    PT_JOIN(&tour_task.task);
    say("join oneself", self->pt.status, PT_EDEADLK);
    PT_WAIT_CONDITION(&bell, &door);
    say("wait without the lock", self->pt.status, PT_EPERM);
    PT_WAIT_COMPLETE(&self->endless, nap, .delay = PT_DELAY_MAX + 1);
    say("sleep for ever", self->pt.status, PT_ERANGE);
    PT_RETURN(NOT_TODAY);
}
PT_END

int main(void)
{
    struct nap early;
    struct pt_loop loop;

    PT_INIT(&early, nap, .delay = 0);
    say("close before the start", pt_close(&early.pt), PT_ECANCELED);
    pt_lock_init(&door);
    pt_condition_init(&bell);
    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &tour_task, tour);
    pt_loop_run(&loop);
    say("the task of all this", pt_task_status(&tour_task.task), NOT_TODAY);
    pt_loop_close(&loop);
    return 0;
}
