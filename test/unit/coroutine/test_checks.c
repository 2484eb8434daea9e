/* test_checks.c - what PT_DEBUG finds in a body: its blocks, places, delays and frames
 * SPDX-License-Identifier: MIT
 *
 * This file switches the checks on. Its panic handler jumps back to the test. */
#undef PT_DEBUG
#define PT_DEBUG 1
#define PT_OTHER_KNOBS 1

#include "test_escape.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_TIMEOUTS

#define BODY(name) PT_TEXT(PT_FN(name)) ": "

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) storage;

/* Without memory: after a panic nothing would free it. */
static void open_loop(void)
{
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
}

static void one_turn(void)
{
    pt_loop_turn(&loop, TEST_START);
}

/* --- blocks --- */

#if PT_COUNTS_
struct jumper {
    struct pt pt;
    struct pt_scope limit;
    bool jumps;
};

static PT_ASYNC(jumper, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5))
        if (self->jumps)
            goto out;
out:
    PT_YIELD();
}
PT_END

START_TEST(a_block_that_a_goto_left_is_found_at_the_next_suspension)
{
    static PT_TASK(jumper) task;

    open_loop();
    test_zero(task);
    ck_assert_int_eq(PT_START(&loop, &task, jumper, .jumps = false), PT_OK);
    one_turn();
    one_turn();
    ck_assert(pt_task_done(&task.task));
    ck_assert_int_eq(PT_START(&loop, &task, jumper, .jumps = true), PT_OK);
    ck_assert_panic(one_turn(), BODY(jumper) "a block was left, or entered, by goto: leave it by "
                                             "break or PT_RETURN");
}
END_TEST
#endif

struct opener {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(opener, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5))
        PT_WITH_TIMEOUT(&self->limit, PT_MS(5))
            PT_YIELD();
}
PT_END

START_TEST(a_block_that_opens_again_inside_itself_is_caught)
{
    static PT_TASK(opener) task;

    open_loop();
    test_zero(task);
    ck_assert_int_eq(PT_START(&loop, &task, opener), PT_OK);
    ck_assert_panic(one_turn(), "PT_WITH_...: the scope is in use");
}
END_TEST

/* --- places --- */

#if PT_CHANNELS && defined(__GNUC__)
static PT_CHANNEL(int) channel;

struct taker {
    struct pt pt;
    bool here;
    int value;
};

static PT_ASYNC(taker, self)
{
    int value;

    (void)value;
    if (self->here)
        PT_RECV(&channel, &self->value);
    else
        PT_RECV(&channel, &value);
}
PT_END

START_TEST(a_place_that_is_a_local_is_caught_unless_the_body_has_a_stack)
{
    static PT_TASK(taker) takers[2];

    open_loop();
    test_zero(takers);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    ck_assert_int_eq(PT_START(&loop, &takers[0], taker, .here = true), PT_OK);
    one_turn();
    ck_assert_int_eq(PT_START(&loop, &takers[1], taker, .here = false), PT_OK);
#ifdef PT_BACKEND
    one_turn();
    pt_channel_close(&channel.channel);
    one_turn();
    ck_assert(pt_task_done(&takers[1].task));
#else
    ck_assert_panic(one_turn(), BODY(taker) "the place of the value is a local, which does not "
                                            "survive the suspension: make it a member, "
                                            "self->..., or static");
#endif
}
END_TEST
#endif

static struct opener openers[4];
static int taken;

static struct opener *next_opener(void)
{
    return &openers[taken++];
}

START_TEST(an_argument_that_is_another_one_at_each_evaluation_is_caught)
{
    ck_assert_panic(PT_INIT(next_opener(), opener),
                    "PT_INIT, or a start or an await: an argument has a side effect, and is "
                    "evaluated several times");
}
END_TEST

/* --- delays --- */

struct napper {
    struct pt pt;
    bool late;
    pt_time at;
    uint64_t delay;
};

static PT_ASYNC(napper, self)
{
    PT_WAIT(PT_MS(1));
    if (self->late)
        PT_WAIT(self->at - PT_NOW());
    PT_WAIT(self->delay);
}
PT_END

/* Start a nap that goes on after 1 ms. */
static void nap(bool late, uint64_t delay)
{
    static PT_TASK(napper) task;

    open_loop();
    test_zero(task);
    ck_assert_int_eq(PT_START(&loop, &task, napper, .late = late, .at = TEST_START, .delay = delay),
                     PT_OK);
    one_turn();
}

START_TEST(a_delay_to_a_time_that_has_passed_is_caught)
{
    nap(true, 0);
    ck_assert_panic(pt_loop_turn(&loop, test_at(1)),
                    BODY(napper) "PT_WAIT with a negative delay: for a time that may have passed "
                                 "use PT_WAIT_DEADLINE");
}
END_TEST

START_TEST(a_delay_over_the_longest_one_is_caught_and_the_longest_one_is_not)
{
    nap(false, PT_DELAY_MAX);
    pt_loop_turn(&loop, test_at(1));
    nap(false, PT_DELAY_NEVER);
    ck_assert_panic(pt_loop_turn(&loop, test_at(1)),
                    BODY(napper) "PT_WAIT with a delay over PT_DELAY_MAX: use a wider "
                                 "PT_TIME_BITS or slower ticks, or wait several times; or PT_MS "
                                 "of a negative number: wait only for a time that has not passed");
}
END_TEST

START_TEST(a_time_that_goes_back_is_caught_while_a_timer_is_armed)
{
    nap(false, 0);
    ck_assert_panic(pt_loop_turn(&loop, test_at(-1)),
                    "pt_loop_turn: the time went back: a counter must wrap at PT_TIME_BITS bits, "
                    "widen it or set PT_TIME_BITS to its width");
    open_loop();
    pt_loop_turn(&loop, test_at(-1));
}
END_TEST

/* --- frames --- */

struct leaf {
    struct pt pt;
};

static PT_ASYNC(leaf, self)
{
    PT_YIELD();
    PT_YIELD();
}
PT_END

#if PT_HAS_MEMBERS_ && PT_HAS_LOOP_ /* else nobody knows the other tasks of the loop */
struct branch {
    struct pt pt;
    struct leaf *leaf;
};

static PT_ASYNC(branch, self)
{
    PT_WAIT_COMPLETE(self->leaf, leaf);
}
PT_END

struct trunk {
    struct pt pt;
    struct branch branch;
    struct leaf *leaf;
};

static PT_ASYNC(trunk, self)
{
    PT_WAIT_COMPLETE(&self->branch, branch, .leaf = self->leaf);
}
PT_END

START_TEST(a_frame_that_runs_for_another_task_is_caught_at_each_depth)
{
    static PT_TASK(trunk) trunks[2];
    static struct leaf leaves[2];

    open_loop();
    test_zero(trunks);
    ck_assert_int_eq(PT_START(&loop, &trunks[0], trunk, .leaf = &leaves[0]), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &trunks[1], trunk, .leaf = &leaves[1]), PT_OK);
    for (int i = 0; i < 3; i++)
        one_turn();
    ck_assert(pt_task_done(&trunks[0].task));
    ck_assert(pt_task_done(&trunks[1].task));
    ck_assert_int_eq(PT_START(&loop, &trunks[0], trunk, .leaf = &leaves[0]), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &trunks[1], trunk, .leaf = &leaves[0]), PT_OK);
    ck_assert_panic(one_turn(),
                    "the start of leaf: the frame runs already, for another task, or has "
                    "one in it that does: give each task, and each level of a "
                    "recursion, a frame of its own");
}
END_TEST
#endif

struct circle {
    struct pt pt;
    struct circle *next;
};

static PT_ASYNC(circle, self)
{
    PT_WAIT_COMPLETE(self->next, circle, PT_KEEP);
}
PT_END

START_TEST(a_frame_that_awaits_itself_is_caught_at_each_depth)
{
    static PT_TASK(circle) task;
    static struct circle inner;

    open_loop();
    test_zero(task);
    inner.next = &task.frame;
    ck_assert_int_eq(PT_START(&loop, &task, circle, .next = &inner), PT_OK);
    ck_assert_panic(one_turn(), "PT_WAIT_COMPLETE: the frame runs already, and awaits itself: give "
                                "each level of a recursion a frame of its own");
}
END_TEST

#if PT_SUBGENERATORS
struct ring {
    struct pt pt;
    struct ring *inner;
};

static PT_ASYNC(ring, self)
{
    PT_YIELD();
    PT_YIELD_FROM(self->inner, ring, PT_KEEP);
}
PT_END

START_TEST(a_generator_that_yields_from_itself_is_caught)
{
    static struct ring rings[2];

    rings[0].inner = &rings[1];
    rings[1].inner = &rings[0];
    PT_INIT(&rings[0], ring, PT_KEEP);
    ck_assert(pt_next(&rings[0].pt));
    ck_assert(pt_next(&rings[0].pt)); /* of the inner one */
    ck_assert_panic(pt_next(&rings[0].pt),
                    "PT_YIELD_FROM: the frame runs already, and yields from itself: give each "
                    "level of a recursion a frame of its own");
}
END_TEST
#endif

START_TEST(a_frame_that_was_not_initialized_is_caught)
{
    static struct leaf zeroed;
    static PT_TASK(leaf) task;

    ck_assert_panic(pt_next(&zeroed.pt), "pt_next: the frame was not initialized: call PT_INIT");
    open_loop();
    ck_assert_panic((void)pt_spawn(&loop, &task.task),
                    "pt_spawn: the task was not prepared: call PT_PREPARE");
}
END_TEST

/* --- selections --- */

#if PT_SELECTS
struct chooser {
    struct pt pt;
    PT_SELECTION(1) choice;
    struct chooser *from;
    bool init;
};

static PT_ASYNC(chooser, self)
{
    if (self->from)
        self->choice = self->from->choice;
    if (self->init)
        pt_select_init(&self->choice);
    PT_SELECT(&self->choice, PT_CASE_AFTER(PT_MS(1)));
}
PT_END

START_TEST(a_copy_of_a_selection_that_was_used_is_caught_unless_it_is_initialized)
{
    static PT_TASK(chooser) choosers[4];
    struct chooser *used = &choosers[1].frame;

    open_loop();
    test_zero(choosers);
    PT_START(&loop, &choosers[0], chooser, .from = used); /* a copy of one that was not used */
    one_turn();
    PT_START(&loop, &choosers[1], chooser, .from = NULL);
    one_turn();
    PT_START(&loop, &choosers[2], chooser, .from = used, .init = true);
    one_turn();
    PT_START(&loop, &choosers[3], chooser, .from = used);
    ck_assert_panic(one_turn(), "PT_SELECT: the selection was not zeroed, or it is a copy of one "
                                "that was used: call pt_select_init");
}
END_TEST
#endif

/* --- groups --- */

#if PT_GROUPS
struct joiner {
    struct pt pt;
    struct pt_group *group;
};

static PT_ASYNC(joiner, self)
{
    PT_JOIN_GROUP(self->group);
}
PT_END

START_TEST(a_join_of_no_group_is_caught)
{
    static PT_TASK(joiner) task;

    open_loop();
    test_zero(task);
    PT_START(&loop, &task, joiner, .group = NULL);
    ck_assert_panic(one_turn(), "PT_JOIN_GROUP: the group is NULL");
}
END_TEST
#endif

/* --- messages --- */

#if PT_CHANNELS && PT_REMOTE
/* Post the messages that SCRIPT names, and receive one for each '-'; then, after a close if it ends
 * with one, receive what is left. */
static void talk(const char *script, bool closes)
{
    static struct pt_mail mails[3];
    static struct pt_mailbox box;
    int left = 0;

    open_loop();
    pt_mailbox_open(&box, &loop);
    for (; *script; script++)
        if (*script == '-')
            left -= pt_mailbox_try(&box) != NULL;
        else
            left += pt_mailbox_post(&box, &mails[*script - 'A']) == PT_OK;
    if (closes)
        pt_mailbox_close(&box);
    while (left--)
        ck_assert_ptr_nonnull(pt_mailbox_try(&box));
    ck_assert_ptr_null(pt_mailbox_try(&box));
}

/* Write the script with the NUMBER: posts and receives. Returns how often a message is posted again
 * before it is received. */
static int write_script(char *script, int number)
{
    char queue[8];
    int first = 0, last = 0, again = 0;

    for (; number; number /= 4) {
        *script = "-ABC"[number % 4];
        if (*script != '-') {
            again += memchr(queue + first, *script, (size_t)(last - first)) != NULL;
            queue[last++] = *script;
        } else if (first < last) {
            first++;
        }
        script++;
    }
    *script = 0;
    return again;
}

static void talk_in_vain(const char *script, bool closes)
{
    ck_assert_panic(talk(script, closes),
                    "a post: a message was posted again before it was received");
}

START_TEST(a_message_that_is_posted_again_before_it_is_received_is_caught)
{
    char script[8];

    for (int number = 0; number < 1 << 15; number++) {
        int again = write_script(script, number / 2);
        bool closes = number % 2;

        if (again == 0)
            talk(script, closes);
        if (again == 1)
            talk_in_vain(script, closes);
    }
}
END_TEST
#endif

#if PT_HAS_STUCK_
START_TEST(a_pointer_that_is_kept_twice_by_one_declaration_is_caught)
{
    static struct pt_kept kept, other;

    open_loop();
    pt_keep(&loop, &kept, &loop);
    pt_keep(&loop, &other, &loop);
    ck_assert_panic(pt_keep(&loop, &kept, &loop), "pt_keep: it is kept already");
    pt_unkeep(&loop, &kept);
    pt_keep(&loop, &kept, &loop);
}
END_TEST
#endif

/* --- loops --- */

START_TEST(a_loop_without_a_port_does_not_run)
{
    open_loop();
    ck_assert_panic((void)pt_loop_run(&loop),
                    "pt_loop_run: the loop has no port: call pt_loop_open, or pt_loop_turn");
}
END_TEST

#if PT_LOOP_HAS_STORAGE_
START_TEST(a_spawn_in_a_loop_without_storage_is_caught)
{
    static PT_TASK(leaf) task;

    pt_loop_init(&loop, TEST_START);
    ck_assert_panic((void)PT_START(&loop, &task, leaf),
                    "a spawn: its loop has no storage: call pt_loop_use, or open it on a port with "
                    "memory");
}
END_TEST
#endif

Suite *suite_checks(void)
{
    Suite *suite = test_suite("checks");

#if PT_COUNTS_
    test_add(suite, a_block_that_a_goto_left_is_found_at_the_next_suspension);
#endif
    test_add(suite, a_block_that_opens_again_inside_itself_is_caught);
#if PT_CHANNELS && defined(__GNUC__)
    test_add(suite, a_place_that_is_a_local_is_caught_unless_the_body_has_a_stack);
#endif
    test_add(suite, an_argument_that_is_another_one_at_each_evaluation_is_caught);
    test_add(suite, a_delay_to_a_time_that_has_passed_is_caught);
    test_add(suite, a_delay_over_the_longest_one_is_caught_and_the_longest_one_is_not);
    test_add(suite, a_time_that_goes_back_is_caught_while_a_timer_is_armed);
#if PT_HAS_MEMBERS_ && PT_HAS_LOOP_
    test_add(suite, a_frame_that_runs_for_another_task_is_caught_at_each_depth);
#endif
    test_add(suite, a_frame_that_awaits_itself_is_caught_at_each_depth);
#if PT_SUBGENERATORS
    test_add(suite, a_generator_that_yields_from_itself_is_caught);
#endif
    test_add(suite, a_frame_that_was_not_initialized_is_caught);
#if PT_SELECTS
    test_add(suite, a_copy_of_a_selection_that_was_used_is_caught_unless_it_is_initialized);
#endif
#if PT_GROUPS
    test_add(suite, a_join_of_no_group_is_caught);
#endif
#if PT_CHANNELS && PT_REMOTE
    test_add(suite, a_message_that_is_posted_again_before_it_is_received_is_caught);
#endif
#if PT_HAS_STUCK_
    test_add(suite, a_pointer_that_is_kept_twice_by_one_declaration_is_caught);
#endif
    test_add(suite, a_loop_without_a_port_does_not_run);
#if PT_LOOP_HAS_STORAGE_
    test_add(suite, a_spawn_in_a_loop_without_storage_is_caught);
#endif
    return suite;
}
#else

Suite *suite_checks(void)
{
    return test_suite("checks");
}

#endif
