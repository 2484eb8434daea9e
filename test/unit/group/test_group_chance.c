/* test_group_chance.c - groups in groups, disturbed at random from outside
 * SPDX-License-Identifier: MIT
 *
 * The events are random; the invariants are not. A failure reports its seed. */
#include "pt_test.h"

#include <pt/ports/random.h>

#if PT_PORT && PT_AWAIT && PT_POOLS

#if PT_GROUPS && PT_TIMEOUTS && PT_PAUSE

enum { SEEDS = 40, CAST = 24, GENERATIONS = 4, STEPS = 60 };

static struct pt_random chance;
static int seed, started, cleaned;

static int pick(int n)
{
    return (int)pt_random_below(&chance, (uint64_t)n);
}

static pt_time pick_ms(int n)
{
    return (pt_time)((pt_time)pick(n) * PT_MS(1));
}

#define ck_assert_seed(cond) ck_assert_msg(cond, "seed %d, line %d: " #cond, seed, (int)__LINE__)

/* A group in a timeout, in a task or in a function that it awaits. The members are actors, too. */
struct actor {
    struct pt pt;
    int generation, acts, members;
    bool awaited, left;
    struct pt_scope limit;
    struct pt_group group;
};

static PT_POOL(actor, CAST) cast;
static struct actor seconds[CAST]; /* the frame that each actor awaits */

static struct actor *second_of(const struct actor *actor)
{
    int i = 0;

    while (&cast.items[i].frame != actor)
        i++;
    return &seconds[i];
}

#define HIRE(self)                                                                         \
    for (self->members = self->generation < GENERATIONS ? pick(4) : 0; self->members > 0;  \
         self->members--) {                                                                \
        PT_SPAWN_FROM(&cast, actor, .generation = self->generation + 1, .awaited = false); \
        PT_ADOPT(&self->group);                                                            \
    }

static PT_ASYNC(actor, self)
{
    started++;
    for (self->acts = pick(4); self->acts > 0; self->acts--) {
        self->left = false;
        PT_WITH_TIMEOUT(&self->limit, pick_ms(9)) {
            PT_WITH_GROUP(&self->group, (enum pt_group_policy)pick(4)) {
                HIRE(self)
                if (!self->awaited && pick(2) == 0)
                    PT_WAIT_COMPLETE(second_of(self), actor, .generation = self->generation,
                                     .awaited = true);
                PT_WAIT(pick_ms(4));
                self->left = pick(6) == 0;
                if (self->left)
                    PT_RETURN(-65);
                if (pick(6) == 0)
                    pt_group_cancel(&self->group, -70);
                if (pick(6) == 0)
                    break;
            }
            ck_assert_seed(!self->left && pt_group_empty(&self->group));
        }
        ck_assert_seed(!self->left && pt_group_empty(&self->group));
    }
    PT_FINALLY
    cleaned++;
    self->left = false;
    ck_assert_seed(pt_group_empty(&self->group));
    if (!self->awaited && pick(3) == 0)
        PT_WAIT_COMPLETE(second_of(self), actor, .generation = self->generation, .awaited = true);
    PT_WITH_TIMEOUT(&self->limit, pick_ms(9)) {
        PT_WITH_GROUP(&self->group, (enum pt_group_policy)pick(4)) {
            HIRE(self)
            PT_WAIT(pick_ms(4));
            self->left = pick(2) == 0;
            if (self->left)
                PT_RETURN(-66);
        }
    }
    ck_assert_seed(!self->left && pt_group_empty(&self->group));
}
PT_END

/* Cancel, pause, wake or resume a random actor, alive or not. */
static void meddle(void)
{
    struct pt_task *task = &cast.items[pick(CAST)].task;

    switch (pick(8)) {
    case 0: pt_cancel(task, -71); break;
    case 1: pt_pause(task); break;
    case 2: pt_group_cancel(&cast.items[pick(CAST)].frame.group, -72); break;
    case 3: pt_group_cancel(&seconds[pick(CAST)].group, -72); break;
    case 4:
        if (pt_task_alive(task))
            pt_wake(task);
        break;
    default: pt_resume(task);
    }
}

static void play(void)
{
    pt_time now = TEST_START;

    chance.state = (uint64_t)seed;
    started = cleaned = 0;
    test_zero(cast);
    test_zero(seconds);
    test_open(&world);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(PT_START_FROM(&world.loop, &cast, actor, .generation = 0), PT_OK);
    for (int step = 0; step < STEPS; step++) {
        pt_time next = pt_loop_turn(&world.loop, now);

        if (pt_time_before(now + PT_MS(2), next))
            next = now + PT_MS(2);
        now = next;
        meddle();
    }
    world.clock.now = now;
    for (int i = 0; i < CAST; i++)
        pt_resume(&cast.items[i].task);
    pt_loop_cancel(&world.loop, -73);
    ck_assert_seed(pt_loop_run(&world.loop) == PT_OK);
    ck_assert_seed(pt_loop_live(&world.loop) == 0 && cast.pool.used == 0);
    ck_assert_seed(started > 4 && cleaned == started);
    test_close(&world);
}

START_TEST(no_task_outlives_its_group_whatever_happens)
{
    for (seed = 1; seed <= SEEDS; seed++)
        play();
}
END_TEST

#endif

Suite *suite_group_chance(void)
{
    Suite *suite = test_suite("group_chance");

#if PT_GROUPS && PT_TIMEOUTS && PT_PAUSE
    test_add(suite, no_task_outlives_its_group_whatever_happens);
#endif
    return suite;
}
#else

Suite *suite_group_chance(void)
{
    return test_suite("group_chance");
}

#endif
