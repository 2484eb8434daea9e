/* native_abi.c - the bench of native stacks: the switch as a function of libpt
 * SPDX-License-Identifier: MIT */
#define PT_CONTEXT PT_CONTEXT_ABI
#include <pt/fiber.h>

#include "native.h"

static char stack[NATIVE_STACK];

static void bounce(struct pt_fiber *self)
{
    struct pt_fiber *root = self->parent;

    for (;;)
        pt_fiber_switch(self, root);
}

double native_switch_abi(unsigned long n, void **state)
{
    struct pt_fiber root, fiber;
    double start;

    (void)n;
    (void)state;
    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, stack, sizeof stack, bounce, NULL);
    start = native_begin();
    for (long i = 0; i < NATIVE_STEPS; i++)
        pt_fiber_switch(&root, &fiber);
    return (bench_now() - start) / NATIVE_STEPS / 2;
}
