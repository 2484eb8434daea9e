/* test_since.c - with PT_SINCE a dump says how long each task has waited; without it, of those that are parked
 * SPDX-License-Identifier: MIT */
#undef PT_SINCE
#undef PT_SITES
#define PT_OTHER_KNOBS 1
#define PT_SINCE PT_HAS_TIMERS_
#define PT_SITES 0
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_INSPECT && PT_AWAIT && PT_CANCEL && PT_SYNC

static struct pt_event event;

static void print(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

struct waiter {
    struct pt pt;
};

static PT_ASYNC(waiter, self)
{
    PT_WAIT(PT_MS(2));
    PT_WAIT_EVENT(&event);
    PT_PARK();
}
PT_END

static void dump_at(int ms)
{
    pt_loop_turn(&world.loop, test_at(ms));
    pt_dump(&world.loop, print, NULL);
}

/* Checks the lines of the tasks, without those of their functions. */
static void check_tasks(const char *expected)
{
    char tasks[256] = "";
    const char *line = trace_take();

    while (*line) {
        size_t length = strcspn(line, "\n") + 1;

        if (*line != ' ')
            strncat(tasks, line, length);
        line += length;
    }
    ck_assert_str_eq(tasks, expected);
}

START_TEST(a_dump_says_for_how_long_each_task_has_waited)
{
    static PT_TASK(waiter) task;

    test_zero(task);
    pt_event_init(&event);
    test_open(&world);
    PT_START(&world.loop, &task, waiter);
    dump_at(0);
    check_tasks("waiter: sleeps, 2 ms\n");
    dump_at(1);
    check_tasks("waiter: sleeps, 1 ms, for 1 ms so far\n");
    dump_at(2);
    check_tasks("waiter: waits for an event\n");
    dump_at(9);
    check_tasks("waiter: waits for an event, for 7 ms so far\n");
    pt_event_set(&event);
    pt_dump(&world.loop, print, NULL);
    check_tasks("waiter: is ready\n");
    dump_at(10);
    dump_at(13);
    check_tasks("waiter: is parked\n"
                "waiter: is parked, for 3 ms so far\n");
    pt_wake(&task.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}
END_TEST

Suite *suite_since(void)
{
    Suite *suite = test_suite("since");

    test_add(suite, a_dump_says_for_how_long_each_task_has_waited);
    return suite;
}
#else

Suite *suite_since(void)
{
    return test_suite("since");
}

#endif
