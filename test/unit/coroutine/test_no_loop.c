/* test_no_loop.c - what each operation of a body does in a generator, which has no loop
 * SPDX-License-Identifier: MIT */
#include "test_escape.h"

#if PT_PORT && PT_TIMERS && PT_TIMEOUTS && PT_TIMED_PARKS && PT_CHANNELS && PT_REMOTE && \
    PT_JOINS && PT_GROUPS && PT_SELECTS && PT_POOLS

enum operation {
    NOW,
    WAIT,
    WAIT_DEADLINE,
    PARK,
    PARK_FOR,
    PARK_DEADLINE,
    SPAWN,
    SPAWN_IN,
    SPAWN_FROM,
    SPAWN_WHEN_FREE,
    SPAWN_NEW,
    ADOPT,
    JOIN,
    JOIN_GROUP,
    WITH_TIMEOUT,
    WITH_GROUP,
    WITH_LOCAL,
    LOCAL,
    REARM,
    SELECT_EVENT,
    SELECT_AFTER,
    SELECT_LOCK,
    SELECT_NOW,
    WAIT_EVENT,
    ACQUIRE,
    LOCK,
    UNLOCK,
    WAIT_CONDITION,
    LOCK_SHARED,
    LOCK_EXCLUSIVE,
    UNLOCK_EXCLUSIVE,
    WAIT_FLAGS,
    WAIT_BARRIER,
    WAIT_TICK,
    WAIT_LATEST,
    WAIT_BROADCAST,
    SEND,
    RECV,
    PUSH,
    POP,
    RING_GET,
    RECV_MAIL,
    OPERATIONS
};

struct idler {
    struct pt pt;
};

static PT_ASYNC(idler, self)
{
    PT_PARK();
}
PT_END

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) storage;
static PT_TASK(idler) idler_task;
static PT_POOL(idler, 1) pool;
static struct pt_group group;
static struct pt_event event;
static struct pt_semaphore units;
static struct pt_lock lock;
static struct pt_condition condition;
static struct pt_rwlock guard;
static struct pt_flags flags;
static struct pt_barrier barrier;
static PT_LATEST(int) latest;
static PT_BROADCAST(int, 2) broadcast;
static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 1) queue;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_mail mail;

/* Carries out one operation. */
struct hermit {
    struct pt pt;
    enum operation what;
    PT_TASK(idler) task;
    struct pt_scope limit;
    struct pt_group group;
    struct pt_local local;
    PT_SELECTION(1) choice;
    struct pt_flags_wanted wanted;
    struct pt_ticker ticker;
    struct pt_subscriber subscriber;
    struct pt_mail *mail;
    unsigned seen;
    int value;
};

static PT_ASYNC(hermit, self)
{
    if (self->what == NOW)
        ck_assert_uint_eq(PT_NOW(), 0);
    if (self->what == WAIT)
        PT_WAIT(PT_MS(1));
    if (self->what == WAIT_DEADLINE)
        PT_WAIT_DEADLINE(PT_MS(1));
    if (self->what == PARK)
        PT_PARK();
    if (self->what == PARK_FOR)
        PT_PARK_FOR(PT_MS(1));
    if (self->what == PARK_DEADLINE)
        PT_PARK_DEADLINE(PT_MS(1));
    if (self->what == SPAWN)
        PT_SPAWN(&self->task, idler);
    if (self->what == SPAWN_IN)
        PT_SPAWN_IN(&group, &self->task, idler);
    if (self->what == SPAWN_FROM)
        PT_SPAWN_FROM(&pool, idler);
    if (self->what == SPAWN_WHEN_FREE)
        PT_SPAWN_WHEN_FREE(&pool, idler);
    if (self->what == SPAWN_NEW)
        PT_SPAWN_NEW(idler);
    if (self->what == ADOPT)
        PT_ADOPT(&group);
    if (self->what == JOIN)
        PT_JOIN(&idler_task.task);
    if (self->what == JOIN_GROUP)
        PT_JOIN_GROUP(&group);
    if (self->what == WITH_TIMEOUT)
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1))
            PT_YIELD();
    if (self->what == WITH_GROUP)
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
            PT_YIELD();
    if (self->what == WITH_LOCAL)
        PT_WITH_LOCAL(&self->local, &loop, self)
            PT_YIELD();
    if (self->what == LOCAL)
        ck_assert_ptr_null(PT_LOCAL(&loop));
    if (self->what == REARM)
        PT_REARM(&self->limit, PT_MS(1));
    if (self->what == SELECT_EVENT)
        PT_SELECT(&self->choice, PT_CASE_EVENT(&event));
    if (self->what == SELECT_AFTER)
        PT_SELECT(&self->choice, PT_CASE_AFTER(PT_MS(1)));
    if (self->what == SELECT_LOCK)
        PT_SELECT(&self->choice, PT_CASE_LOCK(&lock));
    if (self->what == SELECT_NOW)
        PT_SELECT_NOW(&self->choice, PT_CASE_EVENT(&event));
    if (self->what == WAIT_EVENT)
        PT_WAIT_EVENT(&event);
    if (self->what == ACQUIRE)
        PT_ACQUIRE(&units);
    if (self->what == LOCK)
        PT_LOCK(&lock);
    if (self->what == UNLOCK)
        PT_UNLOCK(&lock);
    if (self->what == WAIT_CONDITION)
        PT_WAIT_CONDITION(&condition, &lock);
    if (self->what == LOCK_SHARED)
        PT_LOCK_SHARED(&guard);
    if (self->what == LOCK_EXCLUSIVE)
        PT_LOCK_EXCLUSIVE(&guard);
    if (self->what == UNLOCK_EXCLUSIVE)
        PT_UNLOCK_EXCLUSIVE(&guard);
    if (self->what == WAIT_FLAGS)
        PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ALL);
    if (self->what == WAIT_BARRIER)
        PT_WAIT_BARRIER(&barrier);
    if (self->what == WAIT_TICK) {
        pt_ticker_start(&self->ticker, PT_NOW(), PT_MS(1), PT_TICKS_SKIP);
        PT_WAIT_TICK(&self->ticker);
    }
    if (self->what == WAIT_LATEST)
        PT_WAIT_LATEST(&latest, &self->seen);
    if (self->what == WAIT_BROADCAST)
        PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->value);
    if (self->what == SEND)
        PT_SEND(&channel, &self->value);
    if (self->what == RECV)
        PT_RECV(&channel, &self->value);
    if (self->what == PUSH)
        PT_PUSH(&queue, &self->value);
    if (self->what == POP)
        PT_POP(&queue, &self->value);
    if (self->what == RING_GET)
        PT_RING_GET(&ring, &self->value);
    if (self->what == RECV_MAIL)
        PT_RECV_MAIL(&mailbox, &self->mail);
    self->value = self->pt.status;
}
PT_END

/* Make all objects new. FREE: no operation has to wait; else each has to. */
static void make_objects(bool free, bool full)
{
    static int value = 1;

    test_zero(idler_task);
    test_zero(pool);
    test_zero(group);
    test_zero(event);
    test_zero(latest);
    test_zero(broadcast);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
    pt_semaphore_init(&units, free, 1);
    pt_lock_init(&lock);
    pt_condition_init(&condition);
    pt_rwlock_init(&guard);
    pt_flags_init(&flags);
    pt_barrier_init(&barrier, free ? 1 : 2);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    PT_RING_OPEN(&ring, &loop);
    pt_mailbox_open(&mailbox, &loop);
    if (full)
        ck_assert_int_eq(PT_TRY_PUSH(&queue, &value), PT_OK);
    if (free) {
        pt_event_set(&event);
        pt_flags_set(&flags, 1);
        pt_latest_set(&latest, 1);
        pt_broadcast_send(&broadcast, 1);
        pt_channel_close(&channel.channel);
        ck_assert_int_eq(PT_RING_PUT(&ring, &value), PT_OK);
        ck_assert_int_eq(pt_mailbox_post(&mailbox, &mail), PT_OK);
    } else {
        ck_assert_int_eq(PT_START(&loop, &idler_task, idler), PT_OK);
        ck_assert_int_eq(PT_START_FROM(&loop, &pool, idler), PT_OK);
        lock.owner = &idler_task.task;
        guard.writer = &idler_task.task;
        group.scope.state = PT_SCOPE_ENTERED_; /* with one member */
        pt_wait_queue_init_(&group.members);
        group.owner = &idler_task.task;
        ck_assert_int_eq(pt_group_add(&group, &pool.items[0].task), PT_OK);
    }
}

/* What an operation does if it need not wait, and if it must: its code, or the message. */
#define STOPS(what) what ": a generator has no loop to carry this opcode out"
#define NO_BLOCK "PT_WITH_...: a generator has no loop that could end a block of it"
#define NO_HOLDER(what) what ": a generator cannot hold a lock"
#define NOT_HELD(what) (PT_DEBUG ? what ": unlocked by a task that does not hold it" : "-10")
#define NOT_LOCKED                                                                               \
    (PT_DEBUG ? "PT_WAIT_CONDITION: the task does not hold the lock, or holds it more than once" \
              : "-10")
#define NO_SPAWN(what) what ": a generator has no loop to spawn in"

static const char *const outcomes[OPERATIONS][2] = {
    {"0", "0"},                                                       /* NOW */
    {STOPS("WAIT"), STOPS("WAIT")},                                   /* WAIT */
    {STOPS("WAIT"), STOPS("WAIT")},                                   /* WAIT_DEADLINE */
    {STOPS("PARK"), STOPS("PARK")},                                   /* PARK */
    {STOPS("WAIT"), STOPS("WAIT")},                                   /* PARK_FOR */
    {STOPS("WAIT"), STOPS("WAIT")},                                   /* PARK_DEADLINE */
    {STOPS("SPAWN"), STOPS("SPAWN")},                                 /* SPAWN */
    {NO_SPAWN("PT_SPAWN_IN"), NO_SPAWN("PT_SPAWN_IN")},               /* SPAWN_IN */
    {STOPS("SPAWN"), "-4"},                                           /* SPAWN_FROM */
    {STOPS("SPAWN"), STOPS("PARK")},                                  /* SPAWN_WHEN_FREE */
    {NO_SPAWN("PT_SPAWN_NEW"), NO_SPAWN("PT_SPAWN_NEW")},             /* SPAWN_NEW */
    {NO_SPAWN("PT_ADOPT"), NO_SPAWN("PT_ADOPT")},                     /* ADOPT */
    {"-3", STOPS("PARK")},                                            /* JOIN */
    {"0", STOPS("PARK")},                                             /* JOIN_GROUP */
    {NO_BLOCK, NO_BLOCK},                                             /* WITH_TIMEOUT */
    {NO_BLOCK, NO_BLOCK},                                             /* WITH_GROUP */
    {NO_BLOCK, NO_BLOCK},                                             /* WITH_LOCAL */
    {"0", "0"},                                                       /* LOCAL */
    {"-3", "-3"},                                                     /* REARM */
    {"0", STOPS("PARK")},                                             /* SELECT_EVENT */
    {STOPS("WAIT"), STOPS("WAIT")},                                   /* SELECT_AFTER */
    {NO_HOLDER("PT_CASE_LOCK"), NO_HOLDER("PT_CASE_LOCK")},           /* SELECT_LOCK */
    {"0", "-8"},                                                      /* SELECT_NOW */
    {"0", STOPS("PARK")},                                             /* WAIT_EVENT */
    {"0", STOPS("PARK")},                                             /* ACQUIRE */
    {NO_HOLDER("PT_LOCK"), NO_HOLDER("PT_LOCK")},                     /* LOCK */
    {NOT_HELD("PT_UNLOCK"), NOT_HELD("PT_UNLOCK")},                   /* UNLOCK */
    {NOT_LOCKED, NOT_LOCKED},                                         /* WAIT_CONDITION */
    {"0", STOPS("PARK")},                                             /* LOCK_SHARED */
    {NO_HOLDER("PT_LOCK_EXCLUSIVE"), NO_HOLDER("PT_LOCK_EXCLUSIVE")}, /* LOCK_EXCLUSIVE */
    {NOT_HELD("pt_rwlock_release_exclusive"),
     NOT_HELD("pt_rwlock_release_exclusive")}, /* UNLOCK_EXCLUSIVE */
    {"0", STOPS("PARK")},                      /* WAIT_FLAGS */
    {"0", STOPS("PARK")},                      /* WAIT_BARRIER */
    {STOPS("WAIT"), STOPS("WAIT")},            /* WAIT_TICK */
    {"0", STOPS("PARK")},                      /* WAIT_LATEST */
    {"0", STOPS("PARK")},                      /* WAIT_BROADCAST */
    {"-9", STOPS("PARK")},                     /* SEND */
    {"-9", STOPS("PARK")},                     /* RECV */
    {"0", STOPS("PARK")},                      /* PUSH */
    {"0", STOPS("PARK")},                      /* POP */
    {"0", STOPS("PARK")},                      /* RING_GET */
    {"0", STOPS("PARK")},                      /* RECV_MAIL */
};

/* Leaves values of its own where the next call has its variables. */
static void spoil_the_stack(void)
{
    volatile char room[4000];

    memset((void *)(uintptr_t)room, 0x5a, sizeof room);
    ck_assert_int_eq(room[7] + room[3999], 2 * 0x5a);
}

static void check(enum operation what, bool free)
{
    static struct hermit hermit;
    const char *outcome = outcomes[what][!free];

    make_objects(free, free ? what == POP : what == PUSH);
    test_zero(hermit);
    PT_INIT(&hermit, hermit, .what = what, .value = 77);
    spoil_the_stack();
    if (strchr(outcome, ':')) {
        ck_assert_panic(pt_next(&hermit.pt), outcome);
    } else {
        ck_assert(!pt_next(&hermit.pt));
        trace_add("%d", hermit.value);
        ck_assert_trace(outcome);
    }
}

/* Not on a part without PT_DEBUG. */
static bool is_checked(int what)
{
    return PT_HOSTED || PT_DEBUG ||
           (what != SPAWN_IN && what != ADOPT && what != LOCK && what != LOCK_EXCLUSIVE &&
            what != SELECT_LOCK);
}

START_TEST(each_operation_of_a_generator_works_or_stops_with_a_message)
{
    for (int what = 0; what < OPERATIONS; what++)
        if (is_checked(what)) {
            check((enum operation)what, true);
            check((enum operation)what, false);
        }
}
END_TEST

Suite *suite_no_loop(void)
{
    Suite *suite = test_suite("no_loop");

    test_add(suite, each_operation_of_a_generator_works_or_stops_with_a_message);
    return suite;
}

#else

Suite *suite_no_loop(void)
{
    return test_suite("no_loop");
}

#endif
