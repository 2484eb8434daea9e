/* expanded/44-mailbox.c - lesson 44 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The queues are functions: nothing to expand. `node` can be a local variable of the body,
 *     because it does not have to survive a suspension. */
#include <pt/posix.h>

#include <stdio.h>

struct letter {
    struct pt_node node; /* first member: its address is the letter's */
    const char *text;
};

static struct letter letters[4];
static struct pt_list paper, desk;
static struct pt_fifo mailbox;

struct clerk {
    struct pt pt;
    int days;
};

static pt_op PT_FN(clerk)(struct pt *pt, struct pt_task *task)
{
    struct clerk *self = (struct clerk *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (; self->days > 0; self->days--) {
            while (pt_fifo_empty(&mailbox)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            printf("letters: %u\n", (unsigned)pt_fifo_count(&mailbox));
            for (struct pt_node *node = pt_fifo_take_all(&mailbox), *next; node; node = next) {
                next = node->link.next; /* the desk overwrites the link */
                pt_list_add_sorted(&desk, node);
            }
            for (; desk.first; pt_list_push(&paper, pt_list_pop(&desk)))
                printf("    %s\n", ((struct letter *)(void *)desk.first)->text);
        }
    }
    return pt_end_(pt);
}

static PT_TASK(clerk) clerk_task;

static void post(pt_time urgency, const char *text)
{
    struct letter *letter = paper.first ? (struct letter *)(void *)pt_list_pop(&paper) : NULL;

    if (!letter) {
        printf("no paper for %s\n", text);
        return;
    }
    letter->text = text;
    letter->node.at = urgency;
    pt_fifo_push(&mailbox, &letter->node);
    pt_wake(&clerk_task.task);
}
