/* 46-symmetric.c - coroutines on their own stacks: any switches to any other, without a loop
 * SPDX-License-Identifier: MIT
 *
 * A fiber is a coroutine with its own stack, and nothing else.
 *
 *     struct pt_fiber  a coroutine with a stack of its own: pt_fiber_init, pt_fiber_close
 *     pt_fiber_root    makes a fiber of the code that runs now, so that others can switch back to
 *                      it
 *     pt_fiber_switch  stop this fiber and continue another one
 *     pt_fiber_done    whether its function has returned
 *
 * What to notice:
 *   - A body is an ordinary function. Its locals survive a switch, and it can switch from inside a
 *     function that it calls.
 *   - There is no scheduler: a switch names the next fiber, and the caller stops until another
 *     fiber names it.
 *   - A fiber that ends switches to its parent. Here think_1 ends first, so main continues, while
 *     think_2 stays at its last switch forever: its stack is simply not used again.
 *
 * Try: switch to t2 once more, before the printf. What does the printf say about t2? */
#include <pt/fiber.h>

#include <stdio.h>

static struct pt_fiber root, t1, t2;
static char stack_1[16 << 10], stack_2[16 << 10];

static void say(struct pt_fiber *self, const char *text, struct pt_fiber *next)
{
    puts(text);
    if (next)
        pt_fiber_switch(self, next); /* stops and continues here */
}

static void think_1(struct pt_fiber *self)
{
    say(self, "A 1", &t2);
    say(self, "A 2", NULL);
}

static void think_2(struct pt_fiber *self)
{
    say(self, "B 1", &t1);
    say(self, "B 2", &t1);
}

int main(void)
{
    pt_fiber_root(&root); /* main itself, so that a fiber can switch back to it */
    pt_fiber_init(&t1, &root, stack_1, sizeof stack_1, think_1, NULL);
    pt_fiber_init(&t2, &root, stack_2, sizeof stack_2, think_2, NULL);
    pt_fiber_switch(&root, &t2);

    printf("t1 is %s, t2 is %s\n", pt_fiber_done(&t1) ? "done" : "left",
           pt_fiber_done(&t2) ? "done" : "left");
    pt_fiber_close(&t1);
    pt_fiber_close(&t2);
    return 0;
}
