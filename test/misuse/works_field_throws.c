/* works_field_throws.c - a field's value throws: no task starts, and storage that was taken for it is given back
 * SPDX-License-Identifier: MIT
 * expect output c++: each was gone once, freed; the pool has 0 of 2
 * expect output c++ -DPT_DEBUG=1: each was gone once, freed; the pool has 0 of 2
 * expect output c++ -DPT_AWAIT=0 -DPT_INSPECT=0: each was gone once, freed; the pool has 0 of 2 */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>
#if PT_AWAIT
#include <pt/native.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus

static int made, gone, ended, blocks, thrown;

/* A member that is constructed and destroyed. */
struct name {
    int length;

    name() : length(0)
    {
        made++;
    }
    ~name()
    {
        gone++;
    }
};

struct plain {
    struct pt pt;
    int number;
};

struct constructed {
    struct pt pt;
    struct name name;
    int number;
};

static PT_ASYNC(plain, self)
{
    PT_YIELD();
    ended += self->number;
}
PT_END

static PT_ASYNC(constructed, self)
{
    PT_YIELD();
    ended += self->number;
}
PT_END

static PT_POOL(plain, 2) pool;

static int bad(void)
{
    throw thrown++;
}

/* Counted memory. */
static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    blocks += !block - !bytes;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

static const struct pt_port world = {pt_posix_now_, pt_posix_idle_, resize, NULL, NULL, NULL, 0, false};

/* Each attempt throws, if it is made. */
static void attempt(struct pt_loop *loop, int way)
{
    static PT_TASK(plain) task;

    if (way == 0 && PT_START(loop, &task, plain, .number = bad()) == PT_OK)
        ended = -1;
    if (way == 1 && PT_START_FROM(loop, &pool, plain, .number = bad()) == PT_OK)
        ended = -1;
    if (way == 2 && PT_START_NEW(loop, plain, .number = bad()) == PT_OK)
        ended = -1;
    if (way == 3 && PT_START_NEW(loop, constructed, .number = bad()) == PT_OK)
        ended = -1;
}

#if PT_AWAIT
/* The same on a stack. */
static pt_status on_a_stack(struct pt_native *self)
{
    for (int i = 0; i < 6; i++)
        try {
            if (i % 2)
                (void)pt_native_spawn_when_free(self, &pool, plain, .number = bad());
            else
                (void)pt_native_spawn_new(self, constructed, .number = bad());
            ended = -1;
        } catch (int) {
        }
    return PT_OK;
}
#endif

int main(void)
{
    struct pt_loop loop;
    int before, ways = 4;

    pt_loop_open(&loop, &world);
#if PT_AWAIT
    static PT_TASK(pt_native) native;
    static char stack[64 << 10];

    ways = 6;
    if (PT_START(&loop, &native, pt_native, .function = on_a_stack, .stack = stack,
                 .bytes = sizeof stack))
        return 1;
    pt_loop_run(&loop);
#endif
    if (PT_START_FROM(&loop, &pool, plain, .number = 0)) /* now the loop has room, which it keeps */
        return 1;
    pt_loop_run(&loop);
    before = blocks;
    for (int i = 0; i < 12; i++)
        try {
            attempt(&loop, i % 4);
        } catch (int) {
        }
    pt_loop_run(&loop);
    if (thrown != 3 * ways || ended || pt_loop_live(&loop))
        return 1;
    printf("each was %s, %s; ", made == gone && made ? "gone once" : "not destroyed",
           blocks > before ? "leaks" : "freed");
    printf("the pool has %u of 2\n", pool.pool.used);
    for (int i = 0; i < 2; i++)
        if (PT_START_FROM(&loop, &pool, plain, .number = 1) ||
            PT_START_NEW(&loop, constructed, .number = 1))
            return 1;
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return ended != 4 || pool.pool.used || made != gone || blocks;
}

#endif
