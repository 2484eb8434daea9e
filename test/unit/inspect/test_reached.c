/* test_reached.c - tasks that nothing can wake: what the live tasks and the areas of a memory lead to
 * SPDX-License-Identifier: MIT */
/* with the room queue: others of its own have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_INSPECT && PT_JOINS && PT_CHANNELS && PT_GROUPS && PT_TIMEOUTS && PT_POOLS && \
    PT_SELECTS && PT_REMOTE && PT_AWAIT

/* A heap of blocks, which only pointers lead to. */
struct box {
    struct pt_event event;
    PT_CHANNEL(int) channel;
    struct pt_lock lock;
    void *link;
};

static struct box boxes[8];
static void *globals[4];
static struct pt_area areas[2]; /* the globals, and another one that a test can have */
static struct pt_piece pieces[64];
static struct pt_memory memory;

static pt_stuck_found found;

static void found(void *context, const struct pt_stuck *stuck)
{
    (void)context;
    trace_add("%s%u:%s", stuck->exact ? "" : "?", stuck->circle, pt_task_name(stuck->task));
    trace_add(">%s ", stuck->waits_for ? pt_task_name(stuck->waits_for) : "-");
}

enum what { EVENT, SEND, RECEIVE, PARK, CHOOSE, LOCK, SLEEP, GIVEN, JOIN, JOIN_AND_PARK };

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
    if (self->what == GIVEN)
        PT_WAIT_EVENT((struct pt_event *)self->holds);
    if (self->what == JOIN)
        PT_JOIN((struct pt_task *)self->holds);
    if (self->what == JOIN_AND_PARK) {
        PT_JOIN((struct pt_task *)self->holds);
        self->holds = NULL;
        PT_PARK();
    }
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

/* Memory that can vanish is read through copies: a few words, and fewer than were wanted. */
static size_t copy_some(struct pt_memory *of, uintptr_t from, size_t bytes)
{
    size_t some = bytes > 24 ? 24 : bytes;

    memcpy(of->copy, (const void *)from, some);
    return some;
}

/* Describe the memory: the boxes are blocks. */
static void describe(bool copies)
{
    static uintptr_t copy[5];

    pt_memory_init(&memory, areas, 2, pieces, 64);
    for (int i = 0; i < 8; i++)
        ck_assert(pt_memory_add(&memory, &boxes[i], sizeof boxes[i]));
    memory.read = copies ? copy_some : NULL;
    memory.copy = copy;
    memory.copy_bytes = sizeof copy;
}

/* What is stuck now. The search leaves no mark, and finds the same through copies. */
static const char *stuck(void)
{
    static char first[400];

    for (int again = 0; again < 3; again++) {
        describe(again == 2);
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
    test_zero(areas);
    areas[0].start = globals;
    areas[0].end = globals + 4;
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

START_TEST(the_name_of_a_live_task_leads_to_nothing)
{
    char *name = (char *)&boxes[0].link;
    struct pt_task *live;

    open_world();
    start("a", EVENT, 0);
    live = start("b", SLEEP, 1);
    turns(1);
    strcpy(name, "c"); /* in what only the other one has */
    pt_task_rename(live, name);
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
    open_world();
    start_("a", EVENT, 0, &boxes[0]);
    turns(1);
    areas[1].start = &pool; /* the whole pool is a global */
    areas[1].end = &pool + 1;
    ck_assert_str_eq(stuck(), "?0:a>- ");
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

/* Of another loop, or in storage of its own. */
struct parker {
    struct pt pt;
    void *holds;
};

static PT_ASYNC(parker, self)
{
    (void)self;
    PT_PARK();
}
PT_END

START_TEST(a_lock_of_a_task_in_another_loop_can_be_released_if_that_task_is_in_the_memory)
{
    static PT_TASK(parker) far;
    struct pt_loop other;

    open_world();
    pt_loop_open(&other, &world.clock.port);
    test_zero(far);
    ck_assert_int_eq(PT_START(&other, &far, parker, .holds = NULL), PT_OK);
    pt_loop_turn(&other, world.clock.now);
    ck_assert_int_eq(pt_lock_try(&boxes[0].lock, &far.task), PT_OK);
    globals[0] = &boxes[0];
    start("a", LOCK, 0);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>- "); /* the storage of the other task may be gone */
    areas[1].start = &far;
    areas[1].end = &far + 1;
    ck_assert_str_eq(stuck(), "");
    pt_wake(&far.task);
    ck_assert_int_eq(pt_loop_run(&other), PT_OK);
    ck_assert_str_eq(stuck(), "?0:a>- ");
    pt_loop_close(&other);
    end_world();
}
END_TEST

START_TEST(a_task_outside_of_all_blocks_uses_nothing_that_a_suspected_one_waits_for)
{
    static PT_TASK(waiter) outside;
    static PT_TASK(parker) parking;

    open_world();
    test_zero(outside);
    test_zero(parking);
    start("a", EVENT, 0);
    ck_assert_int_eq(PT_START(&world.loop, &outside, waiter, .name = "o", .box = &boxes[1],
                              .holds = &boxes[0], .what = EVENT),
                     PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &parking, parker, .holds = &boxes[0]), PT_OK);
    ck_assert_int_eq(PT_START_NEW(&world.loop, parker, .holds = &boxes[0]), PT_OK);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>- ?0:o>- "); /* what is parked in no block can be woken */
    end_world();
}
END_TEST

START_TEST(a_task_with_the_event_of_another_one_in_its_frame_is_the_one_that_is_waited_for)
{
    struct pt_task *task;

    open_world();
    task = start("b", PARK, 0);
    start_("a", GIVEN, 0, &pool.taken->frame.own);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:b>- ?0:a>b ");
    globals[0] = task;
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

START_TEST(a_task_that_joins_a_suspected_one_does_not_wait_beside_it)
{
    struct pt_task *task;

    open_world();
    task = start("a", EVENT, 0);
    start_("b", JOIN, 1, task);
    start_("c", JOIN, 0, task); /* leads to the event */
    turns(1);
    ck_assert_str_eq(stuck(), "?1:a>c ?1:c>a ?0:b>a ");
    globals[0] = &boxes[0];
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

/* A lamp is its own owner of storage, and has an event. */
struct lamp {
    struct pt_owner owner;
    struct pt_event event;
};

static void keep_lamp(struct pt_owner *owner, struct pt_task *task)
{
    (void)owner;
    (void)task;
}

START_TEST(the_owner_behind_a_task_that_is_suspected_leads_to_nothing)
{
    static PT_OWNED_TASK(waiter) owned;
    static struct lamp lamp;

    open_world();
    test_zero(owned);
    lamp.owner.release = keep_lamp;
    pt_event_init(&lamp.event);
    PT_OWN(&owned, &lamp.owner);
    start_("a", GIVEN, 1, &lamp.event);
    ck_assert_int_eq(PT_START(&world.loop, &owned, waiter, .name = "b", .box = &boxes[0]), PT_OK);
    turns(1);
    describe(false);
    ck_assert(pt_memory_add(&memory, &lamp, sizeof lamp));
    areas[1].start = &owned; /* as globals, which hold no pointer but pt's */
    areas[1].end = &owned.frame;
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
    ck_assert_trace("?0:a>- ?0:b>- ");
    end_world();
}
END_TEST

/* A group with one member. */
struct grouper {
    struct pt pt;
    struct pt_group group;
    PT_TASK(waiter) member;
};

static PT_ASYNC(grouper, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->member, waiter, .name = "m", .box = &boxes[0]);
        PT_WAIT(PT_MS(100));
    }
}
PT_END

static PT_TASK(grouper) grouper;

static void open_grouper(void)
{
    open_world();
    test_zero(grouper);
    ck_assert_int_eq(PT_START(&world.loop, &grouper, grouper), PT_OK);
    turns(2);
    areas[1].start = &grouper.frame.group;
    areas[1].end = &grouper.frame.group + 1;
}

START_TEST(the_node_of_a_group_does_not_lead_to_who_joins_its_member)
{
    open_grouper();
    start_("j", JOIN, 0, &grouper.frame.member.task); /* leads to the event of the member */
    turns(1);
    ck_assert_str_eq(stuck(), "?1:m>j ?1:j>m ");
    end_world();
}
END_TEST

START_TEST(the_node_of_a_group_does_not_lead_to_who_has_joined_its_member)
{
    open_grouper();
    start_("j", JOIN_AND_PARK, 1, &grouper.frame.member.task);
    turns(1);
    pt_cancel(&grouper.frame.member.task, PT_ECANCELED);
    turns(2);
    ck_assert(pt_task_done(&grouper.frame.member.task));
    ck_assert_str_eq(stuck(), "?0:j>- ");
    end_world();
}
END_TEST

START_TEST(what_the_system_can_use_is_reached)
{
    open_world();
    start("a", EVENT, 0);
    start("b", EVENT, 1);
    turns(1);
    describe(false);
    ck_assert(pt_memory_put_(&memory, &boxes[1].event, sizeof boxes[1].event, PT_PIECE_OPEN_));
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
    ck_assert_trace("?0:a>- ");
    end_world();
}
END_TEST

START_TEST(a_block_that_is_just_the_loop_leads_to_no_task)
{
    static char others[16];

    open_world();
    start("a", PARK, 0);
    turns(1);
    globals[0] = &world.loop;
    for (int more = 0; more <= 16; more++) { /* for other ways to sort the blocks */
        describe(false);
        ck_assert(pt_memory_add(&memory, &world.loop, sizeof world.loop));
        for (int i = 0; i < more; i++)
            ck_assert(pt_memory_add(&memory, &others[i], 1));
        ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
        ck_assert_trace("?0:a>- ");
    }
    end_world();
}
END_TEST

#if PT_TRACE
START_TEST(the_ring_of_a_trace_leads_to_no_task)
{
    static struct pt_trace_event ring[16];
    struct pt_trace trace;

    open_world();
    pt_trace_start(&trace, &world.loop, ring, 16);
    start("a", PARK, 0);
    turns(1);
    areas[1].start = ring;
    areas[1].end = ring + 16;
    ck_assert_str_eq(stuck(), "?0:a>- ");
    pt_trace_stop(&trace);
    ck_assert_str_eq(stuck(), ""); /* now it is memory like any other */
    end_world();
}
END_TEST
#endif

/* --- many tasks --- */

enum { CROWD = 640 };

static struct pt_piece many[CROWD + 64];

/* Find what is stuck if a box and the tasks that are at BLOCK are blocks; returns the trace. */
static const char *stuck_in_crowd(const void *block, size_t bytes)
{
    pt_memory_init(&memory, areas, 2, many, CROWD + 64);
    ck_assert(pt_memory_add(&memory, &boxes[0], sizeof boxes[0]));
    ck_assert(pt_memory_add(&memory, block, bytes));
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, &memory, found, NULL), PT_OK);
    return trace_take();
}

#if PT_HAS_BUCKETS_
/* The last of many sleeps longest, and parks. */
struct dozer {
    struct pt pt;
    int i;
};

static PT_ASYNC(dozer, self)
{
    PT_WAIT(PT_MS(500) + (pt_time)self->i * PT_MS(1));
    if (self->i == CROWD - 1)
        PT_PARK();
}
PT_END

static PT_TASK(dozer) dozers[CROWD];

START_TEST(the_buckets_of_timers_lead_to_no_task_that_has_left_them)
{
    const struct pt_buckets_ *far;

    open_world();
    test_zero(dozers);
    for (int i = 0; i < CROWD; i++)
        ck_assert_int_eq(PT_START(&world.loop, &dozers[i], dozer, .i = i), PT_OK);
    turns(1);
    far = world.loop.timers.later;
    ck_assert_ptr_nonnull(far);
    ck_assert_uint_gt(far->count, 0);
    world.clock.now = test_at(500 + CROWD);
    turns(2);
    ck_assert_int_eq(pt_loop_live(&world.loop), 1);
    areas[1].start = far->entries;
    areas[1].end = far->entries + far->room * PT_CHUNK_;
    ck_assert_str_eq(stuck_in_crowd(dozers, sizeof dozers), "?0:dozer>- ");
    end_world();
}
END_TEST
#endif

START_TEST(among_more_than_256_suspected_tasks_the_user_of_an_event_is_not_looked_for)
{
    static PT_TASK(parker) crowd[PT_STUCK_MOST_];

    open_world();
    test_zero(crowd);
    start("a", EVENT, 0);
    start_("b", PARK, 0, &boxes[0]);
    turns(1);
    ck_assert_str_eq(stuck(), "?0:a>b ?0:b>- ");
    for (int i = 0; i < PT_STUCK_MOST_; i++)
        ck_assert_int_eq(PT_START(&world.loop, &crowd[i], parker, .holds = NULL), PT_OK);
    turns(1);
    ck_assert_int_eq(strncmp(stuck_in_crowd(crowd, sizeof crowd), "?0:a>- ?0:b>- ?0:parker>- ", 26),
                     0);
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

/* --- in words --- */

static pt_print print;

static void print(void *context, const char *text)
{
    (void)context;
    if (!strstr(text, ".c") && strcmp(text, "suspension "))
        trace_add("%s", text);
}

START_TEST(suspected_tasks_are_printed_after_the_deadlocks_each_kind_under_its_head)
{
    const char *text;

    open_world();
    start("b", EVENT, 2);
    start("d", LOCK, 3);
    ck_assert_int_eq(pt_lock_try(&boxes[4].lock, &pool.taken->task), PT_OK);
    start("e", LOCK, 4);
    ck_assert_int_eq(pt_lock_try(&boxes[3].lock, &pool.taken->task), PT_OK);
    start_("f", SEND, 5, &boxes[6]);
    start_("g", SEND, 6, &boxes[5]);
    turns(1);
    ck_assert_str_eq(stuck(), "1:d>e 1:e>d ?2:f>g ?2:g>f ?0:b>- ");
    describe(false);
    ck_assert_uint_eq(pt_dump_stuck(&world.loop, &memory, print, NULL), 5);
    text = trace_take();
    ck_assert_int_eq(strncmp(text, "deadlock: each waits for the next one, the last", 47), 0);
    text = strstr(text, "    e: waits for a lock\n");
    ck_assert_ptr_nonnull(text);
    text = strstr(text, "suspected deadlock: each waits for the next one, the last one for the "
                        "first\n    f: sends to a channel\n");
    ck_assert_ptr_nonnull(text);
    text = strstr(text, "suspected to be stuck: nothing can wake it\n    b: waits for an event\n");
    ck_assert_ptr_nonnull(text);
    end_world();
}
END_TEST

Suite *suite_reached(void)
{
    Suite *suite = test_suite("reached");

    test_add(suite, a_task_that_waits_for_an_event_which_nobody_has_is_suspected);
    test_add(suite, a_pointer_into_a_block_and_a_chain_of_blocks_lead_to_it);
    test_add(suite, what_a_live_task_has_in_its_frame_is_reached);
    test_add(suite, the_name_of_a_live_task_leads_to_nothing);
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
    test_add(suite, a_lock_of_a_task_in_another_loop_can_be_released_if_that_task_is_in_the_memory);
    test_add(suite, a_task_outside_of_all_blocks_uses_nothing_that_a_suspected_one_waits_for);
    test_add(suite,
             a_task_with_the_event_of_another_one_in_its_frame_is_the_one_that_is_waited_for);
    test_add(suite, a_task_that_joins_a_suspected_one_does_not_wait_beside_it);
    test_add(suite, the_owner_behind_a_task_that_is_suspected_leads_to_nothing);
    test_add(suite, the_node_of_a_group_does_not_lead_to_who_joins_its_member);
    test_add(suite, the_node_of_a_group_does_not_lead_to_who_has_joined_its_member);
    test_add(suite, what_the_system_can_use_is_reached);
    test_add(suite, a_block_that_is_just_the_loop_leads_to_no_task);
#if PT_TRACE
    test_add(suite, the_ring_of_a_trace_leads_to_no_task);
#endif
#if PT_HAS_BUCKETS_
    test_add(suite, the_buckets_of_timers_lead_to_no_task_that_has_left_them);
#endif
    test_add(suite, among_more_than_256_suspected_tasks_the_user_of_an_event_is_not_looked_for);
    test_add(suite, without_room_only_deadlocks_are_looked_for);
    test_add(suite, suspected_tasks_are_printed_after_the_deadlocks_each_kind_under_its_head);
    return suite;
}
#else

Suite *suite_reached(void)
{
    return test_suite("reached");
}

#endif
