/* ends.c - posts that race with the end of a task, a remote, a mailbox or the loop
 * SPDX-License-Identifier: MIT */
#include "world.h"

/* A callback that counts its calls, for each remote. */
static void count(struct pt_remote *self, unsigned times)
{
    world()->done[self - world()->remotes] += (int)times;
    explore_step(false); /* the callback takes time */
    if (self->target)
        pt_wake((struct pt_task *)self->target);
}

static void open_counted(void)
{
    world_open();
    for (int i = 0; i < 3; i++)
        pt_remote_open(&world()->remotes[i], &world()->loop, count, NULL);
}

/* --- the loop ----------------------------------------------------------------------------------- */

/* One turn and then the close, at any point between the posts. */
static void close_early(int self)
{
    if (!self) {
        pt_loop_turn(&world()->loop, 0);
        pt_loop_close(&world()->loop);
    } else {
        world()->status[self] = pt_remote_post(&world()->remotes[self]);
    }
}

static void end_own(void)
{
    for (int i = 1; i < 3; i++) {
        EXPECT(world()->done[i] == (world()->status[i] == PT_OK));
        EXPECT(world()->status[i] == PT_OK || world()->status[i] == PT_ECLOSED);
        EXPECT(world()->remotes[i].posted == 0);
        EXPECT(pt_remote_post(&world()->remotes[i]) == PT_ECLOSED);
    }
}

static void close_early_on_one(int self)
{
    if (!self) {
        pt_loop_turn(&world()->loop, 0);
        pt_loop_shut(&world()->loop);
    } else {
        world()->status[self] = pt_remote_post(&world()->remotes[0]);
    }
}

/* A post that finds another one on the way cannot know whether that one is done or refused. */
static void end_common(void)
{
    int well = (world()->status[1] == PT_OK) + (world()->status[2] == PT_OK);

    EXPECT(world()->done[0] == well || (world()->done[0] < well && well < 2));
    EXPECT(world()->remotes[0].posted == 0);
    EXPECT(pt_inbox_closed_(&world()->loop.inbox));
}

/* The loop sleeps, is woken by one post, ends and is closed; the other post may be about to
 * kick. */
static PT_ASYNC(taker, self)
{
    PT_ACQUIRE(&world()->units);
    self->taken++;
}
PT_END

static void doze_open(void)
{
    open_counted();
    pt_remote_open(&world()->remotes[1], &world()->loop, pt_remote_release, &world()->units);
    PT_START(&world()->loop, &world()->taker, taker);
}

static void doze_and_close(int self)
{
    if (!self) {
        world_run();
        pt_loop_close(&world()->loop);
    } else {
        world()->status[self] = pt_remote_post(&world()->remotes[self]);
    }
}

static void end_doze(void)
{
    EXPECT(world()->status[1] == PT_OK);
    EXPECT(world()->taker.frame.taken == 1);
    EXPECT(world()->done[2] == (world()->status[2] == PT_OK));
}

/* --- a remote ----------------------------------------------------------------------------------- */

/* When thread 1 has announced its last post, its remote is closed and its memory is reused, perhaps
 * with the post still in the inbox. */
static PT_ASYNC(listener, self)
{
    (void)self;
    while (!world()->said[1])
        PT_PARK();
    pt_remote_close(&world()->remotes[1]);
    memset(&world()->remotes[1], 0xa5, sizeof world()->remotes[1]);
    while (!world()->done[2])
        PT_PARK();
}
PT_END

static void last_post_open(void)
{
    open_counted();
    world()->remotes[0].target = world()->remotes[2].target = &world()->listener.task;
    PT_START(&world()->loop, &world()->listener, listener);
}

static void post_and_leave(int self)
{
    if (!self) {
        world_run();
    } else if (self == 2) {
        pt_remote_post(&world()->remotes[2]);
    } else {
        pt_remote_post(&world()->remotes[0]);
        for (int i = 0; i < 2; i++)
            pt_remote_post(&world()->remotes[1]);
        world()->said[1] = 1;
        pt_remote_post(&world()->remotes[0]);
    }
}

static void end_last_post(void)
{
    const unsigned char *bytes = (const unsigned char *)&world()->remotes[1];

    for (size_t i = 0; i < sizeof world()->remotes[1]; i++)
        EXPECT(bytes[i] == 0xa5);
    EXPECT(world()->done[1] == 2);
    EXPECT(world()->done[2] == 1);
}

/* The callback ends the task that the remote is in: its memory is reused, as a remote of a loop on a port
 * that nobody may kick. */
static void kicked_by_mistake(void *context)
{
    bool handed_over = true;

    (void)context;
    EXPECT(!handed_over);
}

static void reuse(struct pt_remote *self, unsigned times)
{
    static const struct pt_port port = {NULL, NULL, NULL, NULL, kicked_by_mistake, NULL, 0, false};
    static struct pt_loop other;

    other.sleeping_port = &port;
    self->loop = &other;
    pt_remote_release(self, times);
}

static void reuse_open(void)
{
    world_open();
    pt_remote_open(&world()->remotes[1], &world()->loop, reuse, &world()->units);
    PT_START(&world()->loop, &world()->taker, taker);
}

static void post_own(int self)
{
    if (!self)
        world_run();
    else
        EXPECT(pt_remote_post(&world()->remotes[1]) == PT_OK);
}

static void end_reuse(void)
{
    EXPECT(world()->taker.frame.taken == 1);
}

/* --- a mailbox ---------------------------------------------------------------------------------- */

/* Closes the mailbox after the first letter. Each other letter arrives, or its sender keeps it. */
static PT_ASYNC(receiver, self)
{
    PT_RECV_MAIL(&world()->mailbox, &self->mail);
    self->letters = 1;
    pt_mailbox_close(&world()->mailbox);
    while (pt_mailbox_try(&world()->mailbox))
        self->letters++;
    PT_RECV_MAIL(&world()->mailbox, &self->mail);
    EXPECT(self->pt.status == PT_ECLOSED);
}
PT_END

static void mailbox_open(void)
{
    world_open();
    pt_mailbox_open(&world()->mailbox, &world()->loop);
    PT_START(&world()->loop, &world()->receiver, receiver);
}

static void send_to_the_end(int self)
{
    if (!self)
        world_run();
    for (int i = 0; self && i < 3 - self; i++)
        world()->said[self] +=
            pt_mailbox_post(&world()->mailbox, &world()->letters[self][i].mail) == PT_OK;
}

static void end_mailbox(void)
{
    EXPECT((unsigned)world()->receiver.frame.letters == world()->said[1] + world()->said[2]);
}

/* --- a task ------------------------------------------------------------------------------------- */

static PT_ASYNC(runner, self)
{
    (void)self;
    world()->ran++;
    PT_PARK();
}
PT_END

/* Spawn the runner whenever it is not alive, and wake it whenever it is; the last wakes end it. */
static void spawn(struct pt_remote *self, unsigned times)
{
    if (!pt_task_alive((struct pt_task *)self->target))
        PT_PREPARE(&world()->runner, runner);
    pt_remote_spawn(self, times);
    world()->spawned += self->status == PT_OK;
}

/* Keeps the loop alive until both threads have posted everything. */
static PT_ASYNC(getter, self)
{
    (void)self;
    PT_ACQUIRE(&world()->units);
    PT_ACQUIRE(&world()->units);
    pt_wake(&world()->runner.task);
}
PT_END

static void spawn_open(void)
{
    world_open();
    pt_remote_open(&world()->remotes[0], &world()->loop, spawn, &world()->runner.task);
    pt_remote_open(&world()->remotes[1], &world()->loop, pt_remote_wake, &world()->runner.task);
    for (int i = 2; i < 4; i++)
        pt_remote_open(&world()->remotes[i], &world()->loop, pt_remote_release, &world()->units);
    PT_START(&world()->loop, &world()->getter, getter);
}

static void spawn_and_wake(int self)
{
    if (!self)
        world_run();
    for (int i = 0; self && i < 3 - self; i++)
        pt_remote_post(&world()->remotes[self - 1]);
    if (self) /* separate remotes: a post to a remote that is already on the way may overtake others */
        pt_remote_post(&world()->remotes[self + 1]);
}

static void end_spawn(void)
{
    EXPECT(world()->ran >= 1 && world()->ran <= 2);
    EXPECT(world()->ran == world()->spawned);
    EXPECT(pt_task_done(&world()->runner.task));
}

/* clang-format off */
const struct explore_scenario end_scenarios[] = {
    {"a_post_that_meets_the_close_of_the_loop_is_done_or_refused",
     3, false, open_counted, close_early, end_own},
    {"posts_to_one_remote_that_meet_the_close_of_the_loop",
     3, false, open_counted, close_early_on_one, end_common},
    {"a_post_meets_the_close_of_a_loop_that_dozed",
     3, false, doze_open, doze_and_close, end_doze},
    {"a_remote_closed_after_its_last_post_is_not_touched_again",
     3, false, last_post_open, post_and_leave, end_last_post},
    {"a_remote_that_its_callback_frees_is_not_read_again",
     2, false, reuse_open, post_own, end_reuse},
    {"a_letter_that_meets_the_close_of_a_mailbox_arrives_or_stays_its_senders",
     3, false, mailbox_open, send_to_the_end, end_mailbox},
    {"spawns_and_wakes_meet_the_end_of_the_task",
     3, true, spawn_open, spawn_and_wake, end_spawn},
    {NULL, 0, false, NULL, NULL, NULL}};
/* clang-format on */
