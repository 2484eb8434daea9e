/* fibers.c - tests of fibers for every architecture, including bare parts
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <fenv.h>
#include <setjmp.h>

#if PT_HOSTED
enum { STACK = 64 << 10, MANY = 1000, SWITCHES = 1000000 };
#else
enum { STACK = 1536, MANY = 4, SWITCHES = 10000 };
#endif

static char stacks[2][STACK];
static struct pt_fiber root, a, b;

/* begin - initialize A and B, on zeroed stacks */
static void begin(pt_fiber_function of_a, pt_fiber_function of_b)
{
    memset(stacks, 0, sizeof stacks);
    pt_fiber_root(&root);
    pt_fiber_init(&a, &root, stacks[0], STACK, of_a, &b);
    pt_fiber_init(&b, &root, stacks[1], STACK, of_b, &a);
}

static void end(void)
{
    pt_fiber_close(&a);
    pt_fiber_close(&b);
}

/* --- contexts, without fibers; a tool must be told of each stack --- */

#if !PT_HAS_TOOLS_

static struct pt_context outside, inside;

static void never_again(struct pt_context *context)
{
    (void)context;
    trace("never ");
}

static void go_inside(struct pt_context *self)
{
    trace(self == &inside ? "in " : "elsewhere ");
    pt_context_switch(self, &outside);
    trace("in again ");
    pt_context_end(self, &outside, never_again);
}

TEST(a_context_is_left_entered_again_and_ended)
{
    pt_context_make(&inside, stacks[0], STACK, go_inside);
    pt_context_switch(&outside, &inside);
    trace("out ");
    pt_context_switch(&outside, &inside);
    EXPECT_TRACE("in out in again ");
}

#endif

/* --- order of execution --- */

static void think_1(struct pt_fiber *self)
{
    trace("A1 ");
    pt_fiber_switch(self, &b);
    trace("A2 ");
}

static void think_2(struct pt_fiber *self)
{
    trace("B1 ");
    pt_fiber_switch(self, &a);
    trace("B2 ");
    pt_fiber_switch(self, &a);
    trace("never ");
}

TEST(any_fiber_switches_to_any_other_and_the_program_prints_b1_a1_b2_a2)
{
    begin(think_1, think_2);
    pt_fiber_switch(&root, &b);
    EXPECT_TRACE("B1 A1 B2 A2 ");
    EXPECT(pt_fiber_done(&a));
    EXPECT(!pt_fiber_done(&b));
    end();
}

static void say(struct pt_fiber *self)
{
    trace(self == &a ? "a " : "b ");
}

static void go_on_with_argument(struct pt_fiber *self)
{
    say(self);
    pt_fiber_switch(self, (struct pt_fiber *)self->argument);
    trace("again ");
}

TEST(at_its_end_a_fiber_gives_control_to_its_parent)
{
    begin(say, go_on_with_argument);
    pt_fiber_switch(&root, &b); /* b switches to a; the parent of a is the root */
    trace("root ");
    pt_fiber_switch(&root, &b);
    trace("root");
    EXPECT_TRACE("b a root again root");
    EXPECT(root.parent == &root && !pt_fiber_done(&root));
    end();
}

TEST(a_fiber_that_was_left_gets_another_parent)
{
    begin(say, go_on_with_argument);
    b.argument = &root;
    pt_fiber_switch(&root, &b);
    b.parent = &a;
    pt_fiber_switch(&root, &b);
    EXPECT_TRACE("b again a ");
    end();
}

TEST(at_its_end_a_fiber_skips_a_parent_that_is_done)
{
    begin(go_on_with_argument, say);
    b.parent = &a;
    pt_fiber_switch(&root, &a);
    trace("root");
    EXPECT_TRACE("a b again root");
    end();
    begin(say, say);
    b.parent = &a;
    pt_fiber_switch(&root, &a);
    EXPECT(pt_fiber_done(&a));
    pt_fiber_switch(&root, &b);
    EXPECT(pt_fiber_done(&b));
    end();
}

TEST(a_fiber_that_is_done_can_be_created_again_on_its_stack)
{
    for (int i = 0; i < 3; i++) {
        begin(say, say);
        pt_fiber_switch(&root, &a);
        EXPECT(pt_fiber_done(&a));
        end();
    }
    EXPECT_TRACE("a a a ");
}

/* --- left by a longjmp --- */

#if !PT_HAS_TSAN_ /* ThreadSanitizer does not support leaving a fiber by longjmp */

static jmp_buf escape;

static void jump(struct pt_fiber *self)
{
    say(self);
    longjmp(escape, 1);
}

TEST(after_a_longjmp_out_of_a_fiber_the_sanitizer_knows_the_stack)
{
    static struct pt_landing before, behind;

    begin(jump, say);
    pt_landing_mark(&before);
    if (!setjmp(escape)) {
        pt_fiber_switch(&root, &a);
        trace("never ");
    }
    pt_landing_reached(&before);
    pt_landing_mark(&behind);
    EXPECT(behind.low == before.low && behind.bytes == before.bytes && behind.fake == before.fake);
    pt_fiber_switch(&root, &b);
    trace("root");
    EXPECT_TRACE("a b root");
    end();
}

#endif

/* --- what is kept --- */

/* Mix more values than there are registers; each is used and changed after every switch. With SELF
 * NULL it does not switch. Both ways return the same sum. */
static unsigned mix_integers(struct pt_fiber *self, volatile unsigned *seed)
{
    struct pt_fiber *to = self ? (struct pt_fiber *)self->argument : NULL;
    unsigned k0 = *seed, k1 = *seed, k2 = *seed, k3 = *seed, k4 = *seed, k5 = *seed, k6 = *seed;
    unsigned k7 = *seed, k8 = *seed, k9 = *seed, k10 = *seed, k11 = *seed, k12 = *seed;

    for (int i = 0; i < 5; i++) {
        if (to)
            pt_fiber_switch(self, to);
        k0 += k1 * 3, k1 ^= k2 * 5, k2 += k3 * 7, k3 ^= k4 * 11, k4 += k5 * 13, k5 ^= k6 * 17;
        k6 += k7 * 19, k7 ^= k8 * 23, k8 += k9 * 29, k9 ^= k10 * 31, k10 += k11 * 37;
        k11 ^= k12 * 41, k12 += k0 * 43;
    }
    return k0 ^ k1 ^ k2 ^ k3 ^ k4 ^ k5 ^ k6 ^ k7 ^ k8 ^ k9 ^ k10 ^ k11 ^ k12;
}

static void keep_integers(struct pt_fiber *self)
{
    volatile unsigned seed = self == &a ? 3u : 7u;

    trace(mix_integers(self, &seed) == mix_integers(NULL, &seed) ? "kept " : "lost ");
}

TEST(integers_in_registers_survive_a_switch)
{
    begin(keep_integers, keep_integers);
    pt_fiber_switch(&root, &a);
    pt_fiber_switch(&root, &b);
    EXPECT_TRACE("kept kept ");
    end();
}

static long double mix_floats(struct pt_fiber *self, volatile double *seed)
{
    struct pt_fiber *to = self ? (struct pt_fiber *)self->argument : NULL;
    double k0 = *seed, k1 = *seed, k2 = *seed, k3 = *seed, k4 = *seed, k5 = *seed, k6 = *seed;
    double k7 = *seed, k8 = *seed, k9 = *seed, k10 = *seed, k11 = *seed, k12 = *seed;
    long double l0 = *seed, l1 = *seed;
    float f0 = (float)*seed, f1 = (float)*seed;

    for (int i = 0; i < 5; i++) {
        if (to)
            pt_fiber_switch(self, to);
        k0 += k1 * 3, k1 -= k2 * 5, k2 += k3 * 7, k3 -= k4 * 11, k4 += k5 * 13, k5 -= k6 * 17;
        k6 += k7 * 19, k7 -= k8 * 23, k8 += k9 * 29, k9 -= k10 * 31, k10 += k11 * 37;
        k11 -= k12 * 41, k12 += k0 * 43;
        l0 += l1 * 3, l1 -= l0 * 5;
        f0 += f1 * 3, f1 -= f0 * 5;
    }
    return k0 + k1 + k2 + k3 + k4 + k5 + k6 + k7 + k8 + k9 + k10 + k11 + k12 + l0 + l1 + f0 + f1;
}

static void keep_floats(struct pt_fiber *self)
{
    volatile double seed = self == &a ? 3 : 7;

    trace(mix_floats(self, &seed) == mix_floats(NULL, &seed) ? "kept " : "lost ");
}

TEST(floating_point_values_survive_a_switch)
{
    begin(keep_floats, keep_floats);
    pt_fiber_switch(&root, &a);
    pt_fiber_switch(&root, &b);
    EXPECT_TRACE("kept kept ");
    end();
}

static const char *frame; /* of the function that switches back and forth */

static void bounce(struct pt_fiber *self)
{
    for (frame = (const char *)__builtin_frame_address(0);;) {
        EXPECT(frame == (const char *)__builtin_frame_address(0));
        pt_fiber_switch(self, &root);
    }
}

TEST(a_million_switches_do_not_grow_the_stack)
{
    begin(bounce, bounce);
    for (long i = 0; i < SWITCHES; i++)
        pt_fiber_switch(&root, &a);
    EXPECT(frame > stacks[0] && frame < stacks[0] + STACK);
    end();
}

/* Arguments after the first few are read from the stack, where alignment matters. */
static long long take(int count, ...)
{
    long long sum = 0;
    va_list arguments;

    va_start(arguments, count);
    for (int i = 0; i < count; i++) {
        sum += (long long)va_arg(arguments, double);
        sum += va_arg(arguments, long long);
    }
    va_end(arguments);
    return sum;
}

static void look_at_alignment(struct pt_fiber *self)
{
    union {
        double number;
        void *pointer;
        long long big;
    } local;
    volatile uintptr_t address = (uintptr_t)&local;
    volatile double half = 1.5;

    (void)self;
    EXPECT(address % sizeof(void *) == 0);
    EXPECT(take(5, half, 1ll << 40, half, 2ll, half, 3ll, half, 4ll, half, 5ll) ==
           (1ll << 40) + 2 + 3 + 4 + 5 + 5);
    trace("aligned ");
}

TEST(a_fiber_starts_on_an_aligned_stack_whatever_memory_it_gets)
{
    for (size_t cut = 0; cut < 24; cut += 3) {
        native_length = 0;
        begin(say, say);
        pt_fiber_close(&a);
        pt_fiber_init(&a, &root, stacks[0] + cut, STACK - 2 * cut, look_at_alignment, NULL);
        pt_fiber_switch(&root, &a);
        EXPECT_TRACE("aligned ");
        end();
    }
}

/* If alloca moves the stack pointer, and a local has a larger alignment than the stack, compilers
 * find locals through an extra register. */
static void keep_moving(struct pt_fiber *self)
{
    volatile int count = self == &a ? 50 : 90;
    volatile float aligned[8] __attribute__((aligned(64)));
    unsigned char *moved;

    for (int i = 0; i < 8; i++)
        aligned[i] = (float)(i + count);
    for (int round = 0; round < 3; round++) {
        moved = (unsigned char *)__builtin_alloca((size_t)count);
        memset(moved, count + round, (size_t)count);
        pt_fiber_switch(self, (struct pt_fiber *)self->argument);
        for (int i = 0; i < 8; i++)
            EXPECT(aligned[i] == (float)(i + count));
        for (int i = 0; i < count; i++)
            EXPECT(moved[i] == count + round);
    }
    trace("kept ");
}

TEST(locals_are_found_after_a_switch_despite_alloca_and_alignment)
{
    begin(keep_moving, keep_moving);
    pt_fiber_switch(&root, &a);
    pt_fiber_switch(&root, &b);
    EXPECT_TRACE("kept kept ");
    end();
}

/* --- recursion: a tree is walked in order, a node at a time --- */

struct node {
    const struct node *left, *right;
    int value;
};

static int visited;

static void visit(struct pt_fiber *self, const struct node *node)
{
    if (!node)
        return;
    visit(self, node->left);
    visited = node->value;
    pt_fiber_switch(self, &root);
    visit(self, node->right);
}

static void walk(struct pt_fiber *self)
{
    visit(self, (const struct node *)self->argument);
}

TEST(a_fiber_can_switch_away_at_every_depth_of_a_recursion)
{
    static const struct node nodes[] = {{nodes + 1, nodes + 2, 4}, {nodes + 3, nodes + 4, 2},
                                        {nodes + 5, NULL, 6},      {NULL, NULL, 1},
                                        {NULL, NULL, 3},           {NULL, NULL, 5}};

    begin(walk, say);
    a.argument = (void *)(uintptr_t)nodes;
    for (pt_fiber_switch(&root, &a); !pt_fiber_done(&a); pt_fiber_switch(&root, &a))
        trace("%d ", visited);
    EXPECT_TRACE("1 2 3 4 5 6 ");
    end();
}

/* --- many --- */

static struct pt_fiber many[MANY];
static char many_stacks[MANY][PT_HOSTED ? 16 << 10 : STACK / 2];
static int steps;

static void step(struct pt_fiber *self)
{
    for (int round = 0; round < 3; round++) {
        EXPECT(steps == round * MANY + (int)(self - many));
        steps++;
        if (self < many + MANY - 1)
            pt_fiber_switch(self, self + 1);
        else
            pt_fiber_switch(self, many);
    }
}

TEST(many_fibers_run_in_a_ring_each_on_its_own_stack)
{
    pt_fiber_root(&root);
    steps = 0;
    for (int i = 0; i < MANY; i++)
        pt_fiber_init(&many[i], &root, many_stacks[i], sizeof many_stacks[i], step, NULL);
    pt_fiber_switch(&root, many);
    EXPECT(steps == 3 * MANY); /* the first fiber has ended, so the root continues */
    EXPECT(pt_fiber_done(&many[0]));
    for (int i = 0; i < MANY; i++)
        pt_fiber_close(&many[i]);
}

/* --- a variable of the file, which gcc knows all uses of --- */

static unsigned shared; /* nobody takes its address */

__attribute__((noinline)) static void hand_over(struct pt_fiber *from, struct pt_fiber *to)
{
    pt_fiber_switch(from, to);
}

static void add_3(struct pt_fiber *self)
{
    for (int i = 0; i < 3; i++) {
        shared++;
        hand_over(self, &b);
        shared++;
        hand_over(self, &b);
        shared++;
    }
}

static void add_6(struct pt_fiber *self)
{
    for (int i = 0; i < 6; i++) {
        shared++;
        hand_over(self, &a);
    }
}

TEST(what_other_fibers_add_to_a_variable_of_the_file_is_not_lost)
{
    shared = 0;
    begin(add_3, add_6);
    pt_fiber_switch(&root, &a);
    EXPECT(shared == 15);
    end();
}

/* --- the high-water mark --- */

static PT_MAYBE_UNUSED int sink;

static void use(int depth)
{
    volatile char room[64];

    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0x5a;
    if (depth)
        use(depth - 1);
    sink = room[depth & 63];
}

static void use_little(struct pt_fiber *self)
{
    (void)self;
    use(0);
}

static void use_much(struct pt_fiber *self)
{
    (void)self;
    use(9);
}

TEST(the_high_water_mark_shows_how_much_of_a_stack_was_used)
{
    size_t little, much;

    begin(use_little, use_much);
    EXPECT(pt_stack_used(stacks[0], STACK) <= 64); /* written by init */
    pt_fiber_switch(&root, &a);
    pt_fiber_switch(&root, &b);
    little = pt_stack_used(stacks[0], STACK);
    much = pt_stack_used(stacks[1], STACK);
    EXPECT(little >= 64);
    EXPECT(much >= little + 9 * 64);
    EXPECT(much < STACK);
    end();
}

/* --- the floating-point environment --- */

#if defined(FE_UPWARD) && defined(FE_TONEAREST)

/* The rounding mode. x86 has it in two registers: fegetround reads one, a division uses the other.
 * (valgrind always rounds a division to nearest.) */
static const char *rounding(void)
{
    volatile double one = 1, minus_one = -1, three = 3;
    volatile double above = one / three, below = minus_one / three;
    bool up = fegetround() == FE_UPWARD;

    if (!PT_VALGRIND && up != (above != -below))
        return "mixed ";
    return up ? "up " : "nearest ";
}

static void round_up(struct pt_fiber *self)
{
    fesetround(FE_UPWARD);
    pt_fiber_switch_fp(self, &b);
    trace("%s", rounding());
}

static void say_rounding(struct pt_fiber *self)
{
    trace("%s", rounding());
    pt_fiber_switch_fp(self, &root);
}

TEST(a_fiber_that_asks_keeps_its_rounding_and_it_does_not_leak_to_others)
{
    if (fesetround(FE_UPWARD) || fesetround(FE_TONEAREST))
        return; /* a part without a floating-point unit */
    begin(round_up, say_rounding);
    pt_fiber_switch_fp(&root, &a);
    trace("%s", rounding());
    pt_fiber_switch_fp(&root, &a);
    EXPECT_TRACE("nearest nearest up ");
    fesetround(FE_TONEAREST); /* a plain end does not restore it */
    end();
}

TEST(a_new_fiber_inherits_the_rounding_of_its_parent)
{
    if (fesetround(FE_UPWARD))
        return;
    memset(&a, 0, sizeof a);
    begin(say_rounding, say);
    fesetround(FE_TONEAREST);
    pt_fiber_switch_fp(&root, &a);
    EXPECT_TRACE("up ");
    EXPECT(fegetround() == FE_TONEAREST);
    end();
}

#endif

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
#if !PT_HAS_TOOLS_
    RUN(a_context_is_left_entered_again_and_ended);
#endif
    RUN(any_fiber_switches_to_any_other_and_the_program_prints_b1_a1_b2_a2);
    RUN(at_its_end_a_fiber_gives_control_to_its_parent);
    RUN(a_fiber_that_was_left_gets_another_parent);
    RUN(at_its_end_a_fiber_skips_a_parent_that_is_done);
    RUN(a_fiber_that_is_done_can_be_created_again_on_its_stack);
#if !PT_HAS_TSAN_
    RUN(after_a_longjmp_out_of_a_fiber_the_sanitizer_knows_the_stack);
#endif
    RUN(integers_in_registers_survive_a_switch);
    RUN(floating_point_values_survive_a_switch);
    RUN(a_million_switches_do_not_grow_the_stack);
    RUN(a_fiber_starts_on_an_aligned_stack_whatever_memory_it_gets);
    RUN(locals_are_found_after_a_switch_despite_alloca_and_alignment);
    RUN(a_fiber_can_switch_away_at_every_depth_of_a_recursion);
    RUN(many_fibers_run_in_a_ring_each_on_its_own_stack);
    RUN(what_other_fibers_add_to_a_variable_of_the_file_is_not_lost);
    RUN(the_high_water_mark_shows_how_much_of_a_stack_was_used);
#if defined(FE_UPWARD) && defined(FE_TONEAREST)
    RUN(a_fiber_that_asks_keeps_its_rounding_and_it_does_not_leak_to_others);
    RUN(a_new_fiber_inherits_the_rounding_of_its_parent);
#endif
    return native_end();
}
