/* test_small_delays.c - a delay on a port, with no other feature: none ends a sleep before its time
 * SPDX-License-Identifier: MIT */
#include "few_features.h"
#define PT_CENSUS 1
#define PT_PORT 1
#include "pt_test.h"

/* Works for some milliseconds, and waits. */
struct brief {
    struct pt pt;
    int number, works, waits;
};

static PT_ASYNC(brief, self)
{
    world.clock.now = (pt_time)(world.clock.now + (pt_time)self->works * PT_MS(1));
    PT_WAIT((pt_time)self->waits * PT_MS(1));
    trace_add("%d@%d ", self->number, test_ms(PT_NOW()));
    PT_WAIT_DEADLINE(PT_NOW() + PT_MS(2));
    trace_add("%d@%d ", self->number, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(brief) briefs[3];
static PT_LOOP_STORAGE(3) storage;

/* A world whose clock is cheap, or not, and can be so many milliseconds behind. */
static void open_briefs(bool is_cheap, int grain)
{
    test_zero(briefs);
    test_open(&world);
    pt_loop_use(&world.loop, &storage);
    world.clock.port.is_cheap = is_cheap;
    world.clock.port.grain = (pt_time)grain * PT_MS(1);
}

static void start_brief(int i, int works, int waits)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &briefs[i], brief, .number = i, .works = works, .waits = waits),
        PT_OK);
}

START_TEST(without_features_a_delay_counts_from_the_end_of_its_step)
{
    for (int is_cheap = 0; is_cheap < 2; is_cheap++) {
        open_briefs(is_cheap, 0);
        start_brief(0, 50, 20);
        start_brief(1, 0, 10);
        start_brief(2, 0, 0);
        run_world("2@50 2@52 1@60 1@62 0@70 0@72 ");
    }
}
END_TEST

START_TEST(without_features_a_grain_is_added_to_a_delay)
{
    for (int is_cheap = 0; is_cheap < 2; is_cheap++) {
        open_briefs(is_cheap, 1);
        start_brief(0, 0, 5);
        run_world("0@6 0@8 ");
    }
}
END_TEST

Suite *suite_small_delays(void)
{
    Suite *suite = test_suite("small_delays");

    test_add(suite, without_features_a_delay_counts_from_the_end_of_its_step);
    test_add(suite, without_features_a_grain_is_added_to_a_delay);
    return suite;
}
