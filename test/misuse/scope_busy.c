/* scope_busy.c - a scope is used for a block inside its own block
 * SPDX-License-Identifier: MIT
 * expect output: ^PT_EBUSY$
 * expect trap -DPT_DEBUG=1: PT_WITH_...: the scope is in use */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(2)) {
            PT_PARK();
        }
        printf("not here\n");
    }
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    printf("%s\n", pt_status_name(pt_task_status(&task.task)));
    return 0;
}
