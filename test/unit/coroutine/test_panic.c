/* test_panic.c - misuse that no status code can report stops with a message
 * SPDX-License-Identifier: MIT
 *
 * This file switches the checks on. Its panic handler jumps back to the test. */
#undef PT_DEBUG
#define PT_DEBUG 1
#define PT_OTHER_KNOBS 1

#include "test_escape.h"

#if PT_PORT && PT_TIMERS && PT_POOLS

#define WRONG_LABEL \
    "resumed at an unknown label: was the frame overwritten, or is there a suspension in a switch?"

struct victim {
    struct pt pt;
    bool leave;
};

static PT_ASYNC(victim, self)
{
    PT_YIELD();
    if (self->leave)
        break;
    PT_WAIT(PT_MS(1));
}
PT_END

static struct victim frame;
static PT_TASK(victim) task;
static struct pt_loop loop;
static PT_LOOP_STORAGE(4) storage;

static void open_loop(void)
{
    test_zero(task);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
}

START_TEST(a_label_that_the_body_does_not_have_is_caught)
{
    PT_INIT(&frame, victim);
    frame.pt.label = 77;
    ck_assert_panic(pt_next(&frame.pt), "victim: " WRONG_LABEL);
}
END_TEST

START_TEST(a_break_that_leaves_a_body_is_caught)
{
    PT_INIT(&frame, victim, .leave = true);
    ck_assert(pt_next(&frame.pt));
    panic_line = 0;
    ck_assert_panic(pt_next(&frame.pt),
                    PT_TEXT(PT_FN(victim)) ": break leaves the body: end it by PT_RETURN");
    ck_assert_uint_ne(panic_line, 0);
}
END_TEST

START_TEST(an_opcode_that_needs_a_loop_stops_a_generator)
{
    PT_INIT(&frame, victim, .leave = false);
    ck_assert(pt_next(&frame.pt));
    ck_assert_panic(pt_next(&frame.pt), "WAIT: a generator has no loop to carry this opcode out");
}
END_TEST

struct breeder {
    struct pt pt;
};

static PT_ASYNC(breeder, self)
{
    PT_SPAWN_NEW(victim, .leave = false);
}
PT_END

START_TEST(a_generator_has_no_loop_to_spawn_in)
{
    static struct breeder breeder;

    PT_INIT(&breeder, breeder);
    ck_assert_panic(pt_next(&breeder.pt), "PT_SPAWN_NEW: a generator has no loop to spawn in");
}
END_TEST

#if PT_CHANNELS
static struct pt_lock kept;
static struct pt_rwlock written;

struct keeper {
    struct pt pt;
    int what;
#if PT_SELECTS
    PT_SELECTION(1) choice;
#endif
};

static PT_ASYNC(keeper, self)
{
    if (self->what == 0)
        PT_LOCK(&kept);
    if (self->what == 1)
        PT_LOCK_EXCLUSIVE(&written);
#if PT_SELECTS
    if (self->what == 2)
        PT_SELECT_NOW(&self->choice, PT_CASE_LOCK(&kept));
#endif
    PT_YIELD();
}
PT_END

START_TEST(a_generator_cannot_hold_a_lock)
{
    static const char *const messages[] = {"PT_LOCK: a generator cannot hold a lock",
                                           "PT_LOCK_EXCLUSIVE: a generator cannot hold a lock",
                                           "PT_CASE_LOCK: a generator cannot hold a lock"};
    static struct keeper keeper;
    static int what; /* survives the longjmp of a panic */

    pt_lock_init(&kept);
    pt_rwlock_init(&written);
    for (what = 0; what < 2 + PT_SELECTS; what++) {
        PT_INIT(&keeper, keeper, .what = what);
        ck_assert_panic(pt_next(&keeper.pt), messages[what]);
    }
    ck_assert_ptr_null(kept.owner);
    ck_assert_ptr_null(written.writer);
}
END_TEST
#endif

static int bare(pt_label *label, bool leave)
{
    PT_BARE(*label)
    {
        PT_BARE_YIELD(1);
        if (leave)
            break;
        PT_BARE_YIELD(2);
    }
    PT_BARE_END(3);
}

START_TEST(a_bare_function_has_the_same_checks)
{
    static pt_label label;

    label = 77;
    ck_assert_panic(bare(&label, false), "PT_BARE: " WRONG_LABEL);
    label = 0;
    ck_assert_int_eq(bare(&label, true), 1);
    ck_assert_panic(bare(&label, true), "bare: break leaves the body: end it by PT_RETURN");
    label = 0;
    trace_add("%d", bare(&label, false));
    trace_add("%d", bare(&label, false));
    trace_add("%d", bare(&label, false));
    trace_add("%d", bare(&label, false));
    ck_assert_trace("1233");
}
END_TEST

START_TEST(starting_a_task_that_runs_is_caught)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &task, victim), PT_OK);
    ck_assert_panic(
        (void)PT_START(&loop, &task, victim),
        "the start of victim: the task in this storage still runs: join it first; or the storage "
        "was never zeroed: make it static, or clear it");
    ck_assert_panic(pt_spawn(&loop, &task.task), "pt_spawn: the task still runs");
}
END_TEST

struct recursive {
    struct pt pt;
};

static PT_ASYNC(recursive, self)
{
    pt_loop_turn(&loop, PT_NOW());
}
PT_END

START_TEST(a_turn_from_a_task_of_the_same_loop_is_caught)
{
    static PT_TASK(recursive) turner;

    open_loop();
    test_zero(turner);
    PT_START(&loop, &turner, recursive);
    ck_assert_panic(pt_loop_turn(&loop, TEST_START),
                    "pt_loop_turn: called from a task of the same loop");
}
END_TEST

#if PT_AWAIT && PT_CLEANUP && (PT_HOSTED || PT_DEBUG)
struct nest {
    struct pt pt;
    struct nest *next;
};

static PT_ASYNC(nest, self)
{
    PT_FINALLY
    PT_WAIT_COMPLETE(self->next, nest, .next = self->next + 1);
}
PT_END

START_TEST(cleanups_that_nest_too_deep_are_caught)
{
    static struct nest nests[PT_CLEANING_MOST_ / 2 + 2];
    static PT_TASK(nest) nested;

    open_loop();
    test_zero(nests);
    test_zero(nested);
    PT_START(&loop, &nested, nest, .next = nests);
    ck_assert_panic(pt_loop_turn(&loop, TEST_START), "PT_WAIT_COMPLETE: too many nested cleanups");
}
END_TEST
#endif

#if PT_REMOTE && PT_SYNC && PT_AWAIT
START_TEST(foreign_code_without_a_start_stops_the_program)
{
    static PT_TASK(pt_foreign) call;

    test_zero(call);
    open_loop();
    PT_START(&loop, &call, pt_foreign);
    ck_assert_panic(pt_loop_turn(&loop, TEST_START), "pt_foreign: it has no .start");
}
END_TEST
#endif

#if PT_NESTING && PT_REMOTE
START_TEST(a_post_to_a_nested_loop_is_caught)
{
    static PT_TASK(pt_loop_async) runner;
    static PT_LOOP_STORAGE(4) room;
    static struct pt_loop inner;
    static struct pt_remote remote;

    open_loop();
    test_zero(runner);
    pt_loop_init(&inner, TEST_START);
    pt_loop_use(&inner, &room);
    pt_remote_open(&remote, &inner, pt_remote_wake, &task.task);
    PT_START(&inner, &task, victim, .leave = false);
    PT_START(&loop, &runner, pt_loop_async, .loop = &inner);
    pt_loop_turn(&loop, TEST_START);
    pt_remote_post(&remote);
    ck_assert_panic(pt_loop_turn(&loop, TEST_START),
                    "pt_remote_open: a remote of a nested loop: open it for the outermost loop");
}
END_TEST
#endif

START_TEST(closing_a_loop_with_live_tasks_is_caught)
{
    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, victim, .leave = false);
    ck_assert_panic(pt_loop_close(&world.loop), "pt_loop_close: tasks are still alive");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}
END_TEST

#if PT_TIMEOUTS
START_TEST(rearming_the_timeout_of_another_task_is_caught)
{
    static struct pt_scope open;

    open.state = PT_SCOPE_ENTERED_; /* but not in the chain of the task */
    ck_assert_panic(
        (void)pt_timeout_rearm_(&task.task, &open, 1),
        "PT_REARM: the block is another task's: only the task that opened it can change its "
        "deadline");
}
END_TEST
#endif

#if PT_SYNC
START_TEST(unlocking_a_lock_of_another_task_is_caught)
{
    static struct pt_lock lock;

    pt_lock_init(&lock);
    ck_assert_panic((void)pt_lock_release(&lock, &task.task),
                    "PT_UNLOCK: unlocked by a task that does not hold it");
    ck_assert_panic((void)pt_lock_release(&lock, NULL),
                    "PT_UNLOCK: unlocked by a task that does not hold it");
    ck_assert_panic((void)pt_lock_try(&lock, NULL), "pt_lock_try: the task is NULL");
}
END_TEST
#endif

#if PT_CHANNELS
START_TEST(releasing_a_read_write_lock_that_is_not_held_is_caught)
{
    static struct pt_rwlock lock;

    pt_rwlock_init(&lock);
    ck_assert_panic((void)pt_rwlock_release_shared(&lock),
                    "pt_rwlock_release_shared: nobody holds it");
    ck_assert_panic((void)pt_rwlock_release_exclusive(&lock, &task.task),
                    "pt_rwlock_release_exclusive: unlocked by a task that does not hold it");
    ck_assert_panic((void)pt_rwlock_release_exclusive(&lock, NULL),
                    "pt_rwlock_release_exclusive: unlocked by a task that does not hold it");
    ck_assert_panic((void)pt_rwlock_try_exclusive(&lock, NULL),
                    "pt_rwlock_try_exclusive: the task is NULL");
}
END_TEST
#endif

#if PT_CHANNELS
/* Waits for a condition with a lock that it does not hold, or with a rwlock that nobody holds. */
struct intruder {
    struct pt pt;
    bool reads;
};

static PT_ASYNC(intruder, self)
{
    static struct pt_condition changed;

    pt_condition_init(&changed);
    pt_lock_init(&kept);
    pt_rwlock_init(&written);
    if (self->reads)
        PT_WAIT_CONDITION(&changed, &written);
    else
        PT_WAIT_CONDITION(&changed, &kept);
}
PT_END

START_TEST(a_wait_for_a_condition_without_the_lock_is_caught)
{
    static PT_TASK(intruder) intruder;
    static int reads; /* survives the longjmp of a panic */

    for (reads = 0; reads < 2; reads++) {
        test_zero(intruder);
        open_loop();
        ck_assert_int_eq(PT_START(&loop, &intruder, intruder, .reads = reads == 1), PT_OK);
        ck_assert_panic(pt_loop_turn(&loop, test_at(0)),
                        "PT_WAIT_CONDITION: the task does not hold the lock, or holds it more than "
                        "once");
    }
}
END_TEST
#endif

#if PT_TIMERS_STORAGE_
START_TEST(a_push_into_a_full_heap_is_caught)
{
    static struct pt_heap_entry entries[1];
    static struct pt_heap_node nodes[2];
    static struct pt_heap heap;

    pt_heap_init(&heap, 0);
    pt_heap_storage(&heap, entries, 1);
    pt_heap_push(&heap, &nodes[0]);
    ck_assert_panic(pt_heap_push(&heap, &nodes[1]), "pt_heap_push: no room in the heap");
}
END_TEST
#endif

/* 256 cut to eight bits would be PT_OK. */
struct wide {
    struct pt pt;
    int code;
};

static PT_ASYNC(wide, self)
{
    PT_YIELD();
    PT_RETURN(self->code);
}
PT_END

START_TEST(a_code_that_does_not_fit_is_caught)
{
    static const int codes[] = {256, 128, -129, -128, -64, 127};
    struct wide wide;

    for (volatile int i = 0; i < 6; i++) {
        PT_INIT(&wide, wide, .code = codes[i]);
        ck_assert(pt_next(&wide.pt));
        if (i < 3) {
            ck_assert_panic(pt_next(&wide.pt), "PT_RETURN: a code is a number from -128 to 127");
            continue;
        }
        ck_assert(!pt_next(&wide.pt));
        ck_assert_int_eq(wide.pt.status, codes[i]);
    }
#if PT_CANCEL
    open_loop();
    PT_START(&loop, &task, victim, .leave = false);
    ck_assert_panic(pt_cancel(&task.task, codes[0]),
                    "pt_cancel: a code is a number from -128 to 127");
    ck_assert(!pt_task_canceled(&task.task));
#if PT_HAS_MEMBERS_
    ck_assert_panic(pt_loop_cancel(&loop, codes[1]),
                    "pt_cancel: a code is a number from -128 to 127");
#endif
#endif
}
END_TEST

#if PT_SITES
START_TEST(a_frame_knows_where_it_suspended)
{
    PT_INIT(&frame, victim, .leave = false);
    ck_assert_ptr_null(pt_site_of_(&frame.pt));
    ck_assert(pt_next(&frame.pt));
    ck_assert_str_eq(pt_site_of_(&frame.pt)->function, "victim");
    ck_assert(strstr(pt_site_of_(&frame.pt)->file, "test_panic.c") != NULL);
    ck_assert_uint_ne(pt_site_of_(&frame.pt)->line, 0);
}
END_TEST
#endif

Suite *suite_panic(void)
{
    Suite *suite = test_suite("panic");

    test_add(suite, a_label_that_the_body_does_not_have_is_caught);
    test_add(suite, a_code_that_does_not_fit_is_caught);
    test_add(suite, a_break_that_leaves_a_body_is_caught);
    test_add(suite, an_opcode_that_needs_a_loop_stops_a_generator);
    test_add(suite, a_generator_has_no_loop_to_spawn_in);
    test_add(suite, a_bare_function_has_the_same_checks);
    test_add(suite, starting_a_task_that_runs_is_caught);
    test_add(suite, a_turn_from_a_task_of_the_same_loop_is_caught);
#if PT_AWAIT && PT_CLEANUP && (PT_HOSTED || PT_DEBUG)
    test_add(suite, cleanups_that_nest_too_deep_are_caught);
#endif
#if PT_REMOTE && PT_SYNC && PT_AWAIT
    test_add(suite, foreign_code_without_a_start_stops_the_program);
#endif
#if PT_NESTING && PT_REMOTE
    test_add(suite, a_post_to_a_nested_loop_is_caught);
#endif
    test_add(suite, closing_a_loop_with_live_tasks_is_caught);
#if PT_TIMEOUTS
    test_add(suite, rearming_the_timeout_of_another_task_is_caught);
#endif
#if PT_SYNC
    test_add(suite, unlocking_a_lock_of_another_task_is_caught);
#endif
#if PT_CHANNELS
    test_add(suite, a_generator_cannot_hold_a_lock);
    test_add(suite, releasing_a_read_write_lock_that_is_not_held_is_caught);
    test_add(suite, a_wait_for_a_condition_without_the_lock_is_caught);
#endif
#if PT_TIMERS_STORAGE_
    test_add(suite, a_push_into_a_full_heap_is_caught);
#endif
#if PT_SITES
    test_add(suite, a_frame_knows_where_it_suspended);
#endif
    return suite;
}
#else

Suite *suite_panic(void)
{
    return test_suite("panic");
}

#endif
