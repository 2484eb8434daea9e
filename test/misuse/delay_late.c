/* delay_late.c - a delay computed from a time that has passed: it is negative
 * SPDX-License-Identifier: MIT
 * expect output -DPT_MISUSE=PT_WAIT(self->next-PT_NOW()): ^PT_ERANGE$
 * expect trap -DPT_DEBUG=1 -DPT_MISUSE=PT_WAIT(self->next-PT_NOW()): body_pt_: PT_WAIT with a negative delay: .*use PT_WAIT_DEADLINE .line 32
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 -DPT_MISUSE=PT_WAIT(self->next-PT_NOW()): use PT_WAIT_DEADLINE
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=32 -DPT_MISUSE=PT_WAIT((int)(self->next-PT_NOW())): use PT_WAIT_DEADLINE
 * expect trap -DPT_DEBUG=1 -DPT_MISUSE=PT_WITH_TIMEOUT(&self->limit,self->next-PT_NOW()){}: body_pt_: PT_WITH_TIMEOUT .*use PT_WITH_DEADLINE .line 32
 * expect trap -DPT_DEBUG=1 -DPT_MISUSE=PT_REARM(&self->limit,self->next-PT_NOW()): body_pt_: PT_REARM .*use 0 .line 32
 * expect trap -DPT_DEBUG=1 -DPT_MISUSE=PT_SELECT(&self->choice,PT_CASE_AFTER(self->next-PT_NOW())): body_pt_: PT_CASE_AFTER .*use PT_CASE_UNTIL .line 32
 * expect trap -DPT_DEBUG=1 -DPT_MISUSE=PT_PARK_FOR(self->next-PT_NOW()): body_pt_: PT_PARK_FOR .*use PT_PARK_DEADLINE .line 32
 * expect output -DPT_DEBUG=1 -DPT_MISUSE=PT_WAIT_DEADLINE(self->next): ^PT_OK$
 * expect output -DPT_DEBUG=1 -DPT_MISUSE=PT_PARK_DEADLINE(self->next): ^PT_OK$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
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
        PT_MISUSE;
    }
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    for (pt_time now = 0; now < PT_MS(20); now += PT_MS(2))
        pt_loop_turn(&loop, now);
    printf("%s\n", pt_status_name(pt_task_status(&task.task)));
    return 0;
}
