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
    static const char *const words[] = {"ready ", "3 ", "2 ", "hold ", "1 ", "lift-off"};
    struct countdown rockets[] = {{.n = 3}, {.n = 3}};

    for (int step = 0; step < 6; step++)
        for (int rocket = 0; rocket < 2; rocket++) {
            bool more;

            said[0] = '\0';
            more = next_own(&rockets[rocket]);
            if (strcmp(said, words[step]) || more != (step < 5)) {
                printf("FAIL: rocket %d, step %d: it said \"%s\" and %s, not \"%s\" and %s\n", rocket + 1, step + 1,
                       said, more ? "goes on" : "ended", words[step], step < 5 ? "goes on" : "ended");
                return 1;
            }
        }
    printf("passed\n");
    return 0;
}
