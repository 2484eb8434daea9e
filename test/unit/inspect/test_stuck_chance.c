/* test_stuck_chance.c - random programs: what is called a deadlock never ends by itself
 * SPDX-License-Identifier: MIT
 *
 * The programs are random; the invariant is not. A failure reports its seed. */
/* with the room sync: others of its own have some of its names */
#include "pt_test.h"

#include <pt/ports/random.h>

#if PT_PORT && PT_INSPECT && PT_CHANNELS && PT_JOINS && PT_GROUPS && PT_TIMEOUTS && PT_SELECTS && \
    PT_AWAIT

enum { SEEDS = 600, CAST = 14, FIRST = 4, LOCKS = 3, TURNS = 60 };

static struct pt_random chance;
static int seed, hired, dead;
static struct pt_lock locks[LOCKS];
static struct pt_rwlock map;

static int pick(int n)
{
    return (int)pt_random_below(&chance, (uint64_t)n);
}

static pt_time pick_ms(int n)
{
    return (pt_time)((pt_time)pick(n) * PT_MS(1));
}

#define ck_assert_seed(cond) ck_assert_msg(cond, "seed %d, line %d: " #cond, seed, (int)__LINE__)

/* One wait, perhaps with a cleanup that waits. */
struct need {
    struct pt pt;
    struct actor *actor;
    int kind;
    struct pt_lock *lock;
    PT_SELECTION(2) choice;
};

/* Waits, in groups and timeouts. */
struct actor {
    struct pt pt;
    int generation, acts, members, steps, reads;
    bool stuck; /* it was called a part of a deadlock; then it has made so many steps: */
    int then;
    struct need need;
    struct pt_scope limit;
    struct pt_group group;
};

static PT_TASK(actor) cast[CAST];

static PT_ASYNC(need, self)
{
    self->actor->steps++;
    self->kind = pick(8);
    self->lock = &locks[pick(LOCKS)];
    if (self->kind < 3)
        PT_LOCK(self->lock);
    else if (self->kind == 3)
        PT_JOIN(&cast[pick(CAST)].task);
    else if (self->kind == 4)
        PT_SELECT(&self->choice, PT_CASE_LOCK(self->lock), PT_CASE_AFTER(pick_ms(9)));
    else if (self->kind == 5 && !self->actor->reads) {
        PT_LOCK_SHARED(&map);
        self->actor->reads += self->pt.status == PT_OK;
    } else if (self->kind == 6 && !self->actor->reads)
        PT_LOCK_EXCLUSIVE(&map);
    else
        PT_WAIT(pick_ms(9));
    self->actor->steps++;
    PT_FINALLY
    self->actor->steps++;
    if (pick(12) == 0)
        PT_LOCK(self->lock);
}
PT_END

#define HIRE(self)                                                                              \
    for (self->members = self->generation < 2 ? 1 + pick(3) : 0;                                \
         self->members > 0 && hired < CAST; self->members--) {                                  \
        hired++;                                                                                \
        PT_SPAWN_IN(&self->group, &cast[hired - 1], actor, .generation = self->generation + 1); \
    }

static PT_ASYNC(actor, self)
{
    for (self->acts = 1 + pick(3); self->acts > 0; self->acts--) {
        self->steps++;
        if (pick(3)) {
            PT_WAIT_COMPLETE(&self->need, need, .actor = self);
        } else if (pick(2)) {
            PT_WITH_TIMEOUT(&self->limit, pick_ms(12)) {
                PT_WAIT_COMPLETE(&self->need, need, .actor = self);
            }
        } else {
            PT_WITH_GROUP(&self->group, (enum pt_group_policy)pick(4)) {
                HIRE(self)
                if (pick(2))
                    PT_WAIT_COMPLETE(&self->need, need, .actor = self);
                if (pick(4) == 0)
                    break;
                if (pick(8) == 0)
                    PT_RETURN(-65);
            }
        }
    }
    if (pick(3) == 0)
        PT_RETURN(-66);
    PT_FINALLY
    self->steps++;
    for (int i = 0; i < LOCKS; i++)
        if (PT_HOLDS(&locks[i]))
            PT_UNLOCK(&locks[i]);
    if (map.writer == pt_current_)
        PT_UNLOCK_EXCLUSIVE(&map);
    while (self->reads--)
        pt_rwlock_release_shared(&map);
}
PT_END

static pt_stuck_found found;

static void found(void *context, const struct pt_stuck *stuck)
{
    struct actor *actor = NULL;

    (void)context;
    for (int i = 0; i < hired; i++)
        if (stuck->task == &cast[i].task)
            actor = &cast[i].frame;
    ck_assert_seed(stuck->exact);
    dead += !actor->stuck;
    actor->stuck = true;
    actor->then = actor->steps;
}

/* What was called a deadlock before has not moved; and is called one again. */
static void check(void)
{
    for (int i = 0; i < hired; i++)
        ck_assert_seed(!cast[i].frame.stuck || cast[i].frame.then == cast[i].frame.steps);
    for (int i = 0; i < hired; i++)
        cast[i].frame.then = -1;
    ck_assert_seed(pt_loop_find_stuck(&world.loop, NULL, found, NULL) == PT_OK);
    for (int i = 0; i < hired; i++)
        ck_assert_seed(!cast[i].frame.stuck || cast[i].frame.then == cast[i].frame.steps);
}

/* Cancel all tasks. A cleanup waits only for locks: release these in the name of their holders. */
static void end_all(pt_time now)
{
    while (pt_loop_live(&world.loop)) {
        pt_loop_cancel(&world.loop, PT_ECANCELED);
        for (int i = 0; i < LOCKS; i++)
            if (locks[i].owner)
                pt_lock_release(&locks[i], locks[i].owner);
        pt_loop_turn(&world.loop, now);
    }
}

static void play(void)
{
    pt_time now = TEST_START;

    chance.state = (uint64_t)seed;
    test_zero(cast);
    test_open(&world);
    for (int i = 0; i < LOCKS; i++)
        pt_lock_init(&locks[i]);
    pt_rwlock_init(&map);
    for (hired = 0; hired < FIRST; hired++)
        ck_assert_int_eq(PT_START(&world.loop, &cast[hired], actor, .generation = 0), PT_OK);
    for (int i = 0; i < TURNS; i++) {
        pt_time next = pt_loop_turn(&world.loop, now);

        check();
        if (pt_time_before(now + PT_MS(2), next))
            next = now + PT_MS(2);
        now = next;
    }
    end_all(now);
    test_close(&world);
}

START_TEST(what_is_called_a_deadlock_never_ends_by_itself)
{
    dead = 0;
    for (seed = 1; seed <= SEEDS; seed++)
        play();
    ck_assert_int_gt(dead, SEEDS / 10);
}
END_TEST

Suite *suite_stuck_chance(void)
{
    Suite *suite = test_suite("stuck_chance");

    test_add(suite, what_is_called_a_deadlock_never_ends_by_itself);
    return suite;
}
#else

Suite *suite_stuck_chance(void)
{
    return test_suite("stuck_chance");
}

#endif
