/* test_sites.c - with PT_SITES a dump names function, file and line
 * SPDX-License-Identifier: MIT */
#undef PT_SITES
#undef PT_SINCE
#define PT_OTHER_KNOBS 1
#define PT_SITES 1
#define PT_SINCE 0
#include "pt_test.h"
#include <pt/host/save.h>

#include <stdlib.h>
#include <unistd.h>

#if PT_PORT && PT_TIMERS

#if PT_INSPECT && PT_AWAIT && PT_CANCEL

static void print(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

struct read_line {
    struct pt pt;
};

enum { READ_LINE = __LINE__ + 4 };

static PT_ASYNC(read_line, self)
{
    PT_WAIT(PT_MS(8));
    PT_FINALLY
    trace_add("closed ");
}
PT_END

struct server {
    struct pt pt;
    struct read_line line;
};

enum { SERVER_LINE = __LINE__ + 5 };

static PT_ASYNC(server, self)
{
    pt_dump(&world.loop, print, NULL);
    PT_WAIT_COMPLETE(&self->line, read_line);
    PT_YIELD();
}
PT_END

/* A function written without the macros: its place is unknown. */
struct by_hand {
    struct pt pt;
};

static pt_op PT_FN(by_hand)(struct pt *pt, struct pt_task *task)
{
    (void)task;
    if (pt->label++)
        return pt_end_(pt);
    return pt_op_of_(PT_OP_YIELD);
}

START_TEST(a_dump_with_sites_names_function_file_and_line)
{
    static PT_TASK(server) server_task;
    static PT_TASK(by_hand) hand;
    char wanted[2 * sizeof __FILE__ + 200];

    test_zero(server_task);
    test_zero(hand);
    test_open(&world);
    PT_START(&world.loop, &server_task, server);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("server: runs\n    since its start\n");
    PT_START(&world.loop, &hand, by_hand);
    pt_loop_turn(&world.loop, test_at(1));
    pt_dump(&world.loop, print, NULL);
    snprintf(wanted, sizeof wanted,
             "server: sleeps, 7 ms\n"
             "    at read_line (%s:%d)\n"
             "    at server (%s:%d)\n"
             "by_hand: is ready\n"
             "    at suspension 1\n",
             __FILE__, READ_LINE, __FILE__, SERVER_LINE);
    ck_assert_trace(wanted);
    pt_loop_turn(&world.loop, test_at(8));
    pt_dump(&world.loop, print, NULL);
    snprintf(wanted, sizeof wanted, "closed server: is ready\n    at server (%s:%d)\n", __FILE__,
             SERVER_LINE + 1);
    ck_assert_trace(wanted);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}
END_TEST

#if PT_GROUPS && PT_JOINS
/* Ends as KIND says; its caller passes that on. */
enum ending { REFUSES, HAS_ITS_OWN_CODE, SUCCEEDS, WAITS };

struct fragile {
    struct pt pt;
    enum ending kind;
};

enum { FRAGILE_LINE = __LINE__ + 5 };

static PT_ASYNC(fragile, self)
{
    if (self->kind == REFUSES)
        PT_RETURN(PT_EIO);
    else if (self->kind == HAS_ITS_OWN_CODE)
        PT_RETURN(-100);
    PT_WAIT(PT_MS(self->kind == WAITS ? 1000 : 1));
}
PT_END

struct caller {
    struct pt pt;
    struct fragile fragile;
    enum ending kind;
};

enum { CALLER_LINE = __LINE__ + 4 };

static PT_ASYNC(caller, self)
{
    PT_TRY(&self->fragile, fragile, .kind = self->kind);
    trace_add("goes on ");
}
PT_END

static void check_end(const struct pt_task *task, const char *format, int line)
{
    char wanted[sizeof __FILE__ + 200];

    pt_dump_task(task, 1, print, NULL);
    snprintf(wanted, sizeof wanted, format, __FILE__, line);
    ck_assert_trace(wanted);
}

/* A group whose tasks end in KINDS; the first failure decides. */
struct family {
    struct pt pt;
    struct pt_group both;
    PT_TASK(caller) first, second;
    enum ending kind, other;
};

enum { FAMILY_LINE = __LINE__ + 8 };

static PT_ASYNC(family, self)
{
    PT_WITH_GROUP(&self->both, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->both, &self->first, caller, .kind = self->kind);
        PT_SPAWN_IN(&self->both, &self->second, caller, .kind = self->other);
    }
    PT_RETURN(self->both.status);
    PT_FINALLY
    trace_add("family ");
}
PT_END

START_TEST(a_task_that_is_done_is_shown_with_its_code_and_the_line_of_it)
{
    static PT_TASK(family) family;

    test_zero(family);
    test_open(&world);
    PT_START(&world.loop, &family, family, .kind = WAITS, .other = REFUSES);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("family ");
    ck_assert_ptr_eq(family.frame.both.decider, &family.frame.second.task);
    check_end(family.frame.both.decider,
              "    caller: is done, with PT_EIO\n        at fragile (%s:%d)\n", FRAGILE_LINE);
    check_end(&family.frame.first.task,
              "    caller: is done, with PT_ECANCELED\n        at caller (%s:%d)\n", CALLER_LINE);
    check_end(&family.task, "    family: is done, with PT_EIO\n        at family (%s:%d)\n",
              FAMILY_LINE);
    test_close(&world);
}
END_TEST

START_TEST(a_code_of_the_program_is_shown_as_a_number_and_success_without_a_line)
{
    static PT_TASK(caller) caller;

    test_zero(caller);
    test_open(&world);
    PT_START(&world.loop, &caller, caller, .kind = HAS_ITS_OWN_CODE);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    check_end(&caller.task, "    caller: is done, with -100\n        at fragile (%s:%d)\n",
              FRAGILE_LINE + 2);
    PT_START(&world.loop, &caller, caller, .kind = SUCCEEDS);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("goes on ");
    check_end(&caller.task, "    caller: is done\n", 0);
    test_close(&world);
}
END_TEST

#if PT_SYNC
/* Locks what it holds, behind a wait: the inner block ends it. */
struct locker {
    struct pt pt;
    struct pt_lock lock;
    struct pt_held outer, inner;
};

enum { LOCKER_LINE = __LINE__ + 7 };

static PT_ASYNC(locker, self)
{
    pt_lock_init(&self->lock);
    PT_YIELD();
    PT_WITH_LOCK(&self->outer, &self->lock) {
        PT_WITH_LOCK(&self->inner, &self->lock) {
            trace_add("twice ");
        }
    }
}
PT_END

START_TEST(a_function_that_a_block_ends_is_shown_with_the_line_of_the_block)
{
    static PT_TASK(locker) locker;

    test_zero(locker);
    test_open(&world);
    PT_START(&world.loop, &locker, locker);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    check_end(&locker.task, "    locker: is done, with PT_EDEADLK\n        at locker (%s:%d)\n",
              LOCKER_LINE);
    test_close(&world);
}
END_TEST
#endif

/* What is called by hand has no line: its caller's counts. */
struct hand_caller {
    struct pt pt;
    struct by_hand by_hand;
};

enum { HAND_LINE = __LINE__ + 4 };

static PT_ASYNC(hand_caller, self)
{
    PT_TRY(&self->by_hand, by_hand);
}
PT_END

#if PT_SITE_FITS_
START_TEST(a_line_too_far_from_the_caller_leaves_its_own)
{
    struct pt far, caller;

    test_zero(far);
    test_zero(caller);
    far.fn = PT_FN(by_hand);
    caller.fn = (pt_fn *)((uintptr_t)far.fn ^ (uintptr_t)1 << 40); /* as if in another library */
    caller.site = 17;
    pt_site_mark_(&far, (const struct pt_site_ *)(uintptr_t)far.fn + 1);
    pt_site_take_(&caller, &far);
    ck_assert_int_eq(caller.site, 17);
}
END_TEST
#endif

START_TEST(a_function_without_a_line_leaves_that_of_its_caller)
{
    static PT_TASK(hand_caller) caller;

    test_zero(caller);
    test_open(&world);
    PT_START(&world.loop, &caller, hand_caller);
    pt_loop_turn(&world.loop, TEST_START);
    caller.frame.by_hand.pt.result = PT_EBUSY;
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    check_end(&caller.task,
              "    hand_caller: is done, with PT_EBUSY\n        at hand_caller (%s:%d)\n",
              HAND_LINE);
    test_close(&world);
}
END_TEST
#endif

#if PT_TRACE && defined(PT_SAVE_H) /* the single header is without it */
/* Suspends again and again at two places. */
struct pacer {
    struct pt pt;
    int times;
};

enum { PACER_LINE = __LINE__ + 5 };

static PT_ASYNC(pacer, self)
{
    while (self->times--) {
        PT_YIELD();
        PT_WAIT(PT_MS(1));
    }
}
PT_END

/* The sites in a file, by their lines, and how many suspensions it has, to the trace. */
static void add_sites(FILE *file)
{
    struct pt_trace_event event;
    int suspensions = 0;

    while (fread(&event, sizeof event, 1, file) == 1) {
        if (event.kind == PT_TRACE_SITE)
            trace_add("+%d ", (int)event.time - PACER_LINE);
        suspensions += event.kind == PT_TRACE_SUSPEND;
    }
    trace_add("%d", suspensions);
}

START_TEST(a_saved_trace_has_each_site_once_before_its_first_suspension)
{
    static PT_TASK(pacer) pacing;
    static struct pt_trace_event ring[128];
    char path[] = "/tmp/pt-sites-XXXXXX";
    struct pt_trace trace;
    FILE *file;

    ck_assert_int_ge(mkstemp(path), 0);
    test_zero(pacing);
    test_open(&world);
    pt_trace_start(&trace, &world.loop, ring, 128);
    ck_assert_int_eq(PT_START(&world.loop, &pacing, pacer, .times = 3), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(pt_trace_save(&trace, path), PT_OK);
    pt_trace_stop(&trace);
    test_close(&world);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    add_sites(file);
    fclose(file);
    unlink(path);
    ck_assert_trace("+0 +1 6");
}
END_TEST
#endif

#endif

Suite *suite_sites(void)
{
    Suite *suite = test_suite("sites");

#if PT_INSPECT && PT_AWAIT && PT_CANCEL
    test_add(suite, a_dump_with_sites_names_function_file_and_line);
#if PT_GROUPS && PT_JOINS
    test_add(suite, a_task_that_is_done_is_shown_with_its_code_and_the_line_of_it);
    test_add(suite, a_code_of_the_program_is_shown_as_a_number_and_success_without_a_line);
#if PT_SYNC
    test_add(suite, a_function_that_a_block_ends_is_shown_with_the_line_of_the_block);
#endif
#if PT_SITE_FITS_
    test_add(suite, a_line_too_far_from_the_caller_leaves_its_own);
#endif
    test_add(suite, a_function_without_a_line_leaves_that_of_its_caller);
#endif
#if PT_TRACE && defined(PT_SAVE_H)
    test_add(suite, a_saved_trace_has_each_site_once_before_its_first_suspension);
#endif
#endif
    return suite;
}
#else

Suite *suite_sites(void)
{
    return test_suite("sites");
}

#endif
