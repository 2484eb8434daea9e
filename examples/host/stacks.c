/* stacks.c - pools of stacks: guarded, packed, and a report when one overflows
 * SPDX-License-Identifier: MIT
 *
 *     stacks [overflow]
 *
 * What to notice:
 *   - A guarded stack has a page below it that faults: an overflow cannot destroy other memory.
 *   - pt_overflow_watch names the stack that has overflowed before the program dies of the signal.
 *   - Packed stacks have no guards: many and small, for bodies whose needs were measured.
 *   - PT_STACKS_MPROTECT is for comparison: guards as they were before Linux 6.13. */
#include <pt/fiber.h>

#include <stdio.h>

static struct pt_fiber root;

static void small(struct pt_fiber *self)
{
    *(int *)self->argument += 1;
}

static int sink(volatile char *above, int levels)
{
    volatile char room[1024];

    room[0] = levels > 0 ? *above : 0;
    return levels > 0 ? sink(room, levels - 1) + room[0] : 0;
}

static void large(struct pt_fiber *self)
{
    volatile char first = 1;

    *(int *)self->argument += sink(&first, 1000); /* a megabyte */
}

/* Run a body on a stack of a pool. */
static int run(int kind, const char *name, pt_fiber_function body)
{
    struct pt_stacks stacks;
    struct pt_fiber fiber;
    int count = 0;
    void *stack;

    pt_stacks_init(&stacks, 32 << 10, kind);
    for (int i = 0; i < 3; i++) { /* the same stack each time */
        stack = pt_stack_take(&stacks, name);
        if (!stack) {
            printf("%s: %s\n", name, stacks.error);
            break;
        }
        pt_fiber_init(&fiber, &root, stack, stacks.bytes, body, &count);
        pt_fiber_switch(&root, &fiber);
        pt_fiber_close(&fiber);
        pt_stack_give(&stacks, stack);
    }
    pt_stacks_close(&stacks);
    printf("%s: %d\n", name, count);
    return count == 3;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (pt_overflow_watch() != PT_OK)
        return 1;
    pt_fiber_root(&root);
    if (argc > 1)
        return run(PT_STACKS_GUARDED, "the deep one", large);
    if (!run(PT_STACKS_PACKED, "packed", small) || !run(PT_STACKS_GUARDED, "guarded", small) ||
        !run(PT_STACKS_MPROTECT, "guarded by mprotect", small))
        return 1;
    pt_overflow_unwatch();
    return 0;
}
