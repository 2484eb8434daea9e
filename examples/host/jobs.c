/* jobs.c - a long computation in a thread, while a native task waits for it, another for a signal
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - The work runs in another thread and must not touch the loop. Its argument is a local variable
 *     of the task that waits: it lives until the work is done, even if the task is canceled.
 *   - Meanwhile the loop runs other tasks: one counts. pt_native_group_leave ends it.
 *   - A signal is not handled where it comes, but where a task waits for it.
 *   - pt_native_start takes a stack from a pool, and the loop gives it back at the task's end. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <signal.h>
#include <stdio.h>

static struct pt_system sys;
static struct pt_workers workers;
static struct pt_signals signals;

static void count_primes(void *argument)
{
    int *count = (int *)argument, limit = *count;

    *count = 0;
    for (int number = 2; number < limit; number++) {
        int divisor = 2;

        while (divisor * divisor <= number && number % divisor)
            divisor++;
        *count += divisor * divisor > number;
    }
}

/* Counts the milliseconds that the computation takes. */
struct counter {
    struct pt pt;
    int count;
};

static PT_ASYNC(counter, self)
{
    for (;; self->count++)
        PT_WAIT(PT_MS(1));
}
PT_END

static pt_status compute(struct pt_native *self)
{
    static PT_TASK(counter) counter;
    struct pt_group meanwhile = {0};
    int number = 100000;
    pt_status status;

    pt_native_group(self, &meanwhile, PT_GROUP_ALL);
    pt_native_spawn_in(self, &meanwhile, &counter, counter);
    status = pt_native_blocking(self, &workers, count_primes, &number);
    pt_native_group_leave(self, &meanwhile);
    if (status == PT_OK)
        printf("%d primes\n", number);
    raise(SIGUSR1);
    return status;
}

static pt_status obey(struct pt_native *self)
{
    int number = 0;
    pt_status status = pt_native_wait_signal(self, &signals, &number);

    printf("the signal has come: %s\n", number == SIGUSR1 ? "SIGUSR1" : "another");
    return status;
}

int main(void)
{
    struct pt_stacks stacks;
    struct pt_loop loop;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK || pt_workers_open(&workers, &sys, 1) != PT_OK ||
        pt_signals_open(&signals, &sys) != PT_OK || pt_signals_watch(&signals, SIGUSR1) != PT_OK)
        return 1;
    pt_stacks_init(&stacks, 64 << 10, PT_STACKS_GUARDED);
    if (!pt_native_start(&loop, &stacks, compute, NULL) ||
        !pt_native_start(&loop, &stacks, obey, NULL))
        return 1;
    pt_loop_run(&loop);
    pt_stacks_close(&stacks);
    pt_signals_close(&signals);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    return 0;
}
