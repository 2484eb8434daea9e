/* test_reached.c - tasks that nothing can wake: what the live tasks and the areas of a memory lead to
 * SPDX-License-Identifier: MIT */
/* alone: others of its room have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_INSPECT && PT_CHANNELS && PT_GROUPS && PT_TIMEOUTS && PT_POOLS && PT_SELECTS && \
    PT_REMOTE && PT_AWAIT

/* A heap of blocks, which only pointers lead to. */
struct box {
    struct pt_event event;
    PT_CHANNEL(int) channel;
    struct pt_lock lock;
    void *link;
};

static struct box boxes[8];
static void *globals[4]; /* the only area */
static struct pt_piece pieces[64];
static struct pt_memory memory;

static pt_stuck_found found;

static void found(void *context, const struct pt_stuck *stuck)
{
    (void)context;
    trace_add("%s%u:%s", stuck->exact ? "" : "?", stuck->circle, pt_task_name(stuck->task));
    trace_add(">%s ", stuck->waits_for ? pt_task_name(stuck->waits_for) : "-");
}

enum what { EVENT, SEND, RECEIVE, PARK, CHOOSE, LOCK, SLEEP };

struct waiter {
    struct pt pt;
    const char *name;
    struct box *box;
    void *holds; /* what it leads to besides */
    enum what what;
    int value;
    struct pt_event own;
    struct pt_scope limit;
    PT_SELECTION(2) choice;
};

static PT_DECLARE(waiter);
static PT_POOL(waiter, 6) pool;

static PT_ASYNC(waiter, self)
{
    pt_task_rename(pt_loop_current(&world.loop), self->name);
    if (self->what == EVENT)
        PT_WAIT_EVENT(&self->box->event);
    if (self->what == SEND)
        PT_SEND(&self->box->channel, &self->value);
    if (self->what == RECEIVE)
        PT_RECV(&self->box->channel, &self->value);
    if (self->what == PARK)
        PT_PARK();
    if (self->what == CHOOSE)
        PT_SELECT(&self->choice, PT_CASE_EVENT(&self->own),
                  PT_CASE_RECV(&self->box->channel, &self->value));
    if (self->what == LOCK)
        PT_LOCK(&self->box->lock);
    if (self->what == SLEEP)
        PT_WAIT(PT_MS(100));
}
PT_END

static struct pt_task *start_(const char *name, int what, int box, void *holds)
{
    ck_assert_int_eq(
        PT_START_FROM(&world.loop, &pool, waiter, .name = name, .box = &boxes[box], .holds = holds),
        PT_OK);
    pool.taken->frame.what = (enum what)what;
    return &pool.taken->task;
}
#define start(name, what, box) start_(name, what, box, NULL)

static const char *stuck(void)
{
    static char first[400];
    struct pt_area areas[1];

    areas[0].start = globals;
    areas[0].end = globals + 4;
    for (int again = 0; again < 2; again++) {
        pt_memory_init(&memory, areas, 1, pieces, 64);
        for (int i = 0; i < 8; i++)
            ck_assert(pt_memory_add(&memory, &boxes[i], sizeof boxes[i]));
        ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
        if (!again)
            strcpy(first, trace_take());
        else
            ck_assert_trace(first);
    }
    return first;
}

static void turns(int count)
{
    while (count--)
        pt_loop_turn(&world.loop, world.clock.now);
}

static void open_world(void)
{
    test_open(&world);
    memset(&pool, 0, sizeof pool);
    memset(globals, 0, sizeof globals);
    for (int i = 0; i < 8; i++) {
        pt_event_init(&boxes[i].event);
        pt_channel_init(&boxes[i].channel.channel, PT_PREFER_NEITHER);
        pt_lock_init(&boxes[i].lock);
        boxes[i].link = NULL;
    }
}

static void end_world(void)
{
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

START_TEST(a_task_that_waits_for_an_event_which_nobody_has_is_suspected)
{
    open_world();
    start("a", EVENT, 0);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    globals[1] = &boxes[0];
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(a_pointer_into_a_block_and_a_chain_of_blocks_lead_to_it)
{
    open_world();
    start("a", EVENT, 3);
    turns(1);
    globals[0] = &boxes[5].lock;
    ck_assert_str_eq(stuck(), "?0:a>- ");
    boxes[5].link = &boxes[1];
    boxes[1].link = &boxes[3].link;
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(what_a_live_task_has_in_its_frame_is_reached)
{
    open_world();
    start("a", SEND, 0);
    start_("b", SLEEP, 1, &boxes[0]);
    turns(1);
    ck_assert_str_eq(stuck(), "");
    world.clock.now = test_at(100);
    turns(2);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    end_world();
}
END_TEST

START_TEST(what_a_live_task_wakes_is_live_and_what_that_one_has_is_reached)
{
    open_world();
    start_("a", SEND, 0, NULL);
    start_("b", EVENT, 1, &boxes[0]);
    start_("c", RECEIVE, 2, &boxes[1]);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>b ?0:b>c ?0:c>- ");
    start_("d", SLEEP, 3, &boxes[2]);
    turns(1);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(tasks_that_use_each_others_channels_are_a_suspected_deadlock)
{
    open_world();
    start_("a", SEND, 0, &boxes[1]);
    start_("b", SEND, 1, &boxes[0]);
    turns(1);
    ck_assert_str_eq(stuck(), "?1:a>b ?1:b>a ");
    end_world();
}
END_TEST

START_TEST(many_tasks_in_one_queue_are_live_if_the_queue_is_reached)
{
    open_world();
    for (int i = 0; i < 6; i++)
        start(i & 1 ? "s" : "t", i & 1 ? EVENT : SEND, 0);
    turns(1);
    ck_assert_str_eq(stuck(), "?1:t>s ?1:s>t ?0:t>s ?0:s>t ?0:t>s ?0:s>t ");
    globals[0] = &boxes[0];
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(a_parked_task_is_suspected_unless_something_points_to_it)
{
    struct pt_task *task;

    open_world();
    task = start("a", PARK, 0);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    globals[2] = task;
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

#if PT_NESTING
struct inner_task {
    struct pt pt;
};

static PT_ASYNC(inner_task, self)
{
    PT_PARK();
}
PT_END

START_TEST(a_task_that_runs_another_loop_is_live)
{
    static PT_POOL(pt_loop_async, 1) hosts;
    static PT_TASK(inner_task) task;
    static struct test_world inner;

    open_world();
    test_open(&inner);
    memset(&hosts, 0, sizeof hosts);
    test_zero(task);
    start("a", PARK, 0);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &hosts, pt_loop_async, .loop = &inner.loop), PT_OK);
    ck_assert_int_eq(PT_START(&inner.loop, &task, inner_task), PT_OK);
    turns(2);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_loop_close(&inner.loop);
    test_close(&world);
}
END_TEST
#endif

START_TEST(a_select_is_suspected_if_no_case_can_come_true)
{
    open_world();
    start("a", CHOOSE, 4);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    globals[2] = &boxes[4];
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(a_pointer_that_is_declared_counts_until_it_is_not_any_more)
{
    struct pt_kept one, two;
    struct pt_task *task;

    open_world();
    start("a", EVENT, 0);
    task = start("b", PARK, 1);
    turns(1);
    pt_keep(&world.loop, &one, &boxes[0].event);
    pt_keep(&world.loop, &two, task);
    ck_assert_str_eq(stuck(), "");
    pt_unkeep(&world.loop, &one);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    pt_unkeep(&world.loop, &one);
    pt_unkeep(&world.loop, &two);
    ck_assert_str_eq(stuck(), "?0:a>- ?0:b>- ");
    end_world();
}
END_TEST

START_TEST(a_lock_whose_holder_has_ended_is_never_released)
{
    struct pt_task *task;

    open_world();
    task = start("a", LOCK, 0);
    start("b", LOCK, 0);
    turns(2);
    ck_assert(pt_task_done(task));
    globals[0] = &boxes[0];
    ck_assert_str_eq(stuck(), "?0:b>- ");
    boxes[0].lock.owner = &pool.taken->task; /* so that it ends */
    end_world();
}
END_TEST

START_TEST(an_item_of_a_pool_leads_to_nothing_while_its_task_is_stuck)
{
    struct pt_area areas[1];

    open_world();
    start_("a", EVENT, 0, &boxes[0]);
    turns(1);
    areas[0].start = &pool; /* the whole pool is a global */
    areas[0].end = &pool + 1;
    pt_memory_init(&memory, areas, 1, pieces, 64);
    ck_assert(pt_memory_add(&memory, &boxes[0], sizeof boxes[0]));
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
    ck_assert_trace("?0:a>- ");
    end_world();
}
END_TEST

START_TEST(a_pool_is_described_once_however_many_tasks_it_has)
{
    open_world();
    start("a", SLEEP, 0);
    start("b", SLEEP, 0);
    start("c", SLEEP, 0);
    turns(1);
    pt_memory_init(&memory, NULL, 0, pieces, 64);
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
    for (size_t i = 1; i < memory.count; i++)
        ck_assert(pieces[i - 1].start != pieces[i].start || pieces[i - 1].end != pieces[i].end);
    end_world();
}
END_TEST

START_TEST(a_task_behind_a_suspected_one_is_suspected_and_a_deadlock_stays_exact)
{
    open_world();
    start("b", EVENT, 2);
    ck_assert_int_eq(pt_lock_try(&boxes[1].lock, &pool.taken->task), PT_OK);
    start("c", LOCK, 1);
    start("d", LOCK, 3);
    ck_assert_int_eq(pt_lock_try(&boxes[4].lock, &pool.taken->task), PT_OK);
    start_("e", LOCK, 4, &boxes[2]);
    ck_assert_int_eq(pt_lock_try(&boxes[3].lock, &pool.taken->task), PT_OK);
    turns(1);
    ck_assert_str_eq(stuck(), "1:d>e 1:e>d ?0:b>e ?0:c>b ");
    end_world();
}
END_TEST

START_TEST(without_room_only_deadlocks_are_looked_for)
{
    open_world();
    start("a", EVENT, 0);
    turns(1);
    pt_memory_init(&memory, NULL, 0, pieces, 2);
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_ENOMEM);
    ck_assert_trace("");
    ck_assert(!pt_memory_add(&memory, boxes, 1));
    end_world();
}
END_TEST

START_TEST(pieces_in_pieces_are_found_at_each_address)
{
    static char bytes[100];
    const struct {
        int start, end;
    } spans[] = {{60, 70}, {0, 50}, {10, 40}, {20, 30}, {10, 20}, {90, 100}};

    pt_memory_init(&memory, NULL, 0, pieces, 64);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
        ck_assert(pt_memory_add(&memory, bytes + spans[i].start,
                                (size_t)(spans[i].end - spans[i].start)));
    pt_memory_begin_(&memory);
    for (int at = 0; at < 100; at++) {
        size_t piece = pt_memory_piece_(&memory, (uintptr_t)bytes + (uintptr_t)at);
        int best = -1;

        for (int i = 0; i < 6; i++)
            if (at >= spans[i].start && at < spans[i].end &&
                (best < 0 || spans[i].end - spans[i].start < spans[best].end - spans[best].start))
                best = i;
        if (best < 0)
            ck_assert(piece == PT_NO_PIECE_);
        else
            ck_assert_uint_eq(memory.pieces[piece].start,
                              (uintptr_t)bytes + (uintptr_t)spans[best].start);
    }
}
END_TEST

Suite *suite_reached(void)
{
    Suite *suite = test_suite("reached");

    test_add(suite, a_task_that_waits_for_an_event_which_nobody_has_is_suspected);
    test_add(suite, a_pointer_into_a_block_and_a_chain_of_blocks_lead_to_it);
    test_add(suite, what_a_live_task_has_in_its_frame_is_reached);
    test_add(suite, what_a_live_task_wakes_is_live_and_what_that_one_has_is_reached);
    test_add(suite, tasks_that_use_each_others_channels_are_a_suspected_deadlock);
    test_add(suite, many_tasks_in_one_queue_are_live_if_the_queue_is_reached);
    test_add(suite, a_parked_task_is_suspected_unless_something_points_to_it);
#if PT_NESTING
    test_add(suite, a_task_that_runs_another_loop_is_live);
#endif
    test_add(suite, a_select_is_suspected_if_no_case_can_come_true);
    test_add(suite, a_pointer_that_is_declared_counts_until_it_is_not_any_more);
    test_add(suite, a_lock_whose_holder_has_ended_is_never_released);
    test_add(suite, an_item_of_a_pool_leads_to_nothing_while_its_task_is_stuck);
    test_add(suite, a_pool_is_described_once_however_many_tasks_it_has);
    test_add(suite, a_task_behind_a_suspected_one_is_suspected_and_a_deadlock_stays_exact);
    test_add(suite, without_room_only_deadlocks_are_looked_for);
    test_add(suite, pieces_in_pieces_are_found_at_each_address);
    return suite;
}
#else

Suite *suite_reached(void)
{
    return test_suite("reached");
}

#endif
