/* ztest.h - replaces Zephyr's header: a program of one suite, which prints "ok" and the name of each test
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ZEPHYR_ZTEST_H
#define FAKE_ZEPHYR_ZTEST_H

#include <stdbool.h>
#include <stddef.h>

void fake_test(const char *name, void (*test)(void));
void fake_suite(void (*before)(void *), void (*after)(void *));
void fake_expect(bool holds, const char *what, unsigned line);

#define ZTEST(suite, name)                                         \
    static void name(void);                                        \
    __attribute__((constructor)) static void fake_add_##name(void) \
    {                                                              \
        fake_test(#name, name);                                    \
    }                                                              \
    static void name(void)
#define ZTEST_SUITE(suite, predicate, setup, before, after, teardown) \
    __attribute__((constructor)) static void fake_suite_##suite(void) \
    {                                                                 \
        fake_suite(before, after);                                    \
    }
#define zassert_true(condition, ...) fake_expect(condition, #condition, __LINE__)
#define zassert_equal(a, b, ...) fake_expect((a) == (b), #a " == " #b, __LINE__)

#endif
