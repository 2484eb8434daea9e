/* backtrace.c - a program for a debugger: a fiber is suspended three calls deep, and the root runs
 * SPDX-License-Identifier: MIT */
#include <pt/fiber.h>

#include <stdio.h>

static char stack[64 << 10];
static struct pt_fiber root, fiber;
static volatile int depth = 3;

__attribute__((noinline)) static int innermost(int value)
{
    volatile int kept = value;

    pt_fiber_switch(&fiber, &root);
    return kept + 1;
}

__attribute__((noinline)) static int middle(int value)
{
    return innermost(value * 2) + 1;
}

static void outermost(struct pt_fiber *self)
{
    (void)self;
    depth = middle(depth) + 1;
}

void back_at_the_root(void);

__attribute__((noinline)) void back_at_the_root(void)
{
    __asm__ volatile("");
}

int main(void)
{
    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, stack, sizeof stack, outermost, NULL);
    pt_fiber_switch(&root, &fiber);
    back_at_the_root();
    pt_fiber_switch(&root, &fiber);
    printf("depth %d\n", depth);
    return depth != 9;
}
