/* native_copied.c - the bench of native stacks: fibers that share one stack
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <pt/stack/copied.h>

#include <malloc.h>
#include <stdlib.h>

enum { COPIED_AHEAD = 32, SHARED_STACK = PT_COPIED_MOVER + (64 << 10) };

struct copied_robin {
    struct pt_fiber root;
    struct pt_copied_stack stack;
    struct pt_copied *fibers, *next, *end;
};

static struct copied_robin *sharing;

static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

/* With its two words and the frames around it, each fiber moves some 100 bytes. */
static void go_round_sharing(struct pt_fiber *self)
{
    volatile unsigned long own[2] = {0};

    (void)self;
    for (;; own[0]++) {
        struct pt_copied *next = sharing->next++;

        PT_PREFETCH(&next[2 * COPIED_AHEAD]);
        PT_PREFETCH(&next[2 * COPIED_AHEAD].away);
        pt_copied_prefetch(&next[COPIED_AHEAD]);
        if (next == sharing->end)
            pt_fiber_switch(&next[-1].fiber, &sharing->root);
        else if (pt_copied_switch(&next[-1].fiber, next))
            abort();
    }
}

/* All fibers have begun, and all but the last are moved off the stack. */
static struct copied_robin *sharing_open(unsigned long n)
{
    struct copied_robin *robin = bench_memory(sizeof *robin);

    robin->fibers = bench_memory((n + 2 * COPIED_AHEAD) * sizeof *robin->fibers);
    robin->end = robin->fibers + n;
    pt_fiber_root(&robin->root);
    pt_copied_stack_init(&robin->stack, bench_memory(SHARED_STACK), SHARED_STACK, resize, NULL);
    for (unsigned long i = 0; i < n; i++)
        pt_copied_init(&robin->fibers[i], &robin->stack, &robin->root, go_round_sharing, NULL);
    return robin;
}

static void sharing_round(struct copied_robin *robin)
{
    sharing = robin;
    robin->next = robin->fibers + 1;
    if (pt_copied_switch(&robin->root, robin->fibers))
        abort();
}

double native_rr_copied(unsigned long n, void **state)
{
    unsigned long rounds = NATIVE_STEPS / n;
    double start;

    if (!*state)
        sharing_round(*state = sharing_open(n));
    start = native_begin();
    for (unsigned long i = 0; i < rounds; i++)
        sharing_round(*state);
    return (bench_now() - start) / (double)(rounds * n);
}

/* The bytes of a fiber, and of the memory from malloc for its saved bytes. */
double native_bytes_copied(unsigned long n, void **state)
{
    struct copied_robin *robin;
    double before, bytes;

    robin = *state = sharing_open(n);
    before = native_resident();
    sharing_round(robin);
    bytes = native_resident() - before;
    for (unsigned long i = 0; i < n; i++)
        pt_copied_close(&robin->fibers[i]);
    free(robin->fibers);
    malloc_trim(0);
    return bytes / (double)n + sizeof(struct pt_copied);
}
