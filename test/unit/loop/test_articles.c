/* test_articles.c - the programs of two articles on cooperative tasks, and their output
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT

/* Two tasks in turn, as in "tasks run in turns, yielding control to each other". */
struct mission {
    struct pt pt;
    const char *name;
};

static PT_ASYNC(mission, self)
{
    trace_add("Start %s-01\n", self->name);
    PT_YIELD();
    trace_add("Start %s-02\n", self->name);
    PT_YIELD();
    trace_add("Start %s-03\n", self->name);
}
PT_END

START_TEST(apollo_and_artemis_start_in_turn)
{
    static PT_TASK(mission) apollo, artemis;

    test_open(&world);
    test_zero(apollo);
    test_zero(artemis);
    PT_START(&world.loop, &apollo, mission, .name = "Apollo");
    PT_START(&world.loop, &artemis, mission, .name = "Artemis");
    run_world("Start Apollo-01\n"
              "Start Artemis-01\n"
              "Start Apollo-02\n"
              "Start Artemis-02\n"
              "Start Apollo-03\n"
              "Start Artemis-03\n");
}
END_TEST

/* A thinker traces its name and the number of other ready tasks. */
struct thinker {
    struct pt pt;
    char name;
    int i;
};

static PT_ASYNC(thinker, self)
{
    for (; self->i < 10; self->i++) {
        trace_add("%c%d ", self->name, (int)pt_loop_ready(&world.loop));
        PT_YIELD();
    }
}
PT_END

static PT_TASK(thinker) thinkers[3];

static void start_thinkers(int count)
{
    test_open(&world);
    test_zero(thinkers);
    for (int i = 0; i < count; i++)
        PT_START(&world.loop, &thinkers[i], thinker, .name = (char)('A' + i));
    ck_assert_uint_eq(pt_loop_ready(&world.loop), (size_t)count);
}

START_TEST(two_thinkers_alternate_ten_times_each_with_one_other_queued)
{
    start_thinkers(2);
    run_world("A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 A1 B1 ");
}
END_TEST

START_TEST(three_thinkers_go_round_with_two_others_queued)
{
    start_thinkers(3);
    thinkers[0].frame.i = 8;
    thinkers[1].frame.i = 9;
    thinkers[2].frame.i = 6;
    run_world("A2 B2 C2 A2 C1 C0 C0 ");
}
END_TEST

Suite *suite_articles(void)
{
    Suite *suite = test_suite("articles");

    test_add(suite, apollo_and_artemis_start_in_turn);
    test_add(suite, two_thinkers_alternate_ten_times_each_with_one_other_queued);
    test_add(suite, three_thinkers_go_round_with_two_others_queued);
    return suite;
}
#else

Suite *suite_articles(void)
{
    return test_suite("articles");
}

#endif
