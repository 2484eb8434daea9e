/* native_ucontext.c - the bench of native stacks: swapcontext
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <ucontext.h>

enum { STEPS = NATIVE_STEPS / 20 };

static ucontext_t *ring; /* ring[0] is the root */
static unsigned long at, count;

static void go_on(void)
{
    unsigned long from = at;

    at = at + 1 == count ? 0 : at + 1;
    swapcontext(&ring[from], &ring[at]);
}

static void go_round(void)
{
    for (;;)
        go_on();
}

double native_ucontext_rr(unsigned long n, void **state)
{
    unsigned long rounds = STEPS / (n + 1) + 1;
    double start;

    if (!*state) {
        char *stacks = bench_memory(n * NATIVE_STRIDE);

        ring = *state = bench_memory((n + 1) * sizeof *ring);
        for (unsigned long i = 1; i <= n; i++) {
            getcontext(&ring[i]);
            ring[i].uc_stack.ss_sp = stacks + (i - 1) * NATIVE_STRIDE;
            ring[i].uc_stack.ss_size = NATIVE_STACK;
            makecontext(&ring[i], go_round, 0);
        }
    }
    ring = *state;
    at = 0;
    count = n + 1;
    start = native_begin();
    for (unsigned long i = 0; i < rounds; i++)
        go_on();
    return (bench_now() - start) / (double)(rounds * (n + 1));
}

double native_ucontext_switch(unsigned long n, void **state)
{
    (void)n;
    return native_ucontext_rr(1, state);
}
