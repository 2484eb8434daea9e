/* expanded/65-panic.c - lesson 65 with the operations of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_yield    switch to the caller with the opcode YIELD
 *     pt_landing_mark    nothing, without AddressSanitizer */
#include <setjmp.h>

static jmp_buf escape;
static const char *complaint;
#define PT_PANIC(what, where, line) \
    (complaint = (what), (void)(where), (void)(line), longjmp(escape, 1))

#include <pt/native.h>
#include <stdio.h>

static pt_status good(struct pt_native *self)
{
    return pt_native_suspend_(self, PT_OP_YIELD);
}

/* Opens a block; but a generator has no loop that could end it. */
static pt_status bad(struct pt_native *self)
{
    struct pt_local local;

    return pt_native_bind(self, &local, &complaint, NULL);
}

/* Whether a plugin runs to its end. */
static bool run(pt_native_function *plugin)
{
    static char stack[32 << 10];
    static struct pt_native generator;
    struct pt_landing landing;

    PT_INIT(&generator, pt_native, .function = plugin, .stack = stack, .bytes = sizeof stack);
    pt_landing_mark(&landing);
    if (setjmp(escape)) {
        pt_landing_reached(&landing);
        return false;
    }
    while (pt_next(&generator.pt)) {
    }
    return true;
}
