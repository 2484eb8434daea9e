/* start_full.c - a start fails because the loop or the pool is full, and the program handles that
 * SPDX-License-Identifier: MIT
 * PT_DEBUG stops at starts that are always mistakes, not at this: a server can rely on the code.
 * doc/mistakes.md tells why a start whose code is ignored cannot be found.
 * expect output: ^PT_OK PT_ENOMEM PT_ENOMEM$
 * expect output -DPT_DEBUG=1: ^PT_OK PT_ENOMEM PT_ENOMEM$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
};

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

static struct pt_loop loop, other;
static PT_LOOP_STORAGE(1) room;
static PT_LOOP_STORAGE(4) more;
static PT_TASK(body) one, two;
static PT_POOL(body, 1) pool;

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    pt_loop_init(&other, 0);
    pt_loop_use(&other, &more);
    printf("%s ", pt_status_name(PT_START(&loop, &one, body)));
    printf("%s ", pt_status_name(PT_START(&loop, &two, body)));
    (void)PT_START_FROM(&other, &pool, body);
    printf("%s\n", pt_status_name(PT_START_FROM(&other, &pool, body)));
    return 0;
}
