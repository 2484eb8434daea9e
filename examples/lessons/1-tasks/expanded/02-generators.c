/* expanded/02-generators.c - lesson 02 with its macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_ASYNC       a function with a switch over its label
 *     PT_YIELD       store a label and return an opcode; then the label itself
 *     PT_END         the frame is complete
 *     PT_YIELD_FROM  set up a frame, store it as the operand, return WAIT_COMPLETE: pt_next runs the frame */
#include <pt/pt.h>

#include <stdio.h>

struct collatz {
    struct pt pt;
    unsigned value;
};

static pt_op collatz(struct pt *pt, struct pt_task *task)
{
    struct collatz *self = (struct collatz *)pt; /* its first member */

    (void)task; /* a generator has no task: its caller runs it */
    switch (pt->label) {
    case 0:
        pt->label = 1;
        return (pt_op){PT_OP_YIELD};
    case 1:
        while (self->value != 1) {
            self->value = self->value % 2 ? 3 * self->value + 1 : self->value / 2;
            pt->label = 2;
            return (pt_op){PT_OP_YIELD};
    case 2:; /* inside the loop: a switch can jump there */
        }
    }
    return pt_end_(pt); /* a label without a case; status = result; the opcode DONE */
}

struct guess {
    struct pt pt;
    int low, high, middle, answer;
};

static pt_op guess(struct pt *pt, struct pt_task *task)
{
    struct guess *self = (struct guess *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        do {
            self->middle = (self->low + self->high) / 2;
            pt->label = 1;
            return (pt_op){PT_OP_YIELD};
    case 1:
            if (self->answer > 0)
                self->low = self->middle + 1;
            else
                self->high = self->middle - 1;
        } while (self->answer != 0);
        printf("found\n");
    }
    return pt_end_(pt);
}

struct hanoi {
    struct pt pt;
    int disks, from, to;
    int *move;
};

static pt_op hanoi(struct pt *pt, struct pt_task *task)
{
    struct hanoi *self = (struct hanoi *)pt;

    switch (pt->label) {
    case 0:
        if (self->disks > 1) {
            pt_init_zeroed_(&self[1].pt, hanoi, sizeof self[1]);
            self[1].disks = self->disks - 1;
            self[1].from = self->from;
            self[1].to = 6 - self->from - self->to;
            self[1].move = self->move;
            task->node.link.operand = &self[1].pt; /* where pt_next looks for it */
            pt->label = 1;
            return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1:;
        }
        *self->move = 10 * self->from + self->to;
        pt->label = 2;
        return (pt_op){PT_OP_YIELD};
    case 2:
        if (self->disks > 1) {
            pt_init_zeroed_(&self[1].pt, hanoi, sizeof self[1]);
            self[1].disks = self->disks - 1;
            self[1].from = 6 - self->from - self->to;
            self[1].to = self->to;
            self[1].move = self->move;
            task->node.link.operand = &self[1].pt;
            pt->label = 3;
            return (pt_op){PT_OP_WAIT_COMPLETE};
    case 3:;
        }
    }
    return pt_end_(pt);
}

int main(void)
{
    struct collatz down;
    struct guess game;
    struct hanoi levels[3];
    const int secret = 42;
    int move;
    bool more;

    pt_init_zeroed_(&down.pt, collatz, sizeof down); /* PT_INIT: set the function and label 0, then the fields */
    down.value = 6;
    while (pt_next(&down.pt))
        printf("%u ", down.value);
    printf("and down\n");

    pt_init_zeroed_(&game.pt, guess, sizeof game);
    game.low = 1, game.high = 100;
    for (more = pt_next(&game.pt); more; more = pt_next(&game.pt)) {
        printf("%d? ", game.middle);
        game.answer = secret - game.middle; /* pt_send: set the field, then pt_next */
    }

    pt_init_zeroed_(&levels[0].pt, hanoi, sizeof levels[0]);
    levels[0].disks = 3, levels[0].from = 1, levels[0].to = 3, levels[0].move = &move;
    while (pt_next(&levels[0].pt))
        printf("%d ", move);
    printf("\n");
    return 0;
}
