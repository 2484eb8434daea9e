/* 65-panic.c - a program that continues after a panic
 * SPDX-License-Identifier: MIT
 *
 * A host runs plugins. One of them makes a mistake, and the host runs the next one.
 *
 *     PT_PANIC            what pt calls where no code can report a mistake; define it before you
 *                         include pt
 *     struct pt_landing   a place to which a longjmp goes
 *     pt_landing_mark     call it before the setjmp
 *     pt_landing_reached  call it when that setjmp returns by the longjmp
 *
 * What to notice:
 *   - PT_PANIC must not return. Here it jumps out of the body, and off its stack.
 *   - The frame that panicked is lost: do not resume it. Its cleanup does not run.
 *   - A longjmp off a stack is no switch, so AddressSanitizer must be told: that is what the two
 *     calls are for. Without it they cost nothing. (ThreadSanitizer does not allow such a jump.)
 *
 * Try: let the bad plugin yield before it binds. Does the third plugin still run? */
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
