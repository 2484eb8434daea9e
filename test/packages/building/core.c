/* core.c - a program of the headers alone: two tasks and a clock that jumps
 * SPDX-License-Identifier: MIT */
#include <pt/pt.h>

struct hop {
    struct pt pt;
    int *hops;
    int count;
};

static PT_ASYNC(hop, self)
{
    for (; self->count > 0; self->count--) {
        PT_WAIT(PT_SEC(1));
        ++*self->hops;
    }
}
PT_END

int main(void)
{
    static PT_LOOP_STORAGE(2) storage;
    static PT_TASK(hop) one, two;
    static struct pt_loop loop;
    pt_time now = 0;
    int hops = 0;

    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &one, hop, .hops = &hops, .count = 3);
    PT_START(&loop, &two, hop, .hops = &hops, .count = 2);
    while (now <= PT_SEC(3))
        now = pt_loop_turn(&loop, now);
    return hops != 5;
}
