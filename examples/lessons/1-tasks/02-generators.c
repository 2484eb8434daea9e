/* 02-generators.c - a coroutine that gives values, one at a time
 * SPDX-License-Identifier: MIT
 *
 * A coroutine of this kind is a generator: it needs no loop. Its caller asks for the next value.
 *
 *     PT_YIELD          stop here; the next call continues after it
 *     PT_INIT           set up a frame: the coroutine is at its start, and has these fields; the
 *                       others are zero
 *     pt_next           run it up to its next PT_YIELD; false if it has ended instead
 *     pt_send           the same, but set fields first
 *     PT_YIELD_FROM     set up another frame, and yield all that its coroutine yields
 *
 * What to notice:
 *   - What must survive a yield is a field of the struct, not a local variable.
 *   - The caller reads the value from that field: a generator needs no channel.
 *   - pt_send carries an answer into the generator: guess asks, and main answers.
 *   - hanoi yields from itself. Each level has a frame of its own, and all write to the same move.
 *     pt_next resumes the innermost frame directly: a move costs the same at every depth.
 *
 * Try: call pt_next for two frames of collatz in turn, with different values. Neither disturbs the
 * other. */
#include <pt/pt.h>

#include <stdio.h>

/* Halve an even number; triple an odd one and add 1. Does this always reach 1? */
struct collatz {
    struct pt pt;
    unsigned value;
};

PT_ASYNC(collatz, self)
{
    PT_YIELD();
    while (self->value != 1) {
        self->value = self->value % 2 ? 3 * self->value + 1 : self->value / 2;
        PT_YIELD();
    }
}
PT_END

/* Guess a number by asking questions. */
struct guess {
    struct pt pt;
    int low, high; /* the number is in this range */
    int middle;    /* out: the question */
    int answer;    /* in: above 0 for "more", below 0 for "less", 0 for "yes" */
};

PT_ASYNC(guess, self)
{
    do {
        self->middle = (self->low + self->high) / 2;
        PT_YIELD();
        if (self->answer > 0)
            self->low = self->middle + 1;
        else
            self->high = self->middle - 1;
    } while (self->answer != 0);
    printf("found\n");
}
PT_END

/* Move a pile of disks to another pole, one at a time, and never put a larger one on a smaller one. */
struct hanoi {
    struct pt pt;
    int disks, from, to; /* the poles have the numbers 1, 2, 3 */
    int *move;           /* out: from and to, as two digits */
};

PT_ASYNC(hanoi, self)
{
    if (self->disks > 1)
        PT_YIELD_FROM(self + 1, hanoi, .disks = self->disks - 1, .from = self->from,
                      .to = 6 - self->from - self->to, .move = self->move);
    *self->move = 10 * self->from + self->to;
    PT_YIELD();
    if (self->disks > 1)
        PT_YIELD_FROM(self + 1, hanoi, .disks = self->disks - 1, .from = 6 - self->from - self->to,
                      .to = self->to, .move = self->move);
}
PT_END

int main(void)
{
    struct collatz down;
    struct guess game;
    struct hanoi levels[3]; /* a frame for each disk */
    const int secret = 42;
    int move;
    bool more;

    PT_INIT(&down, collatz, .value = 6);
    while (pt_next(&down.pt))
        printf("%u ", down.value);
    printf("and down\n");

    PT_INIT(&game, guess, .low = 1, .high = 100);
    for (more = pt_next(&game.pt); more; more = pt_send(&game, .answer = secret - game.middle))
        printf("%d? ", game.middle);

    PT_INIT(&levels[0], hanoi, .disks = 3, .from = 1, .to = 3, .move = &move);
    while (pt_next(&levels[0].pt))
        printf("%d ", move);
    printf("\n");
    return 0;
}
