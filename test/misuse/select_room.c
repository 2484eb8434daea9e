/* select_room.c - a select has more cases than its selection has room for
 * SPDX-License-Identifier: MIT
 * expect error: pt_selection_has_too_few_cases_ */
#include <pt/pt.h>

static struct pt_event stop;
static PT_CHANNEL(int) channel;

struct body {
    struct pt pt;
    int n;
    PT_SELECTION(1) next;
};

PT_ASYNC(body, self)
{
    PT_SELECT(&self->next, PT_CASE_RECV(&channel, &self->n), PT_CASE_EVENT(&stop));
}
PT_END
