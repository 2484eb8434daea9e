/* check.h - the part of Check's interface that the tests use, for targets without libcheck
 * SPDX-License-Identifier: MIT
 *
 * It has no fork and no time limit. CK_RUN_SUITE and CK_RUN_CASE select tests as with Check. If
 * CK_VERBOSITY is set, each test is named before it runs, to find one that hangs. The file that
 * defines PT_TEST_MAIN holds the state. */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum test_result { CK_PASS, CK_FAILURE };
enum print_output { CK_NORMAL };

typedef struct TTest {
    const char *name;
    void (*run)(int i);
} TTest;

typedef struct TCase {
    const char *name;
    const struct Suite *suite;
    void (*set_up)(void);
    const TTest *test;
    struct TCase *next;
    enum test_result result;
} TCase, TestResult;

typedef struct Suite {
    const char *name;
    TCase *first, **tail;
    struct Suite *next;
} Suite;

typedef struct SRunner {
    Suite *first, **tail;
    int run, failed;
} SRunner;

/* Every object lives until the program ends. */
void *check_new(size_t size);
void check_failed(const char *file, int line, const char *what);
void check_failed_int(const char *file, int line, const char *what, long a, long b);

Suite *suite_create(const char *name);
TCase *tcase_create(const char *name);
void tcase_add_checked_fixture(TCase *tcase, void (*set_up)(void), void (*tear_down)(void));
void tcase_add_test(TCase *tcase, const TTest *test);
void suite_add_tcase(Suite *suite, TCase *tcase);
SRunner *srunner_create(Suite *suite);
void srunner_add_suite(SRunner *runner, Suite *suite);
void srunner_run_all(SRunner *runner, enum print_output mode);
int srunner_ntests_run(SRunner *runner);
int srunner_ntests_failed(SRunner *runner);
TestResult **srunner_results(SRunner *runner);
enum test_result tr_rtype(TestResult *result);
const char *tr_tcname(TestResult *result);
void srunner_free(SRunner *runner);

#define START_TEST(sentence)                                          \
    static void sentence##_run(int);                                  \
    static const TTest sentence##_test = {#sentence, sentence##_run}; \
    static const TTest *const sentence = &sentence##_test;            \
    static void sentence##_run(int check_i)                           \
    {                                                                 \
        (void)check_i;
#define END_TEST }

#define ck_assert_msg(cond, ...) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#define ck_assert(cond) ck_assert_msg(cond, NULL)
#define ck_abort_msg(...) check_failed(__FILE__, __LINE__, "aborted")
#define CHECK_INT_(a, op, b)                                                             \
    do {                                                                                 \
        const intmax_t a_ = (intmax_t)(a), b_ = (intmax_t)(b);                           \
        if (!(a_ op b_))                                                                 \
            check_failed_int(__FILE__, __LINE__, #a " " #op " " #b, (long)a_, (long)b_); \
    } while (0)
#define CHECK_UINT_(a, op, b)                                                            \
    do {                                                                                 \
        const uintmax_t a_ = (uintmax_t)(a), b_ = (uintmax_t)(b);                        \
        if (!(a_ op b_))                                                                 \
            check_failed_int(__FILE__, __LINE__, #a " " #op " " #b, (long)a_, (long)b_); \
    } while (0)
#define ck_assert_int_eq(a, b) CHECK_INT_(a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_INT_(a, !=, b)
#define ck_assert_int_lt(a, b) CHECK_INT_(a, <, b)
#define ck_assert_int_le(a, b) CHECK_INT_(a, <=, b)
#define ck_assert_int_ge(a, b) CHECK_INT_(a, >=, b)
#define ck_assert_int_gt(a, b) CHECK_INT_(a, >, b)
#define ck_assert_uint_eq(a, b) CHECK_UINT_(a, ==, b)
#define ck_assert_uint_ne(a, b) CHECK_UINT_(a, !=, b)
#define ck_assert_uint_ge(a, b) CHECK_UINT_(a, >=, b)
#define ck_assert_uint_gt(a, b) CHECK_UINT_(a, >, b)
#define ck_assert_uint_le(a, b) CHECK_UINT_(a, <=, b)
#define ck_assert_uint_lt(a, b) CHECK_UINT_(a, <, b)
#define ck_assert_ptr_eq(a, b) ck_assert((const void *)(a) == (const void *)(b))
#define ck_assert_ptr_ne(a, b) ck_assert((const void *)(a) != (const void *)(b))
#define ck_assert_ptr_null(a) ck_assert((a) == NULL)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)
#define ck_assert_str_eq(a, b)                              \
    do {                                                    \
        const char *const a_ = (a), *const b_ = (b);        \
        if (strcmp(a_, b_)) {                               \
            printf("left:  %s\nright: %s\n", a_, b_);       \
            check_failed(__FILE__, __LINE__, #a " == " #b); \
        }                                                   \
    } while (0)

#ifdef PT_TEST_MAIN

static jmp_buf check_escape;
static const TCase *check_case;

void *check_new(size_t size)
{
    void *block = calloc(1, size);

    if (!block)
        abort();
    return block;
}

void check_failed(const char *file, int line, const char *what)
{
    printf("%s:%d:F:%s:%s: %s\n", file, line, check_case->suite->name, check_case->name, what);
    longjmp(check_escape, 1);
}

void check_failed_int(const char *file, int line, const char *what, long a, long b)
{
    printf("left: %ld, right: %ld\n", a, b);
    check_failed(file, line, what);
}

Suite *suite_create(const char *name)
{
    Suite *suite = (Suite *)check_new(sizeof *suite);

    suite->name = name;
    suite->tail = &suite->first;
    return suite;
}

TCase *tcase_create(const char *name)
{
    TCase *tcase = (TCase *)check_new(sizeof *tcase);

    tcase->name = name;
    return tcase;
}

void tcase_add_checked_fixture(TCase *tcase, void (*set_up)(void), void (*tear_down)(void))
{
    (void)tear_down;
    tcase->set_up = set_up;
}

void tcase_add_test(TCase *tcase, const TTest *test)
{
    tcase->test = test;
}

void suite_add_tcase(Suite *suite, TCase *tcase)
{
    tcase->suite = suite;
    *suite->tail = tcase;
    suite->tail = &tcase->next;
}

SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = (SRunner *)check_new(sizeof *runner);

    (void)suite;
    runner->tail = &runner->first;
    return runner;
}

void srunner_add_suite(SRunner *runner, Suite *suite)
{
    *runner->tail = suite;
    runner->tail = &suite->next;
}

static int check_chosen(const char *variable, const char *name)
{
    const char *only = getenv(variable);

    return !only || !strcmp(only, name);
}

static void check_run_case(SRunner *runner, TCase *tcase)
{
    check_case = tcase;
    if (getenv("CK_VERBOSITY"))
        fprintf(stderr, "%s\n", tcase->name);
    tcase->result = CK_FAILURE;
    if (!setjmp(check_escape)) {
        tcase->set_up();
        tcase->test->run(0);
        tcase->result = CK_PASS;
    }
    runner->run++;
    runner->failed += tcase->result != CK_PASS;
}

void srunner_run_all(SRunner *runner, enum print_output mode)
{
    (void)mode;
    for (Suite *suite = runner->first; suite; suite = suite->next)
        for (TCase *tcase = suite->first; tcase; tcase = tcase->next)
            if (check_chosen("CK_RUN_SUITE", suite->name) &&
                check_chosen("CK_RUN_CASE", tcase->name))
                check_run_case(runner, tcase);
}

int srunner_ntests_run(SRunner *runner)
{
    return runner->run;
}

int srunner_ntests_failed(SRunner *runner)
{
    return runner->failed;
}

TestResult **srunner_results(SRunner *runner)
{
    TestResult **results = (TestResult **)check_new(sizeof *results * (size_t)(runner->run + 1));
    int n = 0;

    for (Suite *suite = runner->first; suite; suite = suite->next)
        for (TCase *tcase = suite->first; tcase; tcase = tcase->next)
            if (check_chosen("CK_RUN_SUITE", suite->name) &&
                check_chosen("CK_RUN_CASE", tcase->name))
                results[n++] = tcase;
    return results;
}

enum test_result tr_rtype(TestResult *result)
{
    return result->result;
}

const char *tr_tcname(TestResult *result)
{
    return result->name;
}

void srunner_free(SRunner *runner)
{
    free(runner);
}

#endif
#endif
