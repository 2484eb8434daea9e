/* A countdown: ready 3 2 hold 1 lift-off. Each call of next_own makes one step. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char said[64];

struct countdown {
    int n;
    bool said_ready;
#ifdef SOLUTION
    bool said_hold;
#else
    /* your fields */
#endif
};

static bool next_own(struct countdown *self)
{
    if (!self->said_ready) {
        self->said_ready = true;
        strcat(said, "ready ");
        return true;
    }
#ifdef SOLUTION
    if (self->n == 1 && !self->said_hold) {
        self->said_hold = true;
        strcat(said, "hold ");
        return true;
    }
#else
    /* your code */
#endif
    if (self->n > 0) {
        sprintf(said + strlen(said), "%d ", self->n--);
        return true;
    }
    strcat(said, "lift-off");
    return false;
}

/* --- the test: leave it as it is --- */

int main(void)
{
    struct countdown rocket = {.n = 3};
    int steps = 1;

    while (next_own(&rocket))
        steps++;
    if (strcmp(said, "ready 3 2 hold 1 lift-off") || steps != 6) {
        printf("FAIL: it said \"%s\" in %d steps, not \"ready 3 2 hold 1 lift-off\" in 6\n", said, steps);
        return 1;
    }
    printf("passed\n");
    return 0;
}
