/* block_goto_in.c - goto leads into a block that may time out
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: body_pt_: a block was left, or entered, by goto */
#include <pt/pt.h>

struct body {
    struct pt pt;
    bool inside;
    struct pt_scope limit;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    if (!self->inside)
        goto in;
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
    in:
        PT_YIELD();
    }
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    pt_loop_turn(&loop, 0);
    return 0;
}
