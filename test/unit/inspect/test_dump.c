/* test_dump.c - the complete text of a dump; test_sites.c tests it with PT_SITES
 * SPDX-License-Identifier: MIT */
#undef PT_SITES
#undef PT_SINCE
#define PT_OTHER_KNOBS 1
#define PT_SITES 0
#define PT_SINCE 0
#include "pt_test.h"

#if PT_PORT && PT_AWAIT

#if PT_INSPECT && PT_GROUPS && PT_TIMEOUTS && PT_PAUSE && PT_POOLS

static char wanted[2048];

/* Dumps go to the trace. */
static pt_print print;

static void print(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

static void want(const char *text, unsigned label)
{
    size_t length = strlen(wanted);

    snprintf(wanted + length, sizeof wanted - length, text, label);
}

static void end_world(void)
{
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

static void check_dump(void)
{
    pt_dump(&world.loop, print, NULL);
    ck_assert_trace(wanted);
}

static void open_world(void)
{
    wanted[0] = '\0';
    test_open(&world);
}

/* --- a bit of everything --- */

struct nap {
    struct pt pt;
    pt_time time, cleanup;
};

static PT_ASYNC(nap, self)
{
    PT_WAIT(self->time);
    PT_FINALLY
    if (self->cleanup)
        PT_WAIT(self->cleanup);
}
PT_END

struct request {
    struct pt pt;
    pt_time limit, time, cleanup;
    struct pt_scope scope;
    struct nap nap;
};

static PT_ASYNC(request, self)
{
    PT_WITH_TIMEOUT(&self->scope, self->limit) {
        PT_WAIT_COMPLETE(&self->nap, nap, .time = self->time, .cleanup = self->cleanup);
    }
}
PT_END

struct parked {
    struct pt pt;
};

static PT_ASYNC(parked, self)
{
    PT_PARK();
}
PT_END

struct crew {
    struct pt pt;
    struct pt_group group;
    PT_TASK(parked) deck;
    PT_TASK(request) bridge;
};

static PT_ASYNC(crew, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->deck, parked);
        PT_SPAWN_IN(&self->group, &self->bridge, request, .limit = PT_MS(30), .time = PT_MS(20));
    }
}
PT_END

static PT_TASK(crew) crew_task;
static PT_TASK(parked) parked_tasks[4];
static PT_TASK(request) request_task;

static void start_parked(int i)
{
    test_zero(parked_tasks[i]);
    ck_assert_int_eq(PT_START(&world.loop, &parked_tasks[i], parked), PT_OK);
}

static void start_request(int limit, int time, int cleanup)
{
    const pt_time ms = PT_MS(1);

    test_zero(request_task);
    ck_assert_int_eq(PT_START(&world.loop, &request_task, request, .limit = (pt_time)limit * ms,
                              .time = (pt_time)time * ms, .cleanup = (pt_time)cleanup * ms),
                     PT_OK);
}

START_TEST(a_dump_shows_each_task_below_its_parent_with_its_functions)
{
    open_world();
    test_zero(crew_task);
    PT_START(&world.loop, &crew_task, crew);
    start_parked(0);
    pt_task_rename(&parked_tasks[0].task, "porter");
    turn(0);
    turn(1);
    want("crew: waits for its group\n"
         "    at suspension %u\n",
         crew_task.frame.pt.label);
    want("    parked: is parked\n"
         "        at suspension %u\n",
         crew_task.frame.deck.frame.pt.label);
    want("    request: sleeps, 20 ms, timeout in 30 ms\n"
         "        at suspension %u\n",
         crew_task.frame.bridge.frame.nap.pt.label);
    want("        at suspension %u\n", crew_task.frame.bridge.frame.pt.label);
    want("porter: is parked, for 1 ms so far\n"
         "    at suspension %u\n",
         parked_tasks[0].frame.pt.label);
    check_dump();
    end_world();
}
END_TEST

START_TEST(a_dump_of_an_empty_loop_is_empty)
{
    open_world();
    check_dump();
    test_close(&world);
}
END_TEST

START_TEST(a_dump_shows_which_tasks_are_paused_canceled_held_or_not_started)
{
    open_world();
    for (int i = 0; i < 3; i++)
        start_parked(i);
    pt_pause(&parked_tasks[1].task);
    turn(0);
    pt_pause(&parked_tasks[0].task);
    pt_cancel(&parked_tasks[2].task, PT_ECANCELED);
    start_parked(3);
    want("parked: is parked, is paused\n"
         "    at suspension %u\n",
         parked_tasks[0].frame.pt.label);
    want("parked: is paused; otherwise ready\n"
         "    at its start\n",
         0);
    want("parked: is ready, is canceled\n"
         "    at suspension %u\n",
         parked_tasks[2].frame.pt.label);
    want("parked: is ready\n"
         "    at its start\n",
         0);
    check_dump();
    end_world();
}
END_TEST

START_TEST(a_dump_shows_that_a_timeout_waits_for_a_cleanup)
{
    open_world();
    start_request(2, 9, 7);
    turn(0);
    turn(3);
    turn(5);
    want("request: sleeps, 5 ms, timeout in 0 ms\n"
         "    at suspension %u\n",
         request_task.frame.nap.pt.label);
    want("    at suspension %u\n", request_task.frame.pt.label);
    check_dump();
    end_world();
}
END_TEST

START_TEST(times_in_a_dump_count_from_the_last_turn_and_are_rounded_up)
{
    open_world();
    start_request(9, 8, 0);
    turn(0);
    world.clock.now = (pt_time)(test_at(3) - 1);
    pt_loop_turn(&world.loop, world.clock.now);
    want("request: sleeps, 6 ms, timeout in 7 ms\n"
         "    at suspension %u\n",
         request_task.frame.nap.pt.label);
    want("    at suspension %u\n", request_task.frame.pt.label);
    check_dump();
    end_world();
}
END_TEST

#if PT_TIME_BITS == 64
#define LONGEST "9223372036855"
#elif PT_TIME_BITS == 32
#define LONGEST "2147483646"
#else
#define LONGEST "32766"
#endif

START_TEST(the_longest_sleep_is_shown)
{
    open_world();
    test_zero(request_task);
    PT_START(&world.loop, &request_task, request, .limit = PT_DELAY_NEVER, .time = PT_DELAY_MAX,
             .cleanup = 0);
    turn(0);
    want("request: sleeps, " LONGEST " ms\n"
         "    at suspension %u\n",
         request_task.frame.nap.pt.label);
    want("    at suspension %u\n", request_task.frame.pt.label);
    check_dump();
    end_world();
}
END_TEST

START_TEST(a_task_that_is_not_alive_is_dumped_in_one_line)
{
    open_world();
    test_zero(parked_tasks[0]);
    pt_dump_task(&parked_tasks[0].task, 0, print, NULL);
    ck_assert_trace("a task: was never spawned\n");
    start_parked(0);
    end_world();
    pt_dump_task(&parked_tasks[0].task, 2, print, NULL);
    ck_assert_trace("        parked: is done, with PT_ECANCELED\n");
}
END_TEST

/* --- damage --- */

#define DAMAGE                                                                                \
    "the list of tasks is damaged: was storage of a task that is alive overwritten, or used " \
    "again?\n"

static void check_damage(unsigned tasks)
{
    wanted[0] = '\0';
    for (unsigned i = 0; i < tasks; i++) {
        want("parked: is parked\n", 0);
        want("    at suspension %u\n", parked_tasks[i].frame.pt.label);
    }
    want(DAMAGE, 0);
    check_dump();
}

START_TEST(a_dump_ends_where_the_storage_of_a_task_was_overwritten)
{
    static unsigned char copy[sizeof parked_tasks[0]];
    struct pt_node *member = &parked_tasks[2].task.member, *next;

    open_world();
    for (int i = 0; i < 3; i++) {
        test_zero(parked_tasks[i]);
        start_parked(i);
    }
    turn(0);
    memcpy(copy, &parked_tasks[1], sizeof copy);
    test_zero(parked_tasks[1]);
    check_damage(1);
    memcpy(&parked_tasks[1], copy, sizeof copy);
    next = member->link.next; /* a circle that does not lead back to the loop */
    member->link.next = &parked_tasks[0].task.member;
    check_damage(3);
    member->link.next = next;
    end_world();
}
END_TEST

/* --- by a task of the same loop --- */

static unsigned awaiting; /* the label at which the caller awaits report */

struct report {
    struct pt pt;
};

static PT_ASYNC(report, self)
{
    awaiting = self->pt.caller->label;
    pt_dump(&world.loop, print, NULL);
}
PT_END

struct reporter {
    struct pt pt;
    struct report report;
    PT_TASK(parked) child;
    struct pt_group group;
};

static PT_ASYNC(reporter, self)
{
    pt_dump(&world.loop, print, NULL);
    PT_YIELD();
    pt_dump(&world.loop, print, NULL);
    PT_WAIT_COMPLETE(&self->report, report);
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->child, parked);
        PT_RETURN(PT_OK); /* waits for its group before the cleanup */
    }
    PT_FINALLY
    pt_dump(&world.loop, print, NULL);
}
PT_END

struct closing {
    struct pt pt;
    struct pt_group group;
    PT_TASK(parked) child;
};

static PT_ASYNC(closing, self)
{
    PT_FINALLY
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->child, parked);
        PT_RETURN(PT_OK);
    }
}
PT_END

START_TEST(a_cleanup_that_ends_with_a_group_is_at_its_end)
{
    static PT_TASK(closing) task;

    open_world();
    test_zero(task);
    PT_START(&world.loop, &task, closing);
    turn(0);
    pt_dump(&world.loop, print, NULL);
    ck_assert_trace("closing: waits for its group\n"
                    "    at its end\n"
                    "    parked: is ready, is canceled\n"
                    "        at its start\n");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}
END_TEST

START_TEST(a_running_task_is_dumped_with_its_last_suspension)
{
    static PT_TASK(reporter) reporter_task;

    open_world();
    test_zero(reporter_task);
    PT_START(&world.loop, &reporter_task, reporter);
    turn(0);
    ck_assert_trace("reporter: runs\n    since its start\n");
    want("reporter: runs\n    since suspension %u\n", reporter_task.frame.pt.label);
    turn(1);
    want("reporter: runs\n    since its start\n    at suspension %u\n", awaiting);
    ck_assert_trace(wanted);
    wanted[0] = '\0';
    want("reporter: waits for its group\n"
         "    at its PT_FINALLY\n"
         "    parked: is ready, is canceled\n"
         "        at its start\n",
         0);
    check_dump();
    turn(2);
    turn(3);
    turn(4);
    ck_assert_trace("reporter: runs\n    since its PT_FINALLY\n");
    test_close(&world);
}
END_TEST

#endif

Suite *suite_dump(void)
{
    Suite *suite = test_suite("dump");

#if PT_INSPECT && PT_GROUPS && PT_TIMEOUTS && PT_PAUSE && PT_POOLS
    test_add(suite, a_dump_shows_each_task_below_its_parent_with_its_functions);
    test_add(suite, a_dump_of_an_empty_loop_is_empty);
    test_add(suite, a_dump_shows_which_tasks_are_paused_canceled_held_or_not_started);
    test_add(suite, a_dump_shows_that_a_timeout_waits_for_a_cleanup);
    test_add(suite, times_in_a_dump_count_from_the_last_turn_and_are_rounded_up);
    test_add(suite, the_longest_sleep_is_shown);
    test_add(suite, a_task_that_is_not_alive_is_dumped_in_one_line);
    test_add(suite, a_dump_ends_where_the_storage_of_a_task_was_overwritten);
    test_add(suite, a_cleanup_that_ends_with_a_group_is_at_its_end);
    test_add(suite, a_running_task_is_dumped_with_its_last_suspension);
#endif
    return suite;
}
#else

Suite *suite_dump(void)
{
    return test_suite("dump");
}

#endif
