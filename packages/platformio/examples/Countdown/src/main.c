/* main.c - two countdowns at once, on this computer, in time that jumps
 * SPDX-License-Identifier: MIT
 *
 * pt has no clock of its own: whoever calls pt_loop_turn says what time it is. A board reads a
 * counter, and sleeps until the time that the turn returns; here that time simply comes. */
#include <pt/pt.h>

#include <stdio.h>

struct countdown { /* what must survive a wait */
    struct pt pt;  /* always first */
    const char *name;
    int left;
};

static PT_ASYNC(countdown, self)
{
    for (; self->left > 0; self->left--) {
        printf("%s: %d...\n", self->name, self->left);
        PT_WAIT(PT_SEC(1));
    }
    printf("%s is over\n", self->name);
}
PT_END

int main(void)
{
    static struct pt_loop loop;
    static PT_LOOP_STORAGE(2) storage; /* a PC's queues are arrays; a small part needs none */
    static PT_TASK(countdown) lunch, tea;
    pt_time now = 0;

    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    (void)PT_START(&loop, &lunch, countdown, .name = "lunch", .left = 3);
    (void)PT_START(&loop, &tea, countdown, .name = "tea", .left = 2);
    while (pt_loop_live(&loop) > 0)
        now = pt_loop_turn(&loop, now);
    return 0;
}
