/* 01-generators.c - a function that stops in the middle and continues later
 * SPDX-License-Identifier: MIT
 *
 * A generator needs no loop and no task. The caller asks for the next value with pt_next, which
 * runs the body up to its next PT_YIELD.
 *
 * What to notice:
 *   - What must survive a yield is a field of the struct, not a local variable.
 *   - The caller reads the value from that field: a generator needs no channel.
 *   - pt_send sets fields and then continues the body, so that caller and generator can talk.
 *   - pt_close ends a generator that is no longer needed: its PT_FINALLY part runs.
 *   - That part also runs when the body reaches its end, so the cleanup is written once. */
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
    printf("found, ");
    PT_FINALLY
    printf("and the guesser goes home\n");
}
PT_END

int main(void)
{
    struct collatz down;
    struct guess game;
    const int secret = 42;
    bool more;

    PT_INIT(&down, collatz, .value = 6);
    while (pt_next(&down.pt))
        printf("%u ", down.value);
    printf("and down\n");

    PT_INIT(&game, guess, .low = 1, .high = 100);
    for (more = pt_next(&game.pt); more; more = pt_send(&game, .answer = secret - game.middle))
        printf("%d? ", game.middle);

    PT_INIT(&game, guess, .low = 1, .high = 100);
    pt_next(&game.pt);
    printf("%d? no more of this, ", game.middle);
    printf("%s\n", pt_status_text(pt_close(&game.pt)));
    return 0;
}
