/* 01-generators.c - a function that stops in its middle and goes on later
 * SPDX-License-Identifier: MIT
 *
 * A generator needs no loop and no task: whoever wants the next value calls pt_next, which runs
 * the body to its next PT_YIELD.
 *
 * What to notice:
 *   - What must survive a yield stands in the struct. The value needs no channel: it is a field.
 *   - pt_send sets fields and goes on, so that the two can talk.
 *   - A generator that nobody wants any more is closed: its PT_FINALLY runs. It runs as well
 *     when the body comes to its end, so that it stands in one place. */
#include <pt/pt.h>

#include <stdio.h>

/* Halve what is even, triple what is odd and add one: does it always come down to 1? */
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

/* Find a number by asking. */
struct guess {
    struct pt pt;
    int low, high; /* it lies between these */
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
