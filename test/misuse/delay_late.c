/* delay_late.c - a delay computed from a time that has passed: it is negative
 * SPDX-License-Identifier: MIT
 * expect output WAIT: ^PT_ERANGE$
 * expect trap -DPT_DEBUG=1 WAIT: body_pt_: PT_WAIT with a negative delay: .*use PT_WAIT_DEADLINE .line 34
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 WAIT: use PT_WAIT_DEADLINE
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=32 INT: use PT_WAIT_DEADLINE
 * expect trap -DPT_DEBUG=1 TIMEOUT: body_pt_: PT_WITH_TIMEOUT .*use PT_WITH_DEADLINE .line 38
 * expect trap -DPT_DEBUG=1 REARM: body_pt_: PT_REARM .*use 0 .line 41
 * expect trap -DPT_DEBUG=1 SELECT: body_pt_: PT_CASE_AFTER .*use PT_CASE_UNTIL .line 43
 * expect trap -DPT_DEBUG=1 PARK: body_pt_: PT_PARK_FOR .*use PT_PARK_DEADLINE .line 45
 * expect output -DPT_DEBUG=1 WAIT_DEADLINE: ^PT_OK$
 * expect output -DPT_DEBUG=1 PARK_DEADLINE: ^PT_OK$ */
#include <pt/pt.h>
#include <stdio.h>
#include "chosen.h"

struct body {
    struct pt pt;
    struct pt_scope limit, within;
    PT_SELECTION(1) choice;
    pt_time next;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    self->next = PT_NOW() + PT_MS(10);
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
        PT_WAIT(PT_MS(12)); /* work that took too long */
        if (CHOSEN(WAIT)) {
            PT_WAIT(self->next - PT_NOW());
        } else if (CHOSEN(INT)) {
            PT_WAIT((int)(self->next - PT_NOW()));
        } else if (CHOSEN(TIMEOUT)) {
            PT_WITH_TIMEOUT(&self->within, self->next - PT_NOW()) {
            }
        } else if (CHOSEN(REARM)) {
            PT_REARM(&self->limit, self->next - PT_NOW());
        } else if (CHOSEN(SELECT)) {
            PT_SELECT(&self->choice, PT_CASE_AFTER(self->next - PT_NOW()));
        } else if (CHOSEN(PARK)) {
            PT_PARK_FOR(self->next - PT_NOW());
        } else if (CHOSEN(WAIT_DEADLINE)) {
            PT_WAIT_DEADLINE(self->next);
        } else if (CHOSEN(PARK_DEADLINE)) {
            PT_PARK_DEADLINE(self->next);
        }
    }
}
PT_END

int main(int argc, char **argv)
{
    choose(argc, argv);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    for (pt_time now = 0; now < PT_MS(20); now += PT_MS(2))
        pt_loop_turn(&loop, now);
    printf("%s\n", pt_status_name(pt_task_status(&task.task)));
    return 0;
}
