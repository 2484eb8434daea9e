/* copied.c - fibers that share one stack: the order of execution, and the values that survive
 * SPDX-License-Identifier: MIT */
#include "copied.h"

/* --- order of execution --- */

static void think_1(struct pt_fiber *self)
{
    trace("A1 ");
    go(self, &b);
    trace("A2 ");
}

static void think_2(struct pt_fiber *self)
{
    trace("B1 ");
    go(self, &a);
    trace("B2 ");
    go(self, &a);
    trace("never ");
}

TEST(fibers_of_one_stack_switch_to_each_other_and_print_b1_a1_b2_a2)
{
    begin(think_1, think_2);
    go(&root, &b);
    EXPECT_TRACE("B1 A1 B2 A2 ");
    EXPECT(pt_fiber_done(&a.fiber));
    EXPECT(!pt_fiber_done(&b.fiber));
    end();
}

/* --- what moves when --- */

TEST(nothing_is_moved_until_another_fiber_of_the_stack_runs)
{
    begin(come_back, come_back);
    go(&root, &a);
    go(&root, &a);
    EXPECT(memory.calls == 0);
    go(&root, &b);
    EXPECT(memory.calls == 1 && a.used > 0);
    go(&root, &b);
    EXPECT(memory.calls == 1);
    go(&root, &a);
    EXPECT(memory.calls == 2);
    for (int i = 0; i < 2; i++)
        go(&root, i ? &a : &b);
    EXPECT(memory.calls == 2); /* the old block is used again */
    EXPECT_TRACE("a0 a1 b0 b1 a2 b2 ");
    EXPECT(pt_fiber_done(&a.fiber) && !pt_fiber_done(&b.fiber));
    end();
}

TEST(a_fiber_that_is_away_is_prefetched_and_continues)
{
    begin(come_back, come_back);
    go(&root, &a);
    go(&root, &b);
    pt_copied_prefetch(&a);
    go(&root, &a);
    EXPECT_TRACE("a0 b0 a1 ");
    end();
}

static void end_at_once(struct pt_fiber *self)
{
    trace(self == &a.fiber ? "a " : "b ");
}

TEST(a_fiber_that_is_done_is_not_moved)
{
    begin(end_at_once, end_at_once);
    go(&root, &a);
    go(&root, &b);
    EXPECT_TRACE("a b ");
    EXPECT(memory.calls == 0);
    end();
}

static char private_stack[64 << 10];
static struct pt_fiber own;

static void on_its_own(struct pt_fiber *self)
{
    trace("own ");
    go(self, &b);
    trace("own ");
    go(self, &a);
}

static void to_its_own(struct pt_fiber *self)
{
    trace("a ");
    pt_fiber_switch(self, &own);
    trace("a ");
}

static void to_own_again(struct pt_fiber *self)
{
    trace("b ");
    pt_fiber_switch(self, &own);
}

TEST(fibers_with_their_own_stacks_run_in_between)
{
    begin(to_its_own, to_own_again);
    pt_fiber_init(&own, &root, private_stack, sizeof private_stack, on_its_own, NULL);
    go(&root, &a);
    EXPECT_TRACE("a own b own a ");
    pt_fiber_close(&own);
    end();
}

/* --- what is kept --- */

/* Values on the stack and in registers, in a function that makes no other call. If the compiler
 * used the red zone here, the frames of another fiber would overwrite it. */
static void keep(struct pt_fiber *self)
{
    struct pt_copied *other = (struct pt_copied *)self->argument;
    volatile unsigned seed = self == &a.fiber ? 3u : 7u;
    unsigned wrong = 0;
    volatile unsigned slots[4];
    unsigned k0 = seed * 3, k1 = seed * 5, k2 = seed * 7, k3 = seed * 11, k4 = seed * 13;
    double f0 = seed * 17, f1 = seed * 19;

    for (unsigned i = 0; i < 4; i++)
        slots[i] = seed + i;
    for (int round = 0; round < 10; round++) {
        wrong += pt_copied_switch(self, other) != PT_OK;
        for (unsigned i = 0; i < 4; i++)
            wrong += slots[i] != seed + i;
        wrong += k0 + k1 + k2 + k3 + k4 != seed * 39;
        wrong += f0 + f1 > seed * 36 || f0 + f1 < seed * 36;
    }
    self->argument = wrong ? NULL : self;
}

TEST(values_on_the_stack_and_in_registers_are_kept)
{
    begin(keep, keep);
    go(&root, &a);
    EXPECT(a.fiber.argument == &a);
    go(&root, &b);
    EXPECT(b.fiber.argument == &b);
    end();
}

/* The same with a plain switch, which can be in a function that uses its red zone: clang does so at -O1. */
static void keep_below(struct pt_fiber *self)
{
    volatile unsigned seed = self == &a.fiber ? 3u : 7u;
    unsigned wrong = 0;
    volatile unsigned slots[4];

    for (unsigned i = 0; i < 4; i++)
        slots[i] = seed + i;
    for (int round = 0; round < 10; round++) {
        pt_fiber_switch(self, &root);
        for (unsigned i = 0; i < 4; i++)
            wrong += slots[i] != seed + i;
    }
    self->argument = wrong ? NULL : self;
}

TEST(the_red_zone_of_a_fiber_that_left_by_a_plain_switch_is_kept)
{
    begin(keep_below, keep_below);
    for (int i = 0; i < 11; i++) {
        go(&root, &a);
        go(&root, &b);
    }
    EXPECT(a.fiber.argument == &a && b.fiber.argument == &b);
    end();
}

/* --- a tree, walked by recursion; alloca, alignment --- */

struct node {
    const struct node *left, *right;
    int value;
};

static void visit(struct pt_fiber *self, const struct node *node)
{
    if (!node)
        return;
    visit(self, node->left);
    trace("%d ", node->value);
    go(self, self == &a.fiber ? &b : &a);
    visit(self, node->right);
}

static void walk(struct pt_fiber *self)
{
    visit(self, (const struct node *)self->argument);
}

TEST(recursions_take_turns_on_one_stack_at_every_depth)
{
    static const struct node nodes[] = {{nodes + 1, nodes + 2, 4}, {nodes + 3, nodes + 4, 2},
                                        {nodes + 5, NULL, 6},      {NULL, NULL, 1},
                                        {NULL, NULL, 3},           {NULL, NULL, 5}};

    begin(walk, walk);
    a.fiber.argument = b.fiber.argument = (void *)(uintptr_t)nodes;
    go(&root, &a);
    go(&root, &b);
    EXPECT_TRACE("1 1 2 2 3 3 4 4 5 5 6 6 ");
    EXPECT(pt_fiber_done(&a.fiber) && pt_fiber_done(&b.fiber));
    end();
}

static void keep_moving(struct pt_fiber *self)
{
    volatile int seed = self == &a.fiber ? 40 : 90;

    for (int round = 0; round < 3; round++) {
        int count = seed + 5 * round;
        __attribute__((aligned(32))) volatile float aligned[8];
        unsigned char *moved;

        for (int i = 0; i < 8; i++)
            aligned[i] = (float)(i + count);
        moved = (unsigned char *)__builtin_alloca((size_t)count);
        memset(moved, count + round, (size_t)count);
        go(self, (struct pt_copied *)self->argument);
        for (int i = 0; i < 8; i++)
            EXPECT(aligned[i] == (float)(i + count));
        for (int i = 0; i < count; i++)
            EXPECT(moved[i] == count + round);
    }
}

TEST(locals_of_a_moved_fiber_are_found_despite_alloca_and_alignment)
{
    begin(keep_moving, keep_moving);
    go(&root, &a);
    go(&root, &b);
    EXPECT(pt_fiber_done(&a.fiber) && pt_fiber_done(&b.fiber));
    end();
}

/* --- two stacks --- */

TEST(fibers_of_two_shared_stacks_switch_to_each_other)
{
    static char other_area[PT_COPIED_MOVER + (64 << 10)];
    struct pt_copied_stack other;

    open();
    pt_copied_stack_init(&other, other_area, sizeof other_area, resize, &memory);
    pt_copied_init(&a, &stack, &root, think_1, NULL);
    pt_copied_init(&b, &other, &root, think_2, NULL);
    go(&root, &b);
    EXPECT_TRACE("B1 A1 B2 A2 ");
    EXPECT(memory.calls == 0); /* each stack has only one fiber */
    pt_copied_close(&b);
    pt_copied_stack_close(&other);
    pt_copied_close(&a);
    close();
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(fibers_of_one_stack_switch_to_each_other_and_print_b1_a1_b2_a2);
    RUN(nothing_is_moved_until_another_fiber_of_the_stack_runs);
    RUN(a_fiber_that_is_away_is_prefetched_and_continues);
    RUN(a_fiber_that_is_done_is_not_moved);
    RUN(fibers_with_their_own_stacks_run_in_between);
    RUN(values_on_the_stack_and_in_registers_are_kept);
    RUN(the_red_zone_of_a_fiber_that_left_by_a_plain_switch_is_kept);
    RUN(recursions_take_turns_on_one_stack_at_every_depth);
    RUN(locals_of_a_moved_fiber_are_found_despite_alloca_and_alignment);
    RUN(fibers_of_two_shared_stacks_switch_to_each_other);
    return native_end();
}
