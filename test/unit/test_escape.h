/* test_escape.h - a panic handler for tests: the message goes to the trace, and the test continues
 * SPDX-License-Identifier: MIT
 *
 *     ck_assert_panic(pt_next(&broken.pt), "broken: break leaves the body");
 *
 * Included first, before the headers whose panics it catches. */
#ifndef PT_TEST_ESCAPE_H
#define PT_TEST_ESCAPE_H

#define PT_PANIC(what, where, line) test_escape(what, where, (unsigned)(line))

#include <setjmp.h>

/* Never returns. */
#ifdef __GNUC__
__attribute__((noreturn))
#endif
static void
test_escape(const char *what, const char *where, unsigned line);

#include "pt_test.h"

/* With stacks, a panic leaves a stack, which a sanitizer must be told. */
#ifdef PT_BACKEND
static PT_MAYBE_UNUSED struct pt_landing escape_landing;
#define ESCAPE_MARK_() pt_landing_mark(&escape_landing)
#define ESCAPE_REACHED_() pt_landing_reached(&escape_landing)
#else
#define ESCAPE_MARK_() ((void)0)
#define ESCAPE_REACHED_() ((void)0)
#endif

static jmp_buf escape_to;
static bool escape_expected;                /* else a panic is a failure */
static PT_MAYBE_UNUSED unsigned panic_line; /* where the last panic was */

static void test_escape(const char *what, const char *where, unsigned line)
{
    if (!escape_expected)
        ck_abort_msg("a panic: %s: %s", where, what);
    escape_expected = false;
    trace_add("%s: %s", where, what);
    panic_line = line;
    longjmp(escape_to, 1);
}

/* The statement must panic with this message. */
#define ck_assert_panic(statement, message) \
    do {                                    \
        ESCAPE_MARK_();                     \
        escape_expected = true;             \
        if (!setjmp(escape_to)) {           \
            statement;                      \
            ck_abort_msg("no panic");       \
        }                                   \
        ESCAPE_REACHED_();                  \
        ck_assert_trace(message);           \
    } while (0)

#endif
