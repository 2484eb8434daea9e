/* traced.h - tests of drivers on the virtual board: its time, and a trace of what happened
 * SPDX-License-Identifier: MIT
 *
 * A test is run by itself: CK_RUN_CASE. The clock wraps soon. */
#ifndef TRACED_H
#define TRACED_H

#define PT_TEST_MAIN
#include "check.h"
#include "drivers/codes.h"
#include "hardware.h"
#include "run.h"

#include <setjmp.h>

enum { POISON = 0xa5, WORDS = 600 };

static struct pt_loop loop;
static pt_time began;
static char trace[WORDS], *written;

void board_received(void)
{
}

/* At the tick that a test has come to, WHO did WHAT. */
static inline void note(const char *who, const char *what)
{
    size_t room = sizeof trace - (size_t)(written - trace);
    int length =
        snprintf(written, room, "%u %s %s; ", (unsigned)(pt_time)(board_now() - began), who, what);

    ck_assert(length > 0 && (size_t)length < room);
    written += length;
}

static jmp_buf after_panic;
static bool panic_expected; /* else a panic is a failure */

void panicked(const char *what, const char *where)
{
    if (!panic_expected) {
        printf("a panic: %s: %s\n", where, what);
        ck_abort_msg("a panic");
    }
    note(where, what);
    longjmp(after_panic, 1);
}

/* The statement must panic; the loop is then of no more use. */
#define CHECK_PANICS(statement)       \
    do {                              \
        panic_expected = true;        \
        if (!setjmp(after_panic)) {   \
            statement;                \
            ck_abort_msg("no panic"); \
        }                             \
        panic_expected = false;       \
    } while (0)

static inline void open_loop(void)
{
    memset(&loop, 0, sizeof loop);
    hardware_is_late = false;
    pt_loop_init(&loop, board_now());
    began = board_now();
    written = trace;
    trace[0] = '\0';
}

static bool over;

static void end_run(struct hardware *self)
{
    (void)self;
    over = true;
}

static inline void run_for(pt_time ticks)
{
    static struct hardware bound = {.act = end_run};

    over = false;
    hardware_at(&bound, (pt_time)(board_now() + ticks));
    while (!over)
        board_turn_posted(&loop);
    (void)pt_loop_turn(&loop, board_now());
}

static inline bool is_poison(const void *memory, size_t size)
{
    const uint8_t *byte = (const uint8_t *)memory;

    while (size && *byte == POISON)
        byte++, size--;
    return size == 0;
}

/* Each of the COUNT tests begins with OPEN. Returns what main does. */
static inline int run_tests(const TTest *const *const *tests, size_t count, void (*open)(void))
{
    Suite *suite = suite_create("traced");
    SRunner *runner = srunner_create(NULL);

    for (size_t i = 0; i < count; i++) {
        TCase *one = tcase_create((*tests[i])->name);

        tcase_add_checked_fixture(one, open, NULL);
        tcase_add_test(one, *tests[i]);
        suite_add_tcase(suite, one);
    }
    srunner_add_suite(runner, suite);
    board_start();
    srunner_run_all(runner, CK_NORMAL);
    return srunner_ntests_failed(runner) != 0;
}

#endif
