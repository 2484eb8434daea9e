/* vectors.c - vectors that the compiler keeps in registers survive a switch
 * SPDX-License-Identifier: MIT
 *
 * Built with -O3 -march=native: with AVX-512 there are 32 vector and 8 mask registers. If a switch
 * does not list one of them as clobbered, a value that the compiler keeps there is lost. The values
 * come from volatile memory, so that the compiler cannot compute them again. */
#include "native.h"

enum { WIDE = 16, COUNT = 40 }; /* more than there are registers */

typedef float vector __attribute__((vector_size(WIDE * sizeof(float))));
typedef int mask __attribute__((vector_size(WIDE * sizeof(int))));

static char stacks[2][256 << 10] __attribute__((aligned(64)));
static struct pt_fiber root, a, b;

/* 40 vectors, all of them loaded before the switch and used after it. */
/* clang-format off */
#define EACH(X) \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) \
    X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) \
    X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) \
    X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39)
/* clang-format on */

static void keep(struct pt_fiber *self, const vector *volatile from, vector *volatile to)
{
#define LOAD(n) vector v##n = in[n] * in[n] + in[0];
#define STORE(n) out[n] = v##n;
    const vector *in = from;
    vector *out = to;

    EACH(LOAD)
    pt_fiber_switch(self, (struct pt_fiber *)self->argument);
    EACH(STORE)
}

/* Results of comparisons, which are kept in mask registers. */
static void keep_masks(struct pt_fiber *self, const vector *volatile from, mask *volatile to)
{
#define COMPARE(n) mask m##n = in[n] < in[COUNT / 2];
#define STORE_MASK(n) out[n] = m##n;
    const vector *in = from;
    mask *out = to;

    EACH(COMPARE)
    pt_fiber_switch(self, (struct pt_fiber *)self->argument);
    EACH(STORE_MASK)
}

static void fill(vector *in, float seed)
{
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < WIDE; j++)
            in[i][j] = seed + (float)(i * WIDE + j);
}

static void vectors(struct pt_fiber *self)
{
    static vector in[2][COUNT], out[2][COUNT];
    int me = self == &b;

    for (int round = 0; round < 3; round++) {
        fill(in[me], (float)(me * 1000 + round));
        keep(self, in[me], out[me]);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < WIDE; j++)
                EXPECT(out[me][i][j] == in[me][i][j] * in[me][i][j] + in[me][0][j]);
    }
}

static void masks(struct pt_fiber *self)
{
    static vector in[2][COUNT];
    static mask out[2][COUNT];
    int me = self == &b;

    for (int round = 0; round < 3; round++) {
        fill(in[me], (float)(me * 1000 + round));
        if (me)
            in[me][COUNT / 2] = in[me][0];
        keep_masks(self, in[me], out[me]);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < WIDE; j++)
                EXPECT(out[me][i][j] == -(in[me][i][j] < in[me][COUNT / 2][j]));
    }
}

static void both(pt_fiber_function function)
{
    pt_fiber_root(&root);
    pt_fiber_init(&a, &root, stacks[0], sizeof stacks[0], function, &b);
    pt_fiber_init(&b, &root, stacks[1], sizeof stacks[1], function, &a);
    pt_fiber_switch(&root, &a);
    pt_fiber_switch(&root, &b);
    EXPECT(pt_fiber_done(&a) && pt_fiber_done(&b));
    pt_fiber_close(&a);
    pt_fiber_close(&b);
}

TEST(vectors_in_registers_survive_a_switch)
{
    both(vectors);
}

TEST(masks_in_registers_survive_a_switch)
{
    both(masks);
}

int main(void)
{
#ifdef __AVX512F__
    puts("# with AVX-512");
#endif
    RUN(vectors_in_registers_survive_a_switch);
    RUN(masks_in_registers_survive_a_switch);
    return native_end();
}
