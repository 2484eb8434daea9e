/* 44-mailbox.c - your own queues: mail for a clerk, without any allocation
 * SPDX-License-Identifier: MIT
 *
 * A clerk sorts letters. The letters are in queues of pt, without any allocation.
 *
 *     struct pt_node      the first member of a letter (lesson 35): in one queue at a time
 *     struct pt_fifo      first in, first out, like the mailbox: pt_fifo_take_all empties it,
 *                         pt_fifo_count counts
 *     struct pt_list      a list: pt_list_init, pt_list_push, pt_list_pop, pt_list_remove
 *     pt_list_add_sorted  add a node in the order of node.at, a time or any number
 *
 * What to notice:
 *   - Queuing a node takes no memory and cannot fail. Only the paper is limited: a list of unused
 *     letters.
 *   - Whatever fills a queue wakes the task that waits for it, and that task looks again.
 *
 * Try: give the bill the urgency 2. Does it come before the greetings, or after them? */
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

PT_ASYNC(clerk, self)
{
    for (; self->days > 0; self->days--) {
        while (pt_fifo_empty(&mailbox))
            PT_PARK();
        printf("letters: %u\n", (unsigned)pt_fifo_count(&mailbox));
        for (struct pt_node *node = pt_fifo_take_all(&mailbox), *next; node; node = next) {
            next = node->link.next; /* the desk overwrites the link */
            pt_list_add_sorted(&desk, node);
        }
        for (; desk.first; pt_list_push(&paper, pt_list_pop(&desk)))
            printf("    %s\n", ((struct letter *)(void *)desk.first)->text);
    }
}
PT_END

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

int main(void)
{
    struct pt_loop loop;

    pt_fifo_init(&mailbox);
    pt_list_init(&paper);
    pt_list_init(&desk);
    for (int i = 0; i < 4; i++)
        pt_list_push(&paper, &letters[i].node);
    pt_list_remove(&paper, &letters[2].node); /* torn */
    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &clerk_task, clerk, .days = 2);
    post(2, "greetings");
    post(1, "a bill");
    post(1, "a reminder");
    post(1, "a summons");
    pt_loop_run(&loop); /* until the clerk waits and nothing can wake it: PT_EDEADLK */
    post(2, "thanks");
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
