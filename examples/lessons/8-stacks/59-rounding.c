/* 59-rounding.c - fibers that each have their own rounding mode
 * SPDX-License-Identifier: MIT
 *
 * The sum of ten times 1/10 is rounded down by one fiber and up by the other: an interval that
 * contains the true sum. They take turns, one addition at a time. (Build it with -lm.)
 *
 *     pt_fiber_switch_fp  pt_fiber_switch (lesson 46) that also changes the rounding mode
 *
 * What to notice:
 *   - The rounding mode belongs to the thread. With pt_fiber_switch both fibers would use the mode
 *     that was set last.
 *   - pt_fiber_switch_fp gives each fiber its own mode. It takes some nanoseconds more, so it is a
 *     switch of its own: fibers that do not need it do not pay.
 *   - main leaves by pt_fiber_switch_fp, too. So its own mode does not change.
 *
 * Try: use pt_fiber_switch everywhere. Which results change? */
#include <pt/fiber.h>

#include <fenv.h>
#include <stdio.h>

static struct pt_fiber root, floor_fiber, ceiling_fiber;
static char stacks[2][16 << 10];

struct adding {
    int mode;
    struct pt_fiber *other;
    double sum;
};

static void add(struct pt_fiber *self)
{
    struct adding *adding = (struct adding *)self->argument;
    volatile double sum = 0, one = 1, ten = 10;

    fesetround(adding->mode);
    for (int i = 0; i < 10; i++) {
        sum += one / ten;
        adding->sum = sum;
        pt_fiber_switch_fp(self, adding->other);
    }
    pt_fiber_switch_fp(self, &root);
}

int main(void)
{
    struct adding low = {FE_DOWNWARD, &ceiling_fiber, 0}, high = {FE_UPWARD, &floor_fiber, 0};

    pt_fiber_root(&root);
    pt_fiber_init(&floor_fiber, &root, stacks[0], sizeof stacks[0], add, &low);
    pt_fiber_init(&ceiling_fiber, &root, stacks[1], sizeof stacks[1], add, &high);
    pt_fiber_switch_fp(&root, &floor_fiber);

    printf("%s 1, %s 1\n", low.sum < 1 ? "below" : "not below",
           high.sum > 1 ? "above" : "not above");
    printf("main rounds %s\n", fegetround() == FE_TONEAREST ? "to nearest" : "elsewhere");
    pt_fiber_close(&floor_fiber);
    pt_fiber_close(&ceiling_fiber);
    return 0;
}
