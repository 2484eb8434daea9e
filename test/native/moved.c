/* moved.c - fibers that share one stack: how much is moved, and where it goes
 * SPDX-License-Identifier: MIT */
#include "copied.h"

#ifndef MANY
#define MANY 100000
#endif

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

TEST(the_saved_bytes_of_a_fiber_grow_and_shrink_with_its_stack_use)
{
    uint32_t rooms[2 * DEPTHS];

    begin(breathe, breathe);
    b.fiber.argument = &a;
    go(&root, &a); /* back and forth until the first has ended */
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

TEST(without_memory_no_fiber_is_moved_and_the_current_one_continues)
{
    begin(insist, one_step);
    memory.fail_from = 1;
    go(&root, &a);
    EXPECT_TRACE("refused kept b moved kept ");
    end();
    begin(come_back, come_back); /* also from the root, which has no bytes on that stack */
    go(&root, &a);
    memory.fail_from = 1;
    EXPECT(pt_copied_switch(&root, &b) == PT_ENOMEM);
    go(&root, &a);
    go(&root, &b);
    EXPECT(stack.owner == &b);
    end();
}

/* --- many --- */

/* The most bytes that a fiber may take. More if its function must save many registers (AArch64; the
 * vector registers on Windows), or if the program is not optimized. */
#if defined(__OPTIMIZE__) && ((defined(__x86_64__) && !defined(_WIN32)) || defined(__i386__))
enum { LIMIT = 256 };
#else
enum { LIMIT = 512 };
#endif

static struct pt_copied many[MANY];
static long steps;

static void step(struct pt_fiber *self)
{
    volatile long number = (long)((struct pt_copied *)(void *)self - many);

    for (long round = 0; round < 3; round++) {
        EXPECT(steps == round * MANY + number);
        steps++;
        EXPECT(pt_copied_switch(self, &many[(number + 1) % MANY]) == PT_OK);
    }
}

TEST(a_hundred_thousand_fibers_park_on_one_stack_in_256_bytes_each)
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
        size_t bytes = sizeof many[i] + many[i].room + sizeof(size_t); /* with malloc's header */

        most = bytes > most ? bytes : most;
        pt_copied_close(&many[i]);
    }
    EXPECT(PT_HAS_TOOLS_ || most <= LIMIT);
    close();
}

/* Fibers that are done or suspended, closed in any order: each block is freed exactly once. */
TEST(closing_a_fiber_frees_its_memory_whatever_it_was_doing)
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
    RUN(the_saved_bytes_of_a_fiber_grow_and_shrink_with_its_stack_use);
    RUN(without_memory_no_fiber_is_moved_and_the_current_one_continues);
    RUN(a_hundred_thousand_fibers_park_on_one_stack_in_256_bytes_each);
    RUN(closing_a_fiber_frees_its_memory_whatever_it_was_doing);
    return native_end();
}
