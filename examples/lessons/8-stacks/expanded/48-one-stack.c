/* expanded/48-one-stack.c - lesson 48, without copied.h: main moves the bytes
 * SPDX-License-Identifier: MIT
 *
 *     Main has its own stack, so it can overwrite the shared one. In copied.h a separate fiber
 *     moves the bytes, so that any coroutine can switch to any other. */
#include <pt/stack/copied.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 10000, AHEAD = 4, RED_ZONE = 128 };

struct walker {
    struct pt_fiber fiber;
    char *away;
    size_t used;
};

static struct pt_fiber root;
static struct walker walkers[MANY];
static char memory[64 << 10];
static char *const top = memory + sizeof memory;
static const int steps[] = {1, 2, 3, 4};
static long sum;

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

/* Save the bytes in use: from the context's sp to the top, and the red zone below sp. */
static void move_out(struct walker *w)
{
    char *low = (char *)w->fiber.context.sp - RED_ZONE;

    w->used = (size_t)(top - low);
    w->away = (char *)malloc(w->used);
    if (!w->away)
        exit(EXIT_FAILURE);
    memcpy(w->away, low, w->used);
}

static void move_in(struct walker *w)
{
    memcpy(top - w->used, w->away, w->used);
    free(w->away);
}

int main(void)
{
    pt_fiber_root(&root);
    for (int i = 0; i < MANY; i++) {
        pt_fiber_init(&walkers[i].fiber, &root, memory, sizeof memory, walker,
                      (void *)(uintptr_t)&steps[i % 4]);
        pt_fiber_switch(&root, &walkers[i].fiber);
        move_out(&walkers[i]);
    }
    printf("all are down, the sum is %ld\n", sum);
    for (int i = MANY; i-- > 0;) {
        if (i >= AHEAD)
            PT_PREFETCH(walkers[i - AHEAD].away); /* and two more lines of the cache */
        move_in(&walkers[i]);
        pt_fiber_switch(&root, &walkers[i].fiber);
    }
    printf("all are up, the sum is %ld\n", sum);
    return EXIT_SUCCESS;
}
