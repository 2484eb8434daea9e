/* 65-panic.c - a program that goes on after a panic: a test, a shell, a host of plugins
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - PT_PANIC is called where no code can report a mistake. Define it before you include pt. It
 *     must not return; here it jumps out of the body, and of its stack.
 *   - The frame that panicked is lost: do not resume it. Its cleanup does not run.
 *   - A longjmp off a stack is no switch. Two calls tell AddressSanitizer; without it they cost
 *     nothing. (ThreadSanitizer does not allow such a jump.) */
#include <setjmp.h>

static jmp_buf escape;
static const char *complaint;
#define PT_PANIC(what, where, line) \
    (complaint = (what), (void)(where), (void)(line), longjmp(escape, 1))

#include <pt/native.h>
#include <stdio.h>

static pt_status good(struct pt_native *self)
{
    return pt_native_yield(self);
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

int main(void)
{
    static pt_native_function *const plugins[] = {good, bad, good};

    for (int i = 0; i < 3; i++)
        if (run(plugins[i]))
            printf("plugin %d is done\n", i);
        else
            printf("plugin %d: %s\n", i, complaint);
    return 0;
}
