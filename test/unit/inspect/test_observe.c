/* test_observe.c - observers are called for each step and can choose the next task
 * SPDX-License-Identifier: MIT */
/* with the room stack: others of its own have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT

#if PT_INSPECT && PT_PAUSE

static void end_world(void)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

/* --- callbacks --- */

/* Traces each call, with its name in front. */
struct reporter {
    struct pt_observer observer;
    char name;
};

static char name_of(const struct pt_observer *observer)
{
    return ((const struct reporter *)(const void *)observer)->name;
}

static void report_resumes(struct pt_observer *observer, struct pt_task *task)
{
    trace_add("%c>%s ", name_of(observer), pt_task_name(task));
}

static void report_returned(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    trace_add("%c<%s:%s ", name_of(observer), pt_task_name(task), pt_op_name(op));
}

static void report_ended(struct pt_observer *observer, struct pt_task *task)
{
    ck_assert(!pt_task_alive(task));
    trace_add("%c.%s ", name_of(observer), pt_task_name(task));
}

static void report_turned(struct pt_observer *observer, struct pt_loop *loop)
{
    ck_assert_ptr_eq(loop, &world.loop);
    trace_add("%c| ", name_of(observer));
}

static struct reporter new_reporter(char name)
{
    struct reporter self;

    memset(&self, 0, sizeof self);
    self.name = name;
    self.observer.resumes = report_resumes;
    self.observer.returned = report_returned;
    self.observer.ended = report_ended;
    self.observer.turned = report_turned;
    return self;
}

struct leaf {
    struct pt pt;
};

static PT_ASYNC(leaf, self)
{
    PT_YIELD();
}
PT_END

struct branch {
    struct pt pt;
    struct leaf awaited;
};

static PT_TASK(leaf) leaf_task;

static PT_ASYNC(branch, self)
{
    PT_SPAWN(&leaf_task, leaf);
    PT_WAIT_COMPLETE(&self->awaited, leaf);
    PT_WAIT(PT_MS(1));
}
PT_END

static PT_TASK(branch) branch_task;

static void open_world(void)
{
    test_zero(leaf_task);
    test_zero(branch_task);
    test_open(&world);
}

START_TEST(an_observer_is_called_for_each_step_each_end_and_each_turn)
{
    struct reporter a = new_reporter('a');

    open_world();
    pt_loop_observe(&world.loop, &a.observer);
    PT_START(&world.loop, &branch_task, branch);
    end_world();
    ck_assert_trace("a>branch a<branch:SPAWN a>branch a<branch:WAIT_COMPLETE a>branch "
                    "a<branch:YIELD a| "
                    "a>leaf a<leaf:YIELD a>branch a<branch:DONE a>branch a<branch:WAIT a| "
                    "a>leaf a<leaf:DONE a.leaf a| "
                    "a>branch a<branch:DONE a.branch a| ");
}
END_TEST

START_TEST(of_several_observers_the_last_one_added_is_called_first)
{
    struct reporter a = new_reporter('a'), b = new_reporter('b'), c = new_reporter('c');

    open_world();
    PT_START(&world.loop, &leaf_task, leaf);
    pt_loop_observe(&world.loop, &a.observer);
    pt_loop_observe(&world.loop, &b.observer);
    pt_loop_observe(&world.loop, &c.observer);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("c>leaf b>leaf a>leaf c<leaf:YIELD b<leaf:YIELD a<leaf:YIELD c| b| a| ");
    pt_loop_ignore(&world.loop, &b.observer);
    pt_loop_ignore(&world.loop, &b.observer);  /* no effect */
    pt_loop_observe(&world.loop, &a.observer); /* it moves to the front */
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("a>leaf c>leaf a<leaf:DONE c<leaf:DONE a.leaf c.leaf a| c| ");
    pt_loop_ignore(&world.loop, &c.observer);
    pt_loop_ignore(&world.loop, &a.observer);
    PT_START(&world.loop, &leaf_task, leaf);
    end_world();
    ck_assert_trace("");
}
END_TEST

START_TEST(an_observer_without_callbacks_is_not_called)
{
    struct pt_observer deaf;
    struct reporter a = new_reporter('a');

    memset(&deaf, 0, sizeof deaf);
    a.observer.resumes = NULL;
    a.observer.ended = NULL;
    open_world();
    PT_START(&world.loop, &leaf_task, leaf);
    pt_loop_observe(&world.loop, &a.observer);
    pt_loop_observe(&world.loop, &deaf);
    end_world();
    ck_assert_trace("a<leaf:YIELD a| a<leaf:DONE a| ");
}
END_TEST

#if PT_CANCEL
START_TEST(an_observer_sees_the_first_step_of_a_task_that_is_canceled_before_it)
{
    struct reporter a = new_reporter('a');

    open_world();
    pt_loop_observe(&world.loop, &a.observer);
    PT_START(&world.loop, &leaf_task, leaf);
    pt_cancel(&leaf_task.task, PT_ECANCELED);
    end_world();
    ck_assert_trace("a>leaf a<leaf:YIELD a| a>leaf a<leaf:DONE a.leaf a| ");
}
END_TEST
#endif

#if PT_TIMEOUTS && PT_CLEANUP
/* Returns from a block, to its cleanup. */
struct leaver {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(leaver, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_YIELD();
        PT_RETURN(PT_EAGAIN);
    }
    PT_FINALLY
    trace_add("cleanup ");
    PT_YIELD();
}
PT_END

START_TEST(a_cleanup_after_a_return_from_a_block_is_a_part_of_the_step_that_an_observer_sees)
{
    struct reporter a = new_reporter('a');
    PT_TASK(leaver) storage;

    open_world();
    test_zero(storage);
    pt_loop_observe(&world.loop, &a.observer);
    PT_START(&world.loop, &storage, leaver);
    end_world();
    ck_assert_trace("a>leaver a<leaver:YIELD a| a>leaver cleanup a<leaver:YIELD a| "
                    "a>leaver a<leaver:DONE a.leaver a| ");
    ck_assert_int_eq(storage.frame.pt.status, PT_EAGAIN);
}
END_TEST
#endif

#if PT_GROUPS
/* Returns from a group whose task takes a while to end, in its cleanup or before. */
struct guardian {
    struct pt pt;
    bool early;
    struct pt_group group;
    PT_TASK(leaf) ward;
};

static PT_ASYNC(guardian, self)
{
    if (self->early)
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->ward, leaf);
            PT_YIELD();
            PT_RETURN(PT_OK);
        }
    PT_FINALLY
    if (!self->early)
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->ward, leaf);
            PT_YIELD();
            PT_RETURN(PT_OK);
        }
}
PT_END

START_TEST(an_observer_is_called_once_when_a_frame_returns_from_a_busy_group)
{
    struct reporter a = new_reporter('a');
    PT_TASK(guardian) storage;

    for (int early = 0; early < 2; early++) {
        open_world();
        test_zero(storage);
        pt_loop_observe(&world.loop, &a.observer);
        PT_START(&world.loop, &storage, guardian, .early = early);
        end_world();
        ck_assert_trace("a>guardian a<guardian:SPAWN a>guardian a<guardian:YIELD a| "
                        "a>leaf a<leaf:YIELD a>guardian a<guardian:PARK a| "
                        "a>leaf a<leaf:DONE a.leaf a| a>guardian a<guardian:DONE a.guardian a| ");
    }
}
END_TEST
#endif

/* --- choosing --- */

struct speaker {
    struct pt pt;
    char name;
    int times;
};

static PT_ASYNC(speaker, self)
{
    for (; self->times > 0; self->times--) {
        trace_add("%c", self->name);
        PT_YIELD();
    }
}
PT_END

static PT_TASK(speaker) speakers[4];

static void open_speakers(int count, int times)
{
    open_world();
    test_zero(speakers);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            PT_START(&world.loop, &speakers[i], speaker, .name = (char)('a' + i), .times = times),
            PT_OK);
}

static size_t pick_first(struct pt_observer *observer, const struct pt_choice *choice)
{
    (void)observer;
    (void)choice;
    return 0;
}

static size_t pick_last(struct pt_observer *observer, const struct pt_choice *choice)
{
    (void)observer;
    return choice->count - 1;
}

/* Picks the second task, if there is one, and traces the tasks that it could pick. */
static size_t pick_second(struct pt_observer *observer, const struct pt_choice *choice)
{
    (void)observer;
    trace_add("(");
    for (size_t i = 0; i < choice->count; i++)
        trace_add("%c", ((struct speaker *)(void *)pt_choice_task(choice, i)->top)->name);
    trace_add(")");
    return choice->count > 1;
}

/* The trace of a loop with this picking observer. */
static const char *picked(size_t (*pick)(struct pt_observer *, const struct pt_choice *))
{
    struct pt_observer chooser;

    memset(&chooser, 0, sizeof chooser);
    chooser.pick = pick;
    open_speakers(4, 1);
    pt_loop_observe(&world.loop, &chooser);
    end_world();
    return trace_take();
}

START_TEST(an_observer_chooses_the_next_task)
{
    ck_assert_str_eq(picked(NULL), "abcd");
    ck_assert_str_eq(picked(pick_first), "abcd");
    ck_assert_str_eq(picked(pick_last), "dcba");
}
END_TEST

START_TEST(tasks_that_are_not_chosen_keep_their_order)
{
    ck_assert_str_eq(picked(pick_second), "(abcd)b(acd)c(ad)d(a)a(bcda)(bda)(ba)(b)");
}
END_TEST

START_TEST(of_several_observers_that_choose_the_last_one_added_decides)
{
    struct pt_observer first, last;
    struct reporter mute = new_reporter('m');

    memset(&first, 0, sizeof first);
    memset(&last, 0, sizeof last);
    memset(&mute.observer, 0, sizeof mute.observer);
    first.pick = pick_first;
    last.pick = pick_last;
    open_speakers(3, 3);
    pt_loop_observe(&world.loop, &first);
    pt_loop_observe(&world.loop, &last);
    pt_loop_observe(&world.loop, &mute.observer);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("cba");
    pt_loop_ignore(&world.loop, &last);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("cba"); /* the order in which they were queued */
    pt_loop_observe(&world.loop, &last);
    end_world();
    ck_assert_trace("abc");
}
END_TEST

START_TEST(a_choice_is_among_the_tasks_of_the_turn)
{
    struct pt_observer chooser;

    memset(&chooser, 0, sizeof chooser);
    chooser.pick = pick_last;
    open_speakers(2, 2); /* each yields; no task runs twice in a turn */
    pt_loop_observe(&world.loop, &chooser);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("ba");
    pt_pause(&speakers[0].task);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("b");
    pt_resume(&speakers[0].task);
    end_world();
    ck_assert_trace("a");
}
END_TEST

/* Traces how many tasks are ready. */
static size_t pick_and_count(struct pt_observer *observer, const struct pt_choice *choice)
{
    (void)observer;
    trace_add("(%d of %d)", (int)choice->count, (int)pt_loop_ready(&world.loop));
    return choice->count - 1;
}

START_TEST(an_observer_that_chooses_sees_how_many_tasks_are_ready)
{
    ck_assert_str_eq(picked(pick_and_count), "(4 of 4)d(3 of 4)c(2 of 4)b(1 of 4)a"
                                             "(4 of 4)(3 of 3)(2 of 2)(1 of 1)");
}
END_TEST

/* --- the ready queue --- */

enum { NODES = 6 };

static struct pt_node nodes[NODES];

/* Promote the Ith task of a batch whose first TAKEN are gone, and compare with a naive model. */
static void promote(unsigned start, size_t taken, size_t i)
{
    struct pt_ready_ ready;
    struct pt_batch_ batch;
    struct pt_node *node = NULL;
    char expected[NODES + 1] = "", got[NODES + 1] = "";
    size_t length = 0;
#if PT_READY_STORAGE_
    struct pt_node *ring[8 + PT_READY_AHEAD_];
#endif

    pt_ready_init_(&ready);
#if PT_READY_STORAGE_
    ready.head = ready.tail = start;
    pt_ready_storage_(&ready, ring, 8);
#endif
    (void)start;
    for (int n = 0; n < NODES - 1; n++)
        pt_ready_push_(&ready, &nodes[n]);
    batch = pt_ready_begin_(&ready);
    for (size_t n = 0; n < taken; n++)
        pt_ready_take_(&ready, &batch, &node, 0);
    pt_ready_push_(&ready, &nodes[NODES - 1]); /* for the next batch */
    ck_assert_uint_eq(pt_ready_left_(&ready, &batch), NODES - 1 - taken);
    for (size_t n = 0; n < pt_ready_left_(&ready, &batch); n++)
        ck_assert_ptr_eq(pt_ready_peek_(&ready, &batch, n), &nodes[taken + n]);
    pt_ready_promote_(&ready, &batch, i);
    expected[length++] = (char)('0' + taken + i);
    for (size_t n = taken; n < NODES - 1; n++)
        if (n != taken + i)
            expected[length++] = (char)('0' + n);
    for (length = 0; pt_ready_take_(&ready, &batch, &node, 0); length++)
        got[length] = (char)('0' + (node - nodes));
    ck_assert_str_eq(got, expected);
    batch = pt_ready_begin_(&ready);
    ck_assert(pt_ready_take_(&ready, &batch, &node, 0));
    ck_assert_ptr_eq(node, &nodes[NODES - 1]);
    ck_assert(!pt_ready_take_(&ready, &batch, &node, 0));
}

START_TEST(any_task_of_a_batch_can_be_promoted_even_across_the_wrap)
{
    for (unsigned start = 0; start < 8; start++)
        for (size_t taken = 0; taken < NODES - 1; taken++)
            for (size_t i = 0; i < NODES - 1 - taken; i++) {
                promote(start, taken, i);
                promote(0u - start, taken, i);
            }
}
END_TEST

#endif

Suite *suite_observe(void)
{
    Suite *suite = test_suite("observe");

#if PT_INSPECT && PT_PAUSE
    test_add(suite, an_observer_is_called_for_each_step_each_end_and_each_turn);
    test_add(suite, of_several_observers_the_last_one_added_is_called_first);
    test_add(suite, an_observer_without_callbacks_is_not_called);
#if PT_CANCEL
    test_add(suite, an_observer_sees_the_first_step_of_a_task_that_is_canceled_before_it);
#endif
#if PT_TIMEOUTS && PT_CLEANUP
    test_add(suite,
             a_cleanup_after_a_return_from_a_block_is_a_part_of_the_step_that_an_observer_sees);
#endif
#if PT_GROUPS
    test_add(suite, an_observer_is_called_once_when_a_frame_returns_from_a_busy_group);
#endif
    test_add(suite, an_observer_chooses_the_next_task);
    test_add(suite, tasks_that_are_not_chosen_keep_their_order);
    test_add(suite, of_several_observers_that_choose_the_last_one_added_decides);
    test_add(suite, a_choice_is_among_the_tasks_of_the_turn);
    test_add(suite, an_observer_that_chooses_sees_how_many_tasks_are_ready);
    test_add(suite, any_task_of_a_batch_can_be_promoted_even_across_the_wrap);
#endif
    return suite;
}
#else

Suite *suite_observe(void)
{
    return test_suite("observe");
}

#endif
