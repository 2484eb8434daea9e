/* test_native.h - stacks, and bodies that are ordinary functions, for the tests of native.h
 * SPDX-License-Identifier: MIT
 *
 * The single header has no native.h. There these test files are empty. */
#ifndef PT_TEST_NATIVE_H
#define PT_TEST_NATIVE_H

#include <pt/native.h>

#include "test_talk.h"

#if defined(PT_NATIVE_H) && PT_PORT && PT_AWAIT && PT_JOINS && PT_POOLS && PT_PAUSE && \
    PT_TIMEOUTS && PT_GROUPS && PT_SELECTS
#define TEST_NATIVE 1

enum { STACKS = 6, STACK_BYTES = 64 << 10 };

static char stacks[STACKS][STACK_BYTES];
static PT_TASK(pt_native) natives[STACKS];

/* The fields of a body on the Ith stack. */
#define ON(i, body) pt_native, .function = body, .stack = stacks[i], .bytes = sizeof stacks[i]

static inline void open_natives(void)
{
    test_zero(natives);
    test_open(&world);
}

/* Start BODY as the Ith native task, on its stack. */
static inline void start(int i, pt_native_function *body)
{
    ck_assert_int_eq(PT_START(&world.loop, &natives[i], ON(i, body)), PT_OK);
}

static inline int now_of(const struct pt_native *self)
{
    return test_ms(pt_native_now(self));
}

#else
#define TEST_NATIVE 0
#endif
#endif
