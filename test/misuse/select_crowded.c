/* select_crowded.c - a block adds more cases than its selection has room for
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1 MORE: PT_SELECT_FROM: more cases than the selection has room for
 * expect trap -DPT_DEBUG=1 NONE: PT_SELECT: no case can ever come true
 * expect output -DPT_DEBUG=1 FULL: ^2 PT_OK$
 * expect output MORE: ^255 PT_ERANGE$ */
#include <pt/pt.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_event events[9];

struct body {
    struct pt pt;
    PT_SELECTION(3) choice;
};

PT_ASYNC(body, self)
{
    PT_SELECT_FROM(&self->choice) {
        for (int i = 0; i < (CHOSEN(NONE) ? 0 : CHOSEN(MORE) ? 9 : 3); i++)
            PT_CASE_EVENT(&events[i]);
    }
    printf("%d %s\n", PT_SELECTED(&self->choice), pt_status_name(self->pt.status));
}
PT_END

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

int main(int argc, char **argv)
{
    choose(argc, argv);
    pt_event_set(&events[2]);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    return 0;
}
