/* test_meddle.c - observers that act on tasks in each of their callbacks
 * SPDX-License-Identifier: MIT */
/* with the room loop: others of its own have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_INSPECT && PT_AWAIT && PT_CANCEL && PT_PAUSE && PT_SYNC && PT_POOLS && PT_TIMERS

#define REASON ((pt_status)-70) /* a code of the program's own */

static struct pt_event bell;

/* Waits once: y yields, w waits 4 ms, p parks, e waits for an event, a awaits a function that
 * does. */
struct leaf {
    struct pt pt;
};

static PT_ASYNC(leaf, self)
{
    PT_WAIT_EVENT(&bell);
    PT_FINALLY
    trace_add("leaf] ");
}
PT_END

struct waiter {
    struct pt pt;
    char way;
    struct leaf leaf;
};

static PT_ASYNC(waiter, self)
{
    if (self->way == 'y')
        PT_YIELD();
    if (self->way == 'w')
        PT_WAIT(PT_MS(4));
    if (self->way == 'p')
        PT_PARK();
    if (self->way == 'e')
        PT_WAIT_EVENT(&bell);
    if (self->way == 'a')
        PT_WAIT_COMPLETE(&self->leaf, leaf);
    trace_add("on@%d ", test_ms(PT_NOW()));
    PT_FINALLY
    trace_add("]@%d ", test_ms(PT_NOW()));
}
PT_END

static const char *const ways[] = {"y", "w", "p", "e", "a", NULL};

/* After SKIP calls of one kind it acts once, on the task of the call or else on the last task it
 * saw. */
struct meddler {
    struct pt_observer observer; /* its first member */
    char at;                     /* p: pick, r: resumes, R: returned, e: ended, t: turned */
    int skip;
    void (*act)(struct meddler *self, struct pt_task *task);
    struct pt_task *last;
    int ended; /* number of ended tasks */
};

static void meddle(struct pt_observer *observer, char at, struct pt_task *task)
{
    struct meddler *self = (struct meddler *)(void *)observer;

    if (task)
        self->last = task;
    if (at == self->at && self->act && self->skip-- == 0 && self->last)
        self->act(self, self->last);
}

static size_t meddle_pick(struct pt_observer *observer, const struct pt_choice *choice)
{
    meddle(observer, 'p', pt_choice_task(choice, 0));
    return 0;
}

static void meddle_resumes(struct pt_observer *observer, struct pt_task *task)
{
    ck_assert_ptr_eq(pt_loop_current(&world.loop), task);
    meddle(observer, 'r', task);
}

static void meddle_returned(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    bool runs = op == PT_OP_SPAWN || op == PT_OP_WAIT_COMPLETE || op == PT_OP_DONE;

    ck_assert_ptr_eq(pt_loop_current(&world.loop), runs ? task : NULL);
    meddle(observer, 'R', task);
}

static void meddle_ended(struct pt_observer *observer, struct pt_task *task)
{
    struct meddler *self = (struct meddler *)(void *)observer;

    ck_assert_ptr_null(pt_loop_current(&world.loop));
    self->ended++;
    meddle(observer, 'e', task);
    self->last = NULL; /* its storage is freed */
}

static void meddle_turned(struct pt_observer *observer, struct pt_loop *loop)
{
    ck_assert_ptr_null(pt_loop_current(loop));
    meddle(observer, 't', NULL);
}

static struct meddler new_meddler(char at, int skip,
                                  void (*act)(struct meddler *, struct pt_task *))
{
    struct meddler self;

    memset(&self, 0, sizeof self);
    self.at = at;
    self.skip = skip;
    self.act = act;
    self.observer.pick = meddle_pick;
    self.observer.resumes = meddle_resumes;
    self.observer.returned = meddle_returned;
    self.observer.ended = meddle_ended;
    self.observer.turned = meddle_turned;
    return self;
}

/* --- its actions --- */

static void act_cancel(struct meddler *self, struct pt_task *task)
{
    (void)self;
    pt_cancel(task, REASON);
}

static void act_wake(struct meddler *self, struct pt_task *task)
{
    (void)self;
    pt_wake(task);
}

static void act_pause(struct meddler *self, struct pt_task *task)
{
    (void)self;
    pt_pause(task);
}

static void act_ring(struct meddler *self, struct pt_task *task)
{
    (void)self;
    (void)task;
    pt_event_set(&bell);
}

static void act_update(struct meddler *self, struct pt_task *task)
{
    (void)self;
    (void)task;
    world.clock.now += PT_MS(2);
    pt_loop_update(&world.loop, world.clock.now);
}

static void act_go(struct meddler *self, struct pt_task *task)
{
    (void)task;
    pt_loop_ignore(&world.loop, &self->observer);
    memset(&self->observer, 0xa5, sizeof self->observer);
}

static void act_spawn(struct meddler *self, struct pt_task *task)
{
    (void)task;
    self->ended--; /* one more task will end */
    ck_assert_int_eq(PT_START_NEW(&world.loop, waiter, .way = 'w'), PT_OK);
}

static void (*const acts[])(struct meddler *, struct pt_task *) = {
    act_cancel, act_wake, act_pause, act_ring, act_update, act_go, act_spawn};

/* --- a loop with a meddler --- */

static PT_TASK(waiter) tasks[2];

static void open_meddled(struct meddler *meddler)
{
    test_zero(bell);
    test_zero(tasks);
    test_open(&world);
    pt_event_init(&bell);
    pt_loop_observe(&world.loop, &meddler->observer);
}

/* The trace of a task that waits in this WAY, when the meddler acts as soon as it waits. */
static const char *returned_then(char way, void (*act)(struct meddler *, struct pt_task *))
{
    struct meddler meddler = new_meddler('R', way == 'a', act); /* skip WAIT_COMPLETE */

    open_meddled(&meddler);
    ck_assert_int_eq(PT_START(&world.loop, &tasks[0], waiter, .way = way), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    trace_add("%d", tasks[0].frame.pt.status);
    ck_assert_int_eq(meddler.ended, 1);
    test_close(&world);
    return trace_take();
}

START_TEST(an_observer_can_cancel_a_task_that_has_just_begun_to_wait)
{
    for (int i = 0; ways[i]; i++)
        ck_assert_str_eq(returned_then(*ways[i], act_cancel),
                         *ways[i] == 'a' ? "leaf] ]@0 -70" : "]@0 -70");
}
END_TEST

START_TEST(an_observer_can_end_a_wait_that_has_just_begun)
{
    ck_assert_str_eq(returned_then('p', act_wake), "on@0 ]@0 0");
    ck_assert_str_eq(returned_then('e', act_ring), "on@0 ]@0 0");
    ck_assert_str_eq(returned_then('a', act_ring), "leaf] on@0 ]@0 0");
}
END_TEST

START_TEST(an_observer_that_updates_the_time_does_not_change_a_sleep)
{
    ck_assert_str_eq(returned_then('w', act_update), "on@4 ]@4 0");
    ck_assert_str_eq(returned_then('y', act_update), "on@2 ]@2 0");
}
END_TEST

/* --- every action, in every callback, on every wait --- */

static void let_go(void)
{
    for (struct pt_task *task = pt_loop_task(&world.loop, NULL); task;
         task = pt_loop_task(&world.loop, task))
        pt_cancel(task, REASON);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
}

static void try_meddling(const char *wait, char at, int skip, unsigned act)
{
    struct meddler meddler = new_meddler(at, skip, acts[act]);

    open_meddled(&meddler);
    ck_assert_int_eq(PT_START_NEW(&world.loop, waiter, .way = *wait), PT_OK);
    ck_assert_int_eq(PT_START_NEW(&world.loop, waiter, .way = 'e'), PT_OK);
    pt_loop_run(&world.loop);
    meddler.act = NULL;
    let_go();
    if (acts[act] != act_go || meddler.skip >= 0)
        ck_assert_int_eq(meddler.ended, 2);
    pt_loop_run(&world.loop);
    test_close(&world);
    trace_take();
}

START_TEST(an_observer_can_act_at_each_call_and_each_task_ends_once)
{
    for (int i = 0; ways[i]; i++)
        for (const char *at = "prRet"; *at; at++)
            for (int skip = 0; skip < 8; skip++)
                for (unsigned act = 0; act < sizeof acts / sizeof acts[0]; act++)
                    try_meddling(ways[i], *at, skip, act);
}
END_TEST

START_TEST(an_observer_can_remove_itself_in_each_of_its_calls)
{
    for (const char *at = "prRet"; *at; at++) {
        struct meddler gone = new_meddler(*at, 0, act_go), stays = new_meddler('x', 0, NULL);

        open_meddled(&stays);
        pt_loop_observe(&world.loop, &gone.observer);
        ck_assert_int_eq(PT_START(&world.loop, &tasks[0], waiter, .way = 'y'), PT_OK);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        ck_assert_int_eq(stays.ended, 1);
        ck_assert_int_lt(gone.skip, 0);
        test_close(&world);
        trace_take();
    }
}
END_TEST

/* --- a watch --- */

struct sluggard {
    struct pt pt;
};

static PT_ASYNC(sluggard, self)
{
    world.clock.now += PT_MS(9);
    PT_WAIT_EVENT(&bell);
    PT_FINALLY
    trace_add("]@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(sluggard) sluggard_task;

static void complain_and_cancel(struct pt_watch *watch, struct pt_task *task, pt_time ticks)
{
    trace_add("%s took %d ", pt_task_name(task), (int)(ticks / PT_MS(1)));
    pt_cancel(task, REASON);
    pt_watch_stop(watch);
}

static void start_sluggard(void)
{
    test_zero(bell);
    test_zero(sluggard_task);
    test_open(&world);
    pt_event_init(&bell);
    ck_assert_int_eq(PT_START(&world.loop, &sluggard_task, sluggard), PT_OK);
}

START_TEST(the_callback_for_a_long_step_can_cancel_the_task)
{
    struct pt_watch watch;

    start_sluggard();
    pt_watch_start(&watch, &world.loop, PT_MS(3), complain_and_cancel);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("sluggard took 9 ]@9 ");
    ck_assert_int_eq(pt_task_status(&sluggard_task.task), REASON);
    ck_assert_uint_eq(watch.longest, PT_MS(9));
    test_close(&world);
}
END_TEST

static int between; /* how often the clock was read while no task was current */

static pt_time count_between(void *context)
{
    between++;
    return pt_virtual_now_(context);
}

START_TEST(a_watch_reads_the_clock_and_does_not_poll)
{
    struct pt_watch watch;

    start_sluggard();
    world.clock.port.turn = count_between;
    pt_watch_start(&watch, &world.loop, PT_MS(3), NULL);
    between = 0;
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_int_eq(between, 0); /* there a port polls descriptors or gives up its lock */
    ck_assert_uint_eq(watch.longest_turn, PT_MS(9));
    ck_assert_ptr_null(pt_loop_current(&world.loop));
    pt_watch_stop(&watch);
    let_go();
    test_close(&world);
    trace_take();
}
END_TEST

#endif

Suite *suite_meddle(void)
{
    Suite *suite = test_suite("meddle");

#if PT_PORT && PT_INSPECT && PT_AWAIT && PT_CANCEL && PT_PAUSE && PT_SYNC && PT_POOLS && PT_TIMERS
    test_add(suite, an_observer_can_cancel_a_task_that_has_just_begun_to_wait);
    test_add(suite, an_observer_can_end_a_wait_that_has_just_begun);
    test_add(suite, an_observer_that_updates_the_time_does_not_change_a_sleep);
    test_add(suite, an_observer_can_act_at_each_call_and_each_task_ends_once);
    test_add(suite, an_observer_can_remove_itself_in_each_of_its_calls);
    test_add(suite, the_callback_for_a_long_step_can_cancel_the_task);
    test_add(suite, a_watch_reads_the_clock_and_does_not_poll);
#endif
    return suite;
}
