/* test_history.c - the checker of histories (examples/replicated/history.c), on good and bad ones
 * SPDX-License-Identifier: MIT */
#include "../../../examples/replicated/history.h"

#include <check.h>
#include <pt/pt.h>
#include <string.h>

enum { SMALL = 7, LONG = 300 };

/* An operation from BEGUN to ENDED; 0: it has no answer. */
#define GET(result, begun, ended)                           \
    {                                                       \
        {"get", "k", 0, 0, "c", 1, 0}, result, begun, ended \
    }
#define PUT(value, begun, ended)                           \
    {                                                      \
        {"put", "k", 0, value, "c", 1, 0}, 1, begun, ended \
    }
#define CAS(old, new, result, begun, ended)                     \
    {                                                           \
        {"cas", "k", old, new, "c", 1, 0}, result, begun, ended \
    }

#define LINEAR(...) ck_assert(judge((struct operation[]){__VA_ARGS__, {.begun = 0}}))
#define WRONG(...) ck_assert(!judge((struct operation[]){__VA_ARGS__, {.begun = 0}}))

static bool judge(const struct operation *operations)
{
    int count = 0;

    while (operations[count].begun)
        count++;
    return history_is_linear(operations, count);
}

START_TEST(good_histories_are_linear)
{
    LINEAR(GET(0, 1, 2));
    LINEAR(PUT(1, 1, 2), GET(1, 3, 4));
    LINEAR(PUT(1, 1, 4), GET(0, 2, 3), GET(1, 5, 6));               /* the read came first */
    LINEAR(PUT(1, 1, 4), GET(1, 2, 3));                             /* and here the write did */
    LINEAR(PUT(1, 1, 6), PUT(2, 2, 7), GET(2, 3, 4), GET(1, 5, 8)); /* 2, then 1 */
    LINEAR(CAS(0, 1, 1, 1, 2), CAS(0, 2, 0, 3, 4), GET(1, 5, 6));
    LINEAR(CAS(0, 1, 1, 1, 4), CAS(0, 2, 0, 2, 3));   /* the one that ended first was the second */
    LINEAR(PUT(1, 1, 0), GET(0, 2, 3), GET(1, 4, 5)); /* without an answer, and late */
    LINEAR(PUT(1, 1, 0), GET(0, 2, 3));               /* or never */
    LINEAR(CAS(0, 1, 0, 1, 0), GET(1, 2, 3));         /* its result is not known */
    LINEAR(GET(7, 1, 0), GET(0, 2, 3));
}
END_TEST

START_TEST(bad_histories_are_not)
{
    WRONG(GET(1, 1, 2));                             /* nobody has put it */
    WRONG(GET(1, 1, 2), PUT(1, 3, 4));               /* only later */
    WRONG(PUT(1, 1, 2), GET(0, 3, 4));               /* stale */
    WRONG(PUT(1, 1, 6), GET(1, 2, 3), GET(0, 4, 5)); /* back and forth */
    WRONG(PUT(1, 1, 2), PUT(2, 3, 4), GET(1, 5, 6)); /* lost */
    WRONG(CAS(0, 1, 1, 1, 3), CAS(0, 2, 1, 2, 4));   /* both have won */
    WRONG(PUT(1, 1, 2), CAS(1, 2, 0, 3, 4));         /* refused without a reason */
    WRONG(PUT(1, 1, 0), PUT(2, 2, 3), GET(1, 4, 5), GET(2, 6, 7),
          GET(1, 8, 9)); /* carried out twice */
    WRONG(GET(0, 2, 3), PUT(1, 4, 0), GET(1, 1, 5), GET(0, 6, 7));
}
END_TEST

/* --- beside a search that knows no memory and no list ------------------------------------------ */

static bool any_order(const struct operation *operations, int count, unsigned done, long value)
{
    bool missing = false;

    for (int i = 0; i < count; i++)
        missing |= !(done >> i & 1) && operations[i].ended;
    for (int i = 0; missing && i < count; i++) {
        const struct operation *one = &operations[i];
        char what = one->command.what[0];
        bool can = !(done >> i & 1), wins = what == 'p' || value == one->command.old;

        for (int j = 0; j < count; j++)
            can &= done >> j & 1 || !operations[j].ended || operations[j].ended > one->begun;
        if (one->ended)
            can &= one->result == (what == 'g' ? value : wins);
        if (can && any_order(operations, count, done | 1u << i,
                             what != 'g' && wins ? one->command.new : value))
            return true;
    }
    return !missing;
}

/* Operations with random times; results are those of no store. */
static void draw(struct pt_random *dice, struct operation *operations, int count)
{
    static const char *const words[] = {"get", "put", "cas"};
    long times[2 * SMALL];

    for (int i = 0; i < 2 * count; i++) {
        int other = (int)pt_random_below(dice, (uint64_t)i + 1);

        times[i] = times[other];
        times[other] = i + 1;
    }
    for (int i = 0; i < count; i++) {
        struct operation *one = &operations[i];
        long a = times[2 * i], b = times[2 * i + 1];

        memset(one, 0, sizeof *one);
        strcpy(one->command.what, words[pt_random_below(dice, 3)]);
        one->command.old = (long)pt_random_below(dice, 3);
        one->command.new = (long)pt_random_below(dice, 3);
        one->result = one->command.what[0] == 'p'
                          ? 1
                          : (long)pt_random_below(dice, one->command.what[0] == 'g' ? 3 : 2);
        one->begun = a < b ? a : b;
        one->ended = pt_random_below(dice, 6) ? (a < b ? b : a) : 0;
    }
}

START_TEST(it_agrees_with_a_search_of_all_orders_on_random_histories)
{
    struct pt_random dice = {17};
    int linear = 0, wrong = 0;

    for (int round = 0; round < 20000; round++) {
        struct operation operations[SMALL];
        int count = 1 + (int)pt_random_below(&dice, SMALL);
        bool expected;

        draw(&dice, operations, count);
        expected = any_order(operations, count, 0, 0);
        ck_assert_msg(history_is_linear(operations, count) == expected, "round %d", round);
        linear += expected;
        wrong += !expected;
    }
    ck_assert_int_gt(linear, 4000);
    ck_assert_int_gt(wrong, 4000);
}
END_TEST

/* Eight clients of one register; each operation takes effect at some moment of its time. */
static void live(struct pt_random *dice, struct operation *operations)
{
    struct operation *going[8] = {NULL};
    bool done[8] = {false};
    long value = 0, now = 0;

    for (int made = 0, ended = 0; ended < LONG;) {
        uint64_t who = pt_random_below(dice, 8);
        struct operation *one = going[who];

        if (!one && made < LONG) {
            one = going[who] = &operations[made];
            *one = (struct operation)PUT(made, ++now, 0);
            memcpy(one->command.what, made % 2 ? "get" : "put", 4);
            done[who] = false;
            made++;
        } else if (one && !done[who]) {
            done[who] = true;
            if (one->command.what[0] == 'g')
                one->result = value;
            else
                value = one->command.new;
        } else if (one) {
            one->ended = ++now;
            going[who] = NULL;
            ended++;
        }
    }
}

START_TEST(a_long_history_of_one_register_is_linear_and_is_not_with_one_stale_read)
{
    struct pt_random dice = {17};

    for (int round = 0; round < 50; round++) {
        struct operation operations[LONG];

        live(&dice, operations);
        ck_assert(history_is_linear(operations, LONG));
        for (int i = LONG - 1; i > LONG / 2; i--)
            if (operations[i].command.what[0] == 'g') {
                operations[i].result = operations[20].command.new; /* put, and replaced, long ago */
                break;
            }
        ck_assert(!history_is_linear(operations, LONG));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history");
    TCase *tests = tcase_create("history");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, good_histories_are_linear);
    tcase_add_test(tests, bad_histories_are_not);
    tcase_add_test(tests, it_agrees_with_a_search_of_all_orders_on_random_histories);
    tcase_add_test(tests, a_long_history_of_one_register_is_linear_and_is_not_with_one_stale_read);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_VERBOSE);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
