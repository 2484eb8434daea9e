/* 48-one-stack.c - 10,000 coroutines share one stack: while one runs, the others' bytes are saved
 * SPDX-License-Identifier: MIT
 *
 * 10,000 stacks would take much memory. These coroutines share one.
 *
 *     struct pt_copied_stack  a stack that many coroutines share: pt_copied_stack_init,
 *                             pt_copied_stack_close
 *     struct pt_copied        one of them: pt_copied_init, pt_copied_close
 *     pt_copied_switch        continue one of them; not 0: there was no memory, and nothing has
 *                             moved
 *     PT_COPIED_MOVER         the bytes of the stack that pt needs to move the others
 *
 * What to notice:
 *   - The stack is large enough for one coroutine. For each of the others, the bytes it has in use
 *     are saved in the heap: a few hundred here, and no page of its own.
 *   - A body is an ordinary function, and can switch from inside a function that it calls.
 *   - Nothing else may keep the address of a local: the memory belongs to whichever coroutine runs.
 *     Shared data is elsewhere, like the sum here.
 *   - Bytes move only when another coroutine of the same stack is to run.
 *   - A program that knows which of them run soon can prefetch their bytes: pt_copied_prefetch.
 *
 * Try: print the bytes that resize is asked for: how large is a coroutine with one step, and with
 * four? */
#include <pt/stack/copied.h>

#include <stdio.h>
#include <stdlib.h>

enum { MANY = 10000, AHEAD = 4 };

static struct pt_fiber root;
static struct pt_copied_stack stack;
static struct pt_copied walkers[MANY];
static char memory[PT_COPIED_MOVER + (64 << 10)];
static const int steps[] = {1, 2, 3, 4};
static long sum;

static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

/* Go down some steps, stop at the bottom, and add them up on the way back. */
static void walk(struct pt_fiber *self, int left)
{
    if (left == 0) {
        pt_fiber_switch(self, &root);
        return;
    }
    walk(self, left - 1);
    sum += left;
}

static void walker(struct pt_fiber *self)
{
    walk(self, *(const int *)self->argument);
}

int main(void)
{
    pt_fiber_root(&root);
    pt_copied_stack_init(&stack, memory, sizeof memory, resize, NULL);
    for (int i = 0; i < MANY; i++)
        pt_copied_init(&walkers[i], &stack, &root, walker, (void *)&steps[i % 4]);

    for (int i = 0; i < MANY; i++)
        if (pt_copied_switch(&root, &walkers[i]))
            return EXIT_FAILURE;
    printf("all are down, the sum is %ld\n", sum);
    for (int i = MANY; i-- > 0;) {
        if (i >= AHEAD)
            pt_copied_prefetch(&walkers[i - AHEAD]);
        if (pt_copied_switch(&root, &walkers[i]))
            return EXIT_FAILURE;
    }
    printf("all are up, the sum is %ld\n", sum);

    for (int i = 0; i < MANY; i++)
        pt_copied_close(&walkers[i]);
    pt_copied_stack_close(&stack);
    return EXIT_SUCCESS;
}
