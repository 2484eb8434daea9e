/* copied.c - fibers that share one stack: who runs when, what is moved, and how much of it
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <pt/copied.h>

#include <stdlib.h>

#ifndef MANY
#define MANY 100000
#endif

/* --- memory that is counted --- */

static struct {
    long blocks, calls,
        bytes;      /* given out, asked for, and the bytes that the latest call asked for */
    long fail_from; /* the first call that fails, or 0 */
} memory;

static void *resize(void *context, void *block, size_t bytes)
{
    EXPECT(context == &memory);
    if (!bytes) {
        memory.blocks--;
        free(block);
        return NULL;
    }
    memory.bytes = (long)bytes;
    if (++memory.calls == memory.fail_from)
        return NULL;
    memory.blocks += !block;
    return realloc(block, bytes);
}

static char area[PT_COPIED_MOVER + (64 << 10)];
static struct pt_copied_stack stack;
static struct pt_fiber root;
static struct pt_copied a, b;

static void open(void)
{
    memset(&memory, 0, sizeof memory);
    pt_fiber_root(&root);
    pt_copied_stack_init(&stack, area, sizeof area, resize, &memory);
}

static void close(void)
{
    pt_copied_stack_close(&stack);
    EXPECT(memory.blocks == 0);
}

static void begin(pt_fiber_function of_a, pt_fiber_function of_b)
{
    open();
    pt_copied_init(&a, &stack, &root, of_a, &b);
    pt_copied_init(&b, &stack, &root, of_b, &a);
}

static void end(void)
{
    pt_copied_close(&a);
    pt_copied_close(&b);
    close();
}

static void go(struct pt_fiber *from, struct pt_copied *to)
{
    EXPECT(pt_copied_switch(from, to) == PT_OK);
}

/* --- who runs when --- */

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

static void come_back(struct pt_fiber *self)
{
    for (int i = 0; i < 3; i++) {
        trace("%c%d ", self == &a.fiber ? 'a' : 'b', i);
        pt_fiber_switch(self, &root);
    }
}

TEST(nothing_is_moved_before_another_fiber_of_the_stack_goes_on)
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
    EXPECT(memory.calls == 2); /* what there was is used again */
    EXPECT_TRACE("a0 a1 b0 b1 a2 b2 ");
    EXPECT(pt_fiber_done(&a.fiber) && !pt_fiber_done(&b.fiber));
    end();
}

static void end_at_once(struct pt_fiber *self)
{
    trace(self == &a.fiber ? "a " : "b ");
}

TEST(of_a_fiber_that_is_done_nothing_is_moved)
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

TEST(fibers_with_stacks_of_their_own_go_between)
{
    begin(to_its_own, to_own_again);
    pt_fiber_init(&own, &root, private_stack, sizeof private_stack, on_its_own, NULL);
    go(&root, &a);
    EXPECT_TRACE("a own b own a ");
    pt_fiber_close(&own);
    end();
}

/* --- what is kept --- */

/* Values on the stack and in registers, of a function that calls nothing else: were there a red zone in
 * use, another's frames would be in it. */
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

TEST(what_is_on_the_stack_and_in_registers_is_kept)
{
    begin(keep, keep);
    go(&root, &a);
    EXPECT(a.fiber.argument == &a);
    go(&root, &b);
    EXPECT(b.fiber.argument == &b);
    end();
}

/* The same, left by a plain switch, which may stand in a function with a red zone in use. */
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

TEST(a_red_zone_is_kept_of_who_left_by_a_plain_switch)
{
    begin(keep_below, keep_below);
    for (int i = 0; i < 11; i++) {
        go(&root, &a);
        go(&root, &b);
    }
    EXPECT(a.fiber.argument == &a && b.fiber.argument == &b);
    end();
}

/* --- growth and shrinking --- */

static int deep(struct pt_fiber *self, int depth)
{
    volatile char room[64];

    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = (char)(depth + (int)i);
    if (depth)
        deep(self, depth - 1);
    else
        go(self, (struct pt_copied *)self->argument);
    for (unsigned i = 0; i < sizeof room; i++)
        EXPECT(room[i] == (char)(depth + (int)i));
    return room[0];
}

static const int depths[] = {0, 1, 50, 2, 100, 20, 0};
enum { DEPTHS = sizeof depths / sizeof depths[0] };

static void breathe(struct pt_fiber *self)
{
    for (int i = 0; i < DEPTHS; i++)
        deep(self, depths[i]);
}

TEST(what_a_fiber_has_away_grows_and_shrinks_with_what_it_uses)
{
    uint32_t rooms[2 * DEPTHS];

    begin(breathe, breathe);
    b.fiber.argument = &a;
    go(&root, &a); /* to and fro until the first has ended */
    EXPECT(pt_fiber_done(&a.fiber));
    end();
    begin(breathe, come_back);
    for (int i = 0; i < DEPTHS; i++) {
        a.fiber.argument = &b;
        pt_copied_close(&b);
        pt_copied_init(&b, &stack, &root, come_back, NULL);
        go(&root, &a);
        rooms[i] = a.room;
        EXPECT(a.used <= a.room && a.room <= 2 * a.used + 16);
        EXPECT(a.used >= 64u * (unsigned)depths[i]);
    }
    EXPECT(rooms[2] > 50 * 64 && rooms[3] < rooms[2] / 2 && rooms[6] < rooms[4] / 5);
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

TEST(locals_are_found_where_alloca_and_alignment_moved_them_and_another_was)
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
    EXPECT(memory.calls == 0); /* each has one for itself */
    pt_copied_close(&b);
    pt_copied_stack_close(&other);
    pt_copied_close(&a);
    close();
}

/* --- no memory --- */

static void insist(struct pt_fiber *self)
{
    volatile int local = 42;

    trace(pt_copied_switch(self, &b) == PT_ENOMEM ? "refused " : "moved ");
    trace(local == 42 ? "kept " : "lost ");
    trace(pt_copied_switch(self, &b) == PT_OK ? "moved " : "refused ");
    trace(local == 42 ? "kept " : "lost ");
}

static void one_step(struct pt_fiber *self)
{
    trace("b ");
    go(self, &a);
}

TEST(without_memory_nobody_is_moved_and_the_one_who_wanted_to_leave_goes_on)
{
    begin(insist, one_step);
    memory.fail_from = 1;
    go(&root, &a);
    EXPECT_TRACE("refused kept b moved kept ");
    end();
    begin(come_back, come_back); /* and the root, who has no bytes there */
    go(&root, &a);
    memory.fail_from = 1;
    EXPECT(pt_copied_switch(&root, &b) == PT_ENOMEM);
    go(&root, &a);
    go(&root, &b);
    EXPECT(stack.owner == &b);
    end();
}

/* --- many --- */

/* Bytes that a fiber may take. More where a switch loses 30 registers, or a program is not optimized. */
#if defined(__OPTIMIZE__) && (defined(__x86_64__) || defined(__i386__))
enum { LIMIT = 256 };
#else
enum { LIMIT = 512 };
#endif

static struct pt_copied many[MANY];
static long steps;

static void step(struct pt_fiber *self)
{
    volatile long number = (struct pt_copied *)(void *)self - many;

    for (long round = 0; round < 3; round++) {
        EXPECT(steps == round * MANY + number);
        steps++;
        EXPECT(pt_copied_switch(self, &many[(number + 1) % MANY]) == PT_OK);
    }
}

TEST(a_hundred_thousand_fibers_are_parked_on_one_stack_in_256_bytes_each)
{
    size_t most = 0;

    open();
    steps = 0;
    for (long i = 0; i < MANY; i++)
        pt_copied_init(&many[i], &stack, &root, step, NULL);
    go(&root, many);
    EXPECT(steps == 3 * MANY);
    EXPECT(pt_fiber_done(&many[0].fiber));
    EXPECT(memory.blocks == MANY);
    for (long i = 0; i < MANY; i++) {
        size_t bytes = sizeof many[i] + many[i].room + sizeof(size_t); /* with malloc's own */

        most = bytes > most ? bytes : most;
        pt_copied_close(&many[i]);
    }
    EXPECT(PT_HAS_TOOLS_ || most <= LIMIT);
    close();
}

/* Fibers that are done, or left, and closed in any order: each block comes back, once. */
TEST(memory_comes_back_whatever_a_fiber_was_doing)
{
    open();
    for (int i = 0; i < 40; i++) {
        pt_copied_init(&many[i], &stack, &root, come_back, NULL);
        for (int j = 0; j < i % 6; j++)
            if (!pt_fiber_done(&many[i].fiber))
                go(&root, &many[i]);
    }
    for (int i = 0; i < 40; i++)
        pt_copied_close(&many[i * 7 % 40]);
    EXPECT(!stack.owner);
    close();
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(fibers_of_one_stack_switch_to_each_other_and_print_b1_a1_b2_a2);
    RUN(nothing_is_moved_before_another_fiber_of_the_stack_goes_on);
    RUN(of_a_fiber_that_is_done_nothing_is_moved);
    RUN(fibers_with_stacks_of_their_own_go_between);
    RUN(what_is_on_the_stack_and_in_registers_is_kept);
    RUN(a_red_zone_is_kept_of_who_left_by_a_plain_switch);
    RUN(what_a_fiber_has_away_grows_and_shrinks_with_what_it_uses);
    RUN(recursions_take_turns_on_one_stack_at_every_depth);
    RUN(locals_are_found_where_alloca_and_alignment_moved_them_and_another_was);
    RUN(fibers_of_two_shared_stacks_switch_to_each_other);
    RUN(without_memory_nobody_is_moved_and_the_one_who_wanted_to_leave_goes_on);
    RUN(a_hundred_thousand_fibers_are_parked_on_one_stack_in_256_bytes_each);
    RUN(memory_comes_back_whatever_a_fiber_was_doing);
    return native_end();
}
