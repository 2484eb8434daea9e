/* expanded/58-stack-size.c - lesson 58 with its operation expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_yield    switch to the loop with the opcode YIELD */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>
#include <string.h>

enum { BYTES = 64 << 10 };

static char stack[BYTES];

static pt_status go_down(struct pt_native *self, int levels)
{
    volatile char room[256];
    pt_status status;

    room[levels] = (char)levels;
    status = levels ? go_down(self, levels - 1) : pt_native_suspend_(self, PT_OP_YIELD);
    return room[levels] == (char)levels ? status : (pt_status)PT_EINVAL;
}

static pt_status quiet(struct pt_native *self)
{
    return pt_native_suspend_(self, PT_OP_YIELD);
}

static pt_status deep(struct pt_native *self)
{
    return go_down(self, 20);
}

/* Run a body to its end; the bytes that it used. */
static size_t measure(pt_native_function *body)
{
    static PT_TASK(pt_native) task;
    struct pt_loop loop;

    memset(stack, 0, sizeof stack);
    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &task, pt_native, .function = body, .stack = stack, .bytes = BYTES);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return pt_stack_used(stack, sizeof stack);
}
