/* good_types.c - every form of storage that a start, an await and a join take; a code that is ignored
 * SPDX-License-Identifier: MIT
 * expect good: */
#include <pt/pt.h>

struct child {
    struct pt pt;
    int n;
};

PT_DECLARE(child);

typedef PT_TASK(child) child_task;

struct pair {
    child_task left, right;
};

struct body {
    struct pt pt;
    struct child frame, *other;
    child_task task, *chosen;
    struct pt_task *joined;
    struct pair pairs[2];
    int i;
};

static PT_TASK(child) several[3];

pt_status start(struct pt_loop *loop, struct pair *pair, child_task *one);

pt_status start(struct pt_loop *loop, struct pair *pair, child_task *one)
{
    if (PT_START(loop, &pair->left, child, .n = 1) != PT_OK)
        return PT_START(loop, several + 1, child, .n = 2);
    return PT_START(loop, one, child);
}

PT_ASYNC(body, self)
{
    PT_INIT(self->other, child, .n = 3);
    PT_WAIT_COMPLETE(self->i ? &self->frame : self->other, child, .n = 4);
    PT_SPAWN(self->chosen, child);
    PT_SPAWN(&self->pairs[self->i].right, child, .n = 5);
    PT_JOIN(self->joined);
    PT_JOIN(self->i ? &self->task.task : &several->task);
    PT_JOIN(&self->pairs[1].right.task);
}
PT_END

/* A cast to void ignores a code. */
static PT_QUEUE(int, 2) whatever;
static PT_RING(int, 2) anything;

void ignores(const int *number);
void ignores(const int *number)
{
    (void)PT_TRY_PUSH(&whatever, number);
    (void)PT_RING_PUT(&anything, number);
}
