/* 18-locks.c - a lock: one cook at the stove; a condition: guests wait for dishes
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Between two suspensions no other task runs. A lock protects what takes longer than that.
 *   - PT_HOLDS tells a cleanup what to release. Cid is canceled while he waits, and holds nothing.
 *   - The holder of a re-entrant lock can lock it again: season does not care whether it is held.
 *   - A condition releases a lock until something has changed. A notified task checks again. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

static struct pt_lock stove, counter;
static struct pt_condition served; /* a dish is on the counter */
static int dishes;

struct season {
    struct pt pt;
};
PT_ASYNC(season, self)
{
    PT_LOCK(&stove);
    SAY("    a pinch of salt: locked %u times\n", stove.depth);
    PT_UNLOCK(&stove);
}
PT_END

struct cook {
    struct pt pt;
    struct season season;
    const char *name;
    int dishes;
};
PT_ASYNC(cook, self)
{
    PT_LOCK(&stove);
    SAY("%s cooks for %d\n", self->name, self->dishes);
    PT_WAIT(PT_SEC(60 * 10));
    PT_WAIT_COMPLETE(&self->season, season);
    PT_LOCK(&counter);
    dishes += self->dishes;
    self->dishes > 1 ? pt_condition_notify_all(&served) : pt_condition_notify(&served);
    PT_UNLOCK(&counter);
    PT_FINALLY
    SAY("%s %s the stove\n", self->name, PT_HOLDS(&stove) ? "leaves" : "never had");
    if (PT_HOLDS(&stove))
        PT_UNLOCK(&stove);
}
PT_END

struct guest {
    struct pt pt;
    const char *name;
};
PT_ASYNC(guest, self)
{
    PT_LOCK(&counter);
    while (!dishes)
        PT_WAIT_CONDITION(&served, &counter);
    SAY("        %s has one of %d\n", self->name, dishes--);
    PT_UNLOCK(&counter);
}
PT_END

int main(void)
{
    static PT_TASK(cook) ann, bob, cid;
    static PT_TASK(guest) eve, fay;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_lock_init_reentrant(&stove);
    pt_lock_init(&counter);
    pt_condition_init(&served);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &eve, guest, .name = "Eve");
    PT_START(&loop, &fay, guest, .name = "Fay");
    PT_START(&loop, &ann, cook, .name = "Ann", .dishes = 1);
    PT_START(&loop, &cid, cook, .name = "Cid", .dishes = 5);
    PT_START(&loop, &bob, cook, .name = "Bob", .dishes = 2);
    pt_loop_turn(&loop, 0);
    pt_cancel(&cid.task, PT_ECANCELED);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
