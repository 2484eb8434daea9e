/* Two referees at the same time. Each starts its player again whenever it has ended, three times in all. */
#include "pt.h"
#include <stdio.h>
#include <string.h>

struct player {
    struct pt pt;
    int n;
    char *played;
};

static PT_ASYNC(player, self)
{
    for (; self->n > 0; self->n--) {
        strcat(self->played, "p");
        PT_YIELD();
    }
    strcat(self->played, ".");
}
PT_END

static struct pt_loop loop;

struct referee {
    struct pt pt;
    int game;
    char played[16];
    PT_TASK(player) player;
};

static PT_ASYNC(referee, self)
{
#ifdef SOLUTION
    for (self->game = 0; self->game < 3; self->game++) {
        PT_START(&loop, &self->player, player, .n = self->game + 1, .played = self->played);
        while (pt_task_alive(&self->player.task))
            PT_YIELD();
    }
#else
    /* your code: the first game has one move, the second two, the third three */
    (void)self;
    (void)loop;
    (void)PT_FN(player);
#endif
}
PT_END

/* --- the test: leave it as it is --- */

int main(void)
{
    static PT_TASK(referee) referees[2];

    for (int i = 0; i < 2; i++)
        PT_START(&loop, &referees[i], referee);
    pt_loop_run(&loop);
    for (int i = 0; i < 2; i++)
        if (strcmp(referees[i].frame.played, "p.pp.ppp.")) {
            printf("FAIL: %s: played \"%s\", not \"p.pp.ppp.\"\n", i ? "the second" : "the first",
                   referees[i].frame.played);
            return 1;
        }
    printf("passed\n");
    return 0;
}
