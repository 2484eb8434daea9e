/* awaits.c - a function that awaits itself, with a local that has the name of a field; it stops in stopped_here()
 * SPDX-License-Identifier: MIT
 *
 *     awaits                in two tasks, one behind the other
 *     awaits recurses       behind 100 calls
 *     awaits nests          in a task of a loop that another task runs */
#include <pt/posix.h>

#include <stdio.h>
#include <string.h>

static struct pt_loop outer, inner;
static const char *how = "";

struct walk {
    struct pt pt;
    int who, depth, goal;
    struct walk *next;
};

static struct walk frames[16];
static int used;
static PT_TASK(walk) first, second;

void stopped_here(void);

__attribute__((noinline)) void stopped_here(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static int recurse(int left)
{
    volatile int here = left;

    if (left)
        return recurse(left - 1) + here;
    stopped_here();
    return 0;
}

PT_ASYNC(walk, self)
{
    int depth;

    depth = self->depth;
    if (depth < self->goal) {
        self->next = &frames[used++];
        PT_WAIT_COMPLETE(self->next, walk, .who = self->who, .depth = depth + 1,
                         .goal = self->goal);
        depth = self->depth;
        printf("%d\n", depth);
    } else {
        PT_YIELD();
        if (!strcmp(how, "nests") && self->who == 1)
            (void)pt_loop_turn(&inner, 0);
        (void)recurse(strcmp(how, "recurses") ? 0 : 100);
        PT_YIELD();
    }
}
PT_END

int main(int count, char **arguments)
{
    how = count > 1 ? arguments[1] : "";
    pt_loop_open(&outer, &pt_posix);
    pt_loop_open(&inner, &pt_posix);
    (void)!PT_START(&outer, &first, walk, .who = 1, .depth = 1, .goal = 4);
    (void)!PT_START(strcmp(how, "nests") ? &outer : &inner, &second, walk, .who = 2, .depth = 1,
                    .goal = 2);
    (void)pt_loop_run(&outer);
}
