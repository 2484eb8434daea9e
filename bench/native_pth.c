/* native_pth.c - the bench of native stacks: GNU Pth, which prints nanoseconds a step
 * SPDX-License-Identifier: MIT */
#include <pth.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned long steps;

static void *go_round(void *argument)
{
    for (;; steps++)
        pth_yield(NULL);
    return argument;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    pth_attr_t attributes;
    double start;

    if (!n || !pth_init())
        return 1;
    attributes = pth_attr_new();
    pth_attr_set(attributes, PTH_ATTR_STACK_SIZE, 32 << 10);
    for (unsigned long i = 0; i < n; i++)
        if (!pth_spawn(attributes, go_round, NULL))
            return 1;
    pth_yield(NULL);
    steps = 0;
    start = now();
    while (steps < 20000)
        pth_yield(NULL);
    printf("%.2f\n", (now() - start) / (double)steps);
    return 0;
}
