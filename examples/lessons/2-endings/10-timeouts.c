/* 10-timeouts.c - a time limit for a part, and one for the whole
 * SPDX-License-Identifier: MIT
 *
 * A timeout is a block around what may take too long.
 *
 *     PT_WITH_TIMEOUT  a block that ends when a delay is over; PT_WITH_DEADLINE takes a time
 *     struct pt_scope  the storage of a block, a field of the frame
 *     pt_timed_out     after the block: whether its time was over; then self->pt.status is
 *                      PT_ETIMEDOUT
 *     PT_REARM         in the block: a new delay, counted from now
 *     PT_ETIMEDOUT     the result of an awaited function that the end of a block has ended
 *
 * What to notice:
 *   - When the time is over, what is awaited in the block ends, too: its PT_FINALLY part runs. The
 *     function that contains the block continues after it. A join in the block ends, too, but not
 *     the task that it waits for.
 *   - A break in the block leaves the block, not a loop around it.
 *   - Blocks nest, and each knows whether its own time was over: at Dan's door the time of the
 *     round is over, and the postman's patience is not.
 *   - Awaited functions do not know about these limits: door has no timeout argument.
 *
 * Try: remove the PT_REARM. Who gets no letter? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u s  ", (unsigned)(PT_NOW() / PT_SEC(1))), printf(__VA_ARGS__))

struct door {
    struct pt pt;
    const char *name;
    int seconds;
};

PT_ASYNC(door, self)
{
    SAY("ring at %s's door\n", self->name);
    PT_WAIT(PT_SEC(self->seconds));
    SAY("    %s takes the letter\n", self->name);
    PT_FINALLY
    if (self->pt.result == PT_ETIMEDOUT)
        SAY("    the letter goes back into the bag\n");
}
PT_END

static const struct {
    const char *name;
    int seconds; /* until the door opens */
} street[] = {{"Ann", 5}, {"Bob", 3600}, {"Cid", 19}, {"Dan", 18}};

struct postman {
    struct pt pt;
    struct pt_scope round, patience;
    struct door door;
    int i;
};

PT_ASYNC(postman, self)
{
    PT_WITH_DEADLINE(&self->round, PT_SEC(40)) {
        for (self->i = 0; self->i < 4; self->i++) {
            PT_WITH_TIMEOUT(&self->patience, PT_SEC(20)) {
                PT_WAIT_COMPLETE(&self->door, door, .name = street[self->i].name,
                                 .seconds = street[self->i].seconds);
            }
            if (pt_timed_out(&self->patience)) {
                SAY("a card for %s; the round may take until second 55\n", street[self->i].name);
                PT_REARM(&self->round, PT_SEC(30));
            }
        }
        SAY("all letters are delivered\n");
    }
    SAY("his patience was over: %s; the round was over: %s\n",
        pt_timed_out(&self->patience) ? "yes" : "no", pt_timed_out(&self->round) ? "yes" : "no");
}
PT_END

int main(void)
{
    static PT_TASK(postman) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, postman);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
