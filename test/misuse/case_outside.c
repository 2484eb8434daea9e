/* case_outside.c - a case of a select without its select
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=PT_CASE_EVENT(&event): pt_case_outside_PT_SELECT
 * expect error -DPT_MISUSE=PT_CASE_RECV(&channel,&self->number): pt_case_outside_PT_SELECT
 * expect error -DPT_MISUSE=PT_CASE_AFTER(PT_SEC(1)): pt_case_outside_PT_SELECT
 * expect error -DPT_MISUSE=PT_CASE_JOIN(&task): pt_case_outside_PT_SELECT
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    PT_SELECTION(3) next;
    int number;
};

static struct pt_event event;
static PT_CHANNEL(int) channel;
static struct pt_task task;

PT_ASYNC(body, self)
{
    PT_SELECT(&self->next, PT_CASE_EVENT(&event), PT_CASE_RECV(&channel, &self->number),
              PT_CASE_JOIN(&task));
    if (self->number)
        PT_SELECT_NOW(&self->next, PT_CASE_AFTER(PT_SEC(1)));
    else
        PT_SELECT(&self->next, PT_CASE_UNTIL(PT_NOW()));
    PT_MISUSE;
}
PT_END
