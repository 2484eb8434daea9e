/* 18-locks.c - a lock: one cook at the stove; a condition: guests wait for dishes
 * SPDX-License-Identifier: MIT
 *
 * A lock keeps other tasks out while one changes what they share.
 *
 *     struct pt_lock       one task at a time holds it: from PT_LOCK, which waits, to PT_UNLOCK
 *     pt_lock_init         a free lock; pt_lock_init_reentrant: its holder can lock it again
 *     PT_HOLDS             whether this task holds the lock
 *     PT_WITH_LOCK         a block that holds a lock by a struct pt_held, and unlocks however it ends
 *     struct pt_condition  where holders of a lock wait until something has changed
 *     pt_condition_init    set it up
 *     PT_WAIT_CONDITION    release the lock, wait for a notify, and lock again
 *     pt_condition_notify  wake one task that waits; pt_condition_notify_all wakes all
 *
 * What to notice:
 *   - Between two suspensions no other task runs. A lock protects what takes longer than that.
 *   - Cid is canceled while he waits. His cleanup asks PT_HOLDS, and releases nothing.
 *   - season does not care whether the stove is locked: the lock is re-entrant.
 *   - A notified task checks again: another one can have taken the dish.
 *   - Gus waits for 25 minutes at most. His wait is ended, and locks again; then his block unlocks.
 *
 * Try: let Bob cook for 2. Does Gus eat? */
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
    struct pt_scope limit;
    struct pt_held held;
    const char *name;
    struct pt_task *sends_home; /* a cook, or NULL */
};
PT_ASYNC(guest, self)
{
    if (self->sends_home) {
        PT_YIELD();
        pt_cancel(self->sends_home, PT_ECANCELED);
    }
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(60 * 25))
        PT_WITH_LOCK(&self->held, &counter) {
            while (!dishes)
                PT_WAIT_CONDITION(&served, &counter);
            dishes--;
        }
    SAY("        %s %s\n", self->name, pt_timed_out(&self->limit) ? "leaves hungry" : "has a dish");
}
PT_END

int main(void)
{
    static PT_TASK(cook) ann, bob, cid;
    static PT_TASK(guest) eve, fay, gus;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_lock_init_reentrant(&stove);
    pt_lock_init(&counter);
    pt_condition_init(&served);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &eve, guest, .name = "Eve");
    PT_START(&loop, &fay, guest, .name = "Fay");
    PT_START(&loop, &gus, guest, .name = "Gus", .sends_home = &cid.task);
    PT_START(&loop, &ann, cook, .name = "Ann", .dishes = 1);
    PT_START(&loop, &cid, cook, .name = "Cid", .dishes = 5);
    PT_START(&loop, &bob, cook, .name = "Bob", .dishes = 1);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
