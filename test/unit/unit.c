/* unit.c - runs all unit tests
 * SPDX-License-Identifier: MIT
 *
 *     unit             run; CK_RUN_SUITE, CK_RUN_CASE and CK_FORK choose as Check's manual says
 *     unit --list      print the name of each test, suite:test
 *
 * PT_TEST_LOG names a file that gets a line `ok sentence` for each test that passed. */
#define PT_TEST_MAIN
#include "pt_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the trace --- */

static char trace_text[8192];
static size_t trace_length;

void trace_add(const char *format, ...)
{
    size_t room = sizeof trace_text - trace_length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(trace_text + trace_length, room, format, arguments);
    va_end(arguments);
    ck_assert_msg(length >= 0 && (size_t)length < room, "the trace is full");
    trace_length += (size_t)length;
}

const char *trace_take(void)
{
    trace_text[trace_length] = '\0';
    trace_length = 0;
    return trace_text;
}

/* --- memory --- */

struct test_memory test_memory;

void *test_resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (!bytes) {
        test_memory.blocks -= block != NULL;
        free(block);
        return NULL;
    }
    test_memory.calls++;
    if (test_memory.calls >= test_memory.fail_from && test_memory.calls <= test_memory.fail_to)
        return NULL;
    test_memory.blocks += block == NULL;
    return realloc(block, bytes);
}

/* --- running --- */

static const char *suite_name;
static bool listing;

/* Before each test: without a fork, the test before it left its state. */
static void set_up(void)
{
    trace_length = 0;
    memset(&test_memory, 0, sizeof test_memory);
}

Suite *test_suite(const char *name)
{
    suite_name = name;
    return suite_create(name);
}

void test_add_(Suite *suite, const char *name, const TTest *test)
{
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, test);
    suite_add_tcase(suite, tcase);
    if (listing)
        printf("%s:%s\n", suite_name, name);
}

/* Write the names of the tests that passed. */
static void write_log(SRunner *runner, const char *path)
{
    TestResult **results = srunner_results(runner);
    FILE *file = fopen(path, "w");

    for (int i = 0; file && i < srunner_ntests_run(runner); i++)
        if (tr_rtype(results[i]) == CK_PASS)
            fprintf(file, "ok %s\n", tr_tcname(results[i]));
    if (!file || fclose(file))
        perror(path);
    free(results);
}

int main(int argc, char **argv)
{
    const char *log = getenv("PT_TEST_LOG");
    SRunner *runner = srunner_create(NULL);
    int failed = 0;

    setenv("CK_DEFAULT_TIMEOUT", "600", 0); /* seconds: ends a test that hangs, not a slow one */
    listing = argc > 1 && !strcmp(argv[1], "--list");
#define ADD_SUITE_(name) srunner_add_suite(runner, suite_##name());
    TEST_SUITES(ADD_SUITE_)
#undef ADD_SUITE_
    if (!listing) {
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        if (log)
            write_log(runner, log);
        printf("%d passed, %d failed\n", srunner_ntests_run(runner) - failed, failed);
    }
    srunner_free(runner);
    return failed != 0;
}
