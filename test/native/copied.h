/* copied.h - for the tests of fibers that share a stack: two such fibers, and counted memory
 * SPDX-License-Identifier: MIT */
#ifndef PT_NATIVE_TEST_COPIED_H
#define PT_NATIVE_TEST_COPIED_H

#include "native.h"

#include <pt/stack/copied.h>

#include <stdlib.h>

/* --- counted memory --- */

static struct {
    long blocks, calls,
        bytes;      /* blocks allocated, calls that allocate, bytes requested by the last call */
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

static inline void begin(pt_fiber_function of_a, pt_fiber_function of_b)
{
    open();
    pt_copied_init(&a, &stack, &root, of_a, &b);
    pt_copied_init(&b, &stack, &root, of_b, &a);
}

static inline void end(void)
{
    pt_copied_close(&a);
    pt_copied_close(&b);
    close();
}

static void go(struct pt_fiber *from, struct pt_copied *to)
{
    EXPECT(pt_copied_switch(from, to) == PT_OK);
}

static void come_back(struct pt_fiber *self)
{
    for (int i = 0; i < 3; i++) {
        trace("%c%d ", self == &a.fiber ? 'a' : 'b', i);
        pt_fiber_switch(self, &root);
    }
}

#endif
