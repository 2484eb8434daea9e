/* shop.c - tasks that run, and tasks that wait, for pt-ps --live
 * SPDX-License-Identifier: MIT
 *
 *     shop SOCKET */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_io door;

struct cashier {
    struct pt pt;
    unsigned sum;
};

/* Counts for a moment, again and again. */
static PT_ASYNC(cashier, self)
{
    puts("end");
    fflush(stdout);
    for (;;) {
        for (unsigned i = 0; i < 10000; i++)
            *(volatile unsigned *)&self->sum += i;
        PT_WAIT(PT_MS(10));
    }
}
PT_END

struct customer {
    struct pt pt;
};

static PT_ASYNC(customer, self)
{
    PT_WAIT_READABLE(&door);
}
PT_END

int main(int argc, char **argv)
{
    static const unsigned count = 2;
    static struct pt_loop loop;
    static struct pt_live live;
    static struct pt_gauge gauge;
    static PT_TASK(cashier) cash;
    static PT_TASK(customer) customers[2];
    int ends[2];

    if (argc < 2 || pipe(ends) || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_io_open(&door, &sys, ends[0]) != PT_OK || pt_live_open(&live, &sys, argv[1]) != PT_OK)
        return EXIT_FAILURE;
    pt_live_gauge(&live, &gauge, "customers", &count);
    (void)!PT_START(&loop, &cash, cashier, .sum = 0);
    for (unsigned i = 0; i < count; i++)
        (void)!PT_START(&loop, &customers[i], customer);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
