/* 58-stack-size.c - how many bytes of a stack were ever in use
 * SPDX-License-Identifier: MIT
 *
 * How large must a stack be? Run the task and measure.
 *
 *     pt_stack_used  the most bytes of a stack that were ever in use
 *
 * What to notice:
 *   - pt_stack_used looks for the lowest byte that is not zero. So the stack must be zero before
 *     its first use, as static memory is; clear it between two measurements.
 *   - It measures what has happened, not what can happen: run the worst case, then add a reserve.
 *   - The stacks of the other lessons have 32 KB because printf needs some. Without printf, a body
 *     needs a few hundred bytes.
 *
 * Try: let deep go down 60 levels, and build it with -O0 and with -O2. Is the reserve still more
 * than half? */
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
    status = levels ? go_down(self, levels - 1) : pt_native_yield(self);
    return room[levels] == (char)levels ? status : (pt_status)PT_EINVAL;
}

static pt_status quiet(struct pt_native *self)
{
    return pt_native_yield(self);
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

int main(void)
{
    size_t few = measure(quiet), many = measure(deep);

    printf("a yield: %s\n", few < 4096 ? "less than 4 KB" : "too much");
    printf("20 levels of 256 bytes: %s\n", many - few >= 20 * 256 ? "5 KB more" : "less?");
    printf("the reserve: %s\n", many < BYTES / 2 ? "more than half" : "too small");
    return 0;
}
