/* test_search.c - the search for a seed that fails, and the table of a simulation's tasks
 * SPDX-License-Identifier: MIT */
#define PT_SIM /* pt_single.h includes sim.h, too */
#include "pt_test.h"

#if PT_TIMERS

#if PT_INSPECT && PT_PORT

#include <pt/sim.h>
#include <unistd.h>

/* --- searching --- */

static pt_sim_test try_seed;

static int try_seed(uint64_t seed, void *context)
{
    trace_add("%llu ", (unsigned long long)seed);
    return seed == *(const uint64_t *)context;
}

/* Search with or without PT_SEED. The output on stderr goes to the trace. */
static uint64_t search(const char *chosen, uint64_t bad, uint64_t count)
{
    FILE *said = tmpfile();
    int terminal = dup(2);
    char line[100];
    uint64_t found;

    ck_assert(said && terminal >= 0);
    if (chosen)
        ck_assert_int_eq(setenv("PT_SEED", chosen, 1), 0);
    else
        ck_assert_int_eq(unsetenv("PT_SEED"), 0);
    dup2(fileno(said), 2);
    found = pt_sim_search(try_seed, &bad, count);
    dup2(terminal, 2);
    close(terminal);
    rewind(said);
    while (fgets(line, sizeof line, said))
        trace_add("%s", line);
    fclose(said);
    unsetenv("PT_SEED");
    return found;
}

START_TEST(a_search_stops_at_the_first_seed_that_fails_and_prints_it)
{
    ck_assert(search(NULL, 3, 5) == 3);
    ck_assert_trace("1 2 3 PT_SEED=3\n");
    ck_assert(search(NULL, 6, 5) == 0);
    ck_assert_trace("1 2 3 4 5 ");
    ck_assert(search(NULL, 1, 0) == 0);
    ck_assert_trace("");
}
END_TEST

START_TEST(a_search_with_a_seed_in_the_environment_runs_only_that_seed)
{
    ck_assert(search("3", 3, 5) == 3);
    ck_assert_trace("3 PT_SEED=3\n");
    ck_assert(search("4", 3, 5) == 0);
    ck_assert_trace("4 ");
    ck_assert(search("7", 7, 5) == 7); /* beyond the searched range */
    ck_assert_trace("7 PT_SEED=7\n");
    ck_assert(search("18446744073709551609", 0, 5) == 0);
    ck_assert_trace("18446744073709551609 ");
}
END_TEST

START_TEST(a_seed_that_is_not_a_number_from_1_up_fails_and_runs_nothing)
{
    static const char *const wrong[] = {"",
                                        "0",
                                        "00",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1x",
                                        "0x1",
                                        "x",
                                        "18446744073709551610",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "99999999999999999999999"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char said[100];

        ck_assert(search(wrong[i], 1, 5) == UINT64_MAX);
        snprintf(said, sizeof said, "pt_sim_search: PT_SEED=%s is not a number from 1 up\n",
                 wrong[i]);
        ck_assert_trace(said);
    }
}
END_TEST

/* --- the table --- */

enum { KEYS = 300 };

static const struct pt_task *keys[KEYS]; /* only the addresses matter, not the memory there */
static const struct pt_port memory = {NULL, NULL, test_resize, NULL, NULL, NULL, 0, false};

static struct pt_sim_table_ open_table(void)
{
    struct pt_sim_table_ table;

    memset(&table, 0, sizeof table);
    table.port = &memory;
    return table;
}

/* Choose keys of which the first 31 belong in the last few of 64 slots, so that they collide. */
static void choose_keys(void)
{
    static char space[4096];
    struct pt_sim_table_ small = open_table();
    int chosen = 0;

    small.room = 64;
    for (char *at = space; chosen < KEYS; at++) {
        const struct pt_task *key = (const struct pt_task *)(void *)at;

        ck_assert(at < space + sizeof space);
        if (chosen >= 31 || pt_sim_table_home_(&small, key) >= 58)
            keys[chosen++] = key;
    }
}

/* --- a run of one seed, recorded and stopped --- */

static struct pt_sim sim;
static size_t stopped_at;

static void on_trap(int number)
{
    (void)number;
    stopped_at = sim.chosen + 1;
}

struct yielder {
    struct pt pt;
    int times;
};

static PT_ASYNC(yielder, self)
{
    while (self->times--)
        PT_YIELD();
}
PT_END

/* Run three tasks, the third for so many TIMES, with this environment. What is printed goes to the trace.
 * Returns the first choice that differs. */
static size_t run_seed(const char *record, const char *choice, int times)
{
    static PT_TASK(yielder) tasks[3];
    struct pt_loop loop;
    FILE *said = tmpfile();
    int terminal = dup(2);
    char line[200];

    ck_assert(said && terminal >= 0);
    if (record)
        ck_assert_int_eq(setenv("PT_RECORD", record, 1), 0);
    if (choice)
        ck_assert_int_eq(setenv("PT_CHOICE", choice, 1), 0);
    dup2(fileno(said), 2);
    test_zero(tasks);
    pt_sim_init(&sim, 5, &memory);
    pt_sim_open(&sim, &loop);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PT_START(&loop, &tasks[i], yielder, .times = i < 2 ? 4 : times), PT_OK);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    pt_sim_close(&sim);
    dup2(terminal, 2);
    close(terminal);
    rewind(said);
    while (fgets(line, sizeof line, said))
        trace_add("%.*s", (int)strcspn(line, ","), line); /* without the hash */
    fclose(said);
    unsetenv("PT_RECORD");
    unsetenv("PT_CHOICE");
    return sim.differs;
}

START_TEST(a_recorded_run_reports_the_first_choice_that_differs)
{
    char path[] = "/tmp/pt-record-XXXXXX";
    const char *said;
    int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    close(file);
    unlink(path);
    ck_assert_uint_eq(run_seed(path, NULL, 2), 0);
    ck_assert_uint_eq(run_seed(path, NULL, 2), 0);
    ck_assert_trace("");
    ck_assert_uint_eq(run_seed(path, NULL, 1), 4); /* before that the third task has ended */
    said = trace_take();
    ck_assert_ptr_nonnull(strstr(said, "pt_sim: choice 4 differs from the record:"));
    ck_assert_ptr_nonnull(strstr(said, "recorded: 4: yielder of 2"));
    ck_assert_ptr_nonnull(strstr(said, "now: 4: yielder of 2"));
    unlink(path);
}
END_TEST

START_TEST(a_record_that_cannot_be_written_is_told_and_the_run_goes_on)
{
    ck_assert_uint_eq(run_seed("/no/such/folder/record", NULL, 2), 0);
    ck_assert_trace("pt_sim: PT_RECORD=/no/such/folder/record cannot be written\n");
}
END_TEST

START_TEST(a_run_stops_before_a_choice_for_a_debugger)
{
    void (*before)(int) = signal(SIGTRAP, on_trap);

    stopped_at = 0;
    ck_assert_uint_eq(run_seed(NULL, "3", 2), 0);
    ck_assert_uint_eq(stopped_at, 3);
    ck_assert_trace("pt_sim: PT_CHOICE=3: yielder of 3");
    stopped_at = 0;
    ck_assert_uint_eq(run_seed(NULL, "1000", 2), 0);
    ck_assert_trace("pt_sim: PT_CHOICE=1000: the run had only 8 choices\n");
    ck_assert_uint_eq(run_seed(NULL, "x", 2), 0);
    ck_assert_uint_eq(stopped_at, 0);
    ck_assert_trace("pt_sim: PT_CHOICE=x is not a number from 1 up\n");
    signal(SIGTRAP, before);
}
END_TEST

START_TEST(the_table_agrees_with_a_naive_model)
{
    uint64_t ids[KEYS] = {0}, met = 0;
    size_t count = 0, wrapped = 0;
    struct pt_random random = {11};
    struct pt_sim_table_ table = open_table();
    bool agrees = true;

    choose_keys();
    for (int step = 0; step < 20000; step++) {
        size_t limit = step < 10000 ? 31 : KEYS; /* a small table half full; then a large one */
        size_t i = (size_t)pt_random_below(&random, limit);

        if (pt_random_below(&random, 2)) {
            struct pt_sim_task_ *entry = pt_sim_table_get_(&table, keys[i]);

            if (!ids[i]) {
                ids[i] = ++met;
                count++;
                agrees = agrees && entry->priority == 0;
                entry->priority = ids[i] * 2;
            }
            wrapped += (size_t)(entry - table.places) < pt_sim_table_home_(&table, keys[i]);
        } else if (ids[i]) {
            pt_sim_table_drop_(&table, pt_sim_table_find_(&table, keys[i]));
            ids[i] = 0;
            count--;
        }
        agrees = agrees && table.count == count;
        for (size_t k = 0; k < limit; k++) {
            struct pt_sim_task_ *entry = pt_sim_table_find_(&table, keys[k]);

            agrees = agrees &&
                     (entry ? entry->id == ids[k] && entry->priority == 2 * ids[k] : ids[k] == 0);
        }
    }
    ck_assert(agrees);
    ck_assert(wrapped > 0); /* probing went over the end of the table */
    ck_assert_uint_eq(table.room, 512);
    pt_sim_table_free_(&table);
    ck_assert_int_eq(test_memory.blocks, 0);
}
END_TEST

START_TEST(a_table_that_cannot_grow_keeps_what_it_has)
{
    struct pt_sim_table_ table = open_table();

    choose_keys();
    ck_assert_ptr_null(pt_sim_table_find_(&table, keys[0]));
    test_memory.fail_from = test_memory.fail_to = 1;
    ck_assert_ptr_null(pt_sim_table_get_(&table, keys[0]));
    test_memory.fail_from = 3;
    test_memory.fail_to = 5;
    for (int i = 0; i < 32; i++)
        ck_assert_uint_eq(pt_sim_table_get_(&table, keys[i])->id, (unsigned)i + 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(pt_sim_table_get_(&table, keys[32]));
        ck_assert_uint_eq(pt_sim_table_get_(&table, keys[31])->id, 32);
    }
    ck_assert_uint_eq(pt_sim_table_get_(&table, keys[32])->id, 33);
    ck_assert_uint_eq(table.room, 128);
    pt_sim_table_free_(&table);
    pt_sim_table_free_(&table); /* the second call does nothing */
    ck_assert_int_eq(test_memory.blocks, 0);
}
END_TEST

#endif

Suite *suite_search(void)
{
    Suite *suite = test_suite("search");

#if PT_INSPECT && PT_PORT
    test_add(suite, a_search_stops_at_the_first_seed_that_fails_and_prints_it);
    test_add(suite, a_search_with_a_seed_in_the_environment_runs_only_that_seed);
    test_add(suite, a_seed_that_is_not_a_number_from_1_up_fails_and_runs_nothing);
    test_add(suite, a_recorded_run_reports_the_first_choice_that_differs);
    test_add(suite, a_record_that_cannot_be_written_is_told_and_the_run_goes_on);
    test_add(suite, a_run_stops_before_a_choice_for_a_debugger);
    test_add(suite, the_table_agrees_with_a_naive_model);
    test_add(suite, a_table_that_cannot_grow_keeps_what_it_has);
#endif
    return suite;
}
#else

Suite *suite_search(void)
{
    return test_suite("search");
}

#endif
