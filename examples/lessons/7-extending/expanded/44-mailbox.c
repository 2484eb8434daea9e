/* expanded/44-mailbox.c - the bodies of lesson 44, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The queues are functions: nothing to expand. `node` can be a local variable of the body,
 *     because it does not have to survive a suspension. */

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
