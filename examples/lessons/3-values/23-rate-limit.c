/* 23-rate-limit.c - a rate limit: three requests at once, and then one per second
 * SPDX-License-Identifier: MIT
 *
 * A semaphore counts what tasks take and give back.
 *
 *     struct pt_semaphore   a number of units; pt_semaphore_init sets how many, and the limit
 *     PT_ACQUIRE            take a unit; wait until there is one
 *     pt_semaphore_release  give a unit back; PT_ERANGE if that would exceed the limit
 *     pt_semaphore_try      take a unit without waiting, or fail with PT_EAGAIN
 *     PT_CASE_ACQUIRE       a case of a select: the task has got a unit
 *     PT_CASE_UNTIL         a case of a select: a time has come
 *
 * What to notice:
 *   - A token bucket is a semaphore with a limit. A ticker adds one token each second.
 *   - A full bucket refuses a token: at most three tokens are saved up.
 *   - Tasks get tokens in the order in which they came.
 *   - To limit its wait, a task selects between a token and a time. Giving up loses no token.
 *
 * Try: let the requests come two seconds apart. Which of them waits? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%4.1f s  ", (double)PT_NOW() / PT_SEC(1)), printf(__VA_ARGS__))

static struct pt_semaphore tokens;

struct refill {
    struct pt pt;
    struct pt_ticker ticker;
    int seconds;
};

PT_ASYNC(refill, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), PT_SEC(1), PT_TICKS_BURST);
    while (self->seconds-- > 0) {
        PT_WAIT_TICK(&self->ticker);
        if (pt_semaphore_release(&tokens) == PT_ERANGE)
            SAY("    the bucket is full\n");
    }
}
PT_END

struct request {
    struct pt pt;
    PT_SELECTION(2) wait;
    pt_time comes, patience; /* 0: no limit */
    int number;
};

PT_ASYNC(request, self)
{
    PT_WAIT_DEADLINE(self->comes);
    if (self->patience) {
        PT_SELECT(&self->wait, PT_CASE_ACQUIRE(&tokens),
                  PT_CASE_UNTIL(self->comes + self->patience));
        if (PT_SELECTED(&self->wait) == 1) {
            SAY("request %d gives up\n", self->number);
            PT_RETURN(PT_ETIMEDOUT);
        }
    } else {
        PT_ACQUIRE(&tokens);
    }
    SAY("request %d is served\n", self->number);
}
PT_END

int main(void)
{
    static PT_TASK(request) requests[8];
    static PT_TASK(refill) drops;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_semaphore_init(&tokens, 3, 3);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &drops, refill, .seconds = 8);
    for (int i = 0; i < 8; i++)
        PT_START(&loop, &requests[i], request, .number = i, .comes = PT_MS(100 * i),
                 .patience = i == 4 ? PT_MS(1000) : 0);
    pt_loop_run(&loop);
    printf("without waiting: %s\n", pt_status_text(pt_semaphore_try(&tokens)));
    pt_loop_close(&loop);
    return 0;
}
