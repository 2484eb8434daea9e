/* expanded/59-rounding.c - lesson 59 with its switch expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_fiber_switch_fp    save the rounding mode, set the other one, then switch */
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
        pt_context_swap_fp_(&self->context, &adding->other->context);
        pt_fiber_switch(self, adding->other);
    }
    pt_context_swap_fp_(&self->context, &root.context);
    pt_fiber_switch(self, &root);
}

int main(void)
{
    struct adding low = {FE_DOWNWARD, &ceiling_fiber, 0}, high = {FE_UPWARD, &floor_fiber, 0};

    pt_fiber_root(&root);
    pt_fiber_init(&floor_fiber, &root, stacks[0], sizeof stacks[0], add, &low);
    pt_fiber_init(&ceiling_fiber, &root, stacks[1], sizeof stacks[1], add, &high);
    pt_context_swap_fp_(&root.context, &floor_fiber.context);
    pt_fiber_switch(&root, &floor_fiber);

    printf("%s 1, %s 1\n", low.sum < 1 ? "below" : "not below",
           high.sum > 1 ? "above" : "not above");
    printf("main rounds %s\n", fegetround() == FE_TONEAREST ? "to nearest" : "elsewhere");
    pt_fiber_close(&floor_fiber);
    pt_fiber_close(&ceiling_fiber);
    return 0;
}
