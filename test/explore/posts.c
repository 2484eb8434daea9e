/* posts.c - posts to a running loop: semaphores, wakes, letters, items of a ring
 * SPDX-License-Identifier: MIT */
#include "world.h"

/* --- semaphores: no post is lost, and none counts twice --------------------------------------- */

static PT_ASYNC(taker, self)
{
    for (; self->taken < self->wanted; self->taken++)
        PT_ACQUIRE(&world()->units);
}
PT_END

static void open_units(int wanted, int remotes)
{
    world_open();
    for (int i = 0; i < remotes; i++)
        pt_remote_open(&world()->remotes[i], &world()->loop, pt_remote_release, &world()->units);
    PT_START(&world()->loop, &world()->taker, taker, .wanted = wanted);
}

static void end_units(void)
{
    EXPECT(world()->taker.frame.taken == world()->taker.frame.wanted);
    EXPECT(world()->units.count == 0);
    EXPECT(pt_inbox_empty_(&world()->loop.inbox));
    for (int i = 0; i < 3; i++)
        EXPECT(world()->remotes[i].posted == 0);
}

static void two_open(void)
{
    open_units(4, 1);
}

static void three_open(void)
{
    open_units(3, 1);
}

static void six_open(void)
{
    open_units(6, 1);
}

static void by_timer_open(void)
{
    open_units(4, 1);
    world()->timers = 1;
}

static void post_once(int self)
{
    if (!self)
        world_run();
    else
        EXPECT(pt_remote_post(&world()->remotes[0]) == PT_OK);
}

static void post_twice(int self)
{
    if (!self)
        world_run();
    for (int i = 0; self && i < 2; i++)
        EXPECT(pt_remote_post(&world()->remotes[0]) == PT_OK);
}

static void crosswise_open(void)
{
    open_units(4, 2);
}

static void post_crosswise(int self)
{
    if (!self)
        world_run();
    for (int i = 0; self && i < 2; i++)
        EXPECT(pt_remote_post(&world()->remotes[(self + i) % 2]) == PT_OK);
}

static void three_crosswise_open(void)
{
    open_units(6, 3);
}

static void post_to_two_of_three(int self)
{
    if (!self)
        world_run();
    for (int i = 0; self && i < 2; i++)
        EXPECT(pt_remote_post(&world()->remotes[(self + i) % 3]) == PT_OK);
}

/* --- wakes: the callback sees everything written before the post ------------------------------ */

static bool all_said(int speakers)
{
    for (int i = 1; i <= speakers; i++)
        if (!world()->said[i])
            return false;
    return true;
}

static PT_ASYNC(listener, self)
{
    while (!all_said(self->speakers))
        PT_PARK();
}
PT_END

static void open_listener(int speakers)
{
    world_open();
    pt_remote_open(&world()->remotes[0], &world()->loop, pt_remote_wake, &world()->listener.task);
    PT_START(&world()->loop, &world()->listener, listener, .speakers = speakers);
}

static void two_speakers_open(void)
{
    open_listener(2);
}

static void three_speakers_open(void)
{
    open_listener(3);
}

/* As if the remote had been posted so often that its count is full. */
static void full_open(void)
{
    open_listener(1);
    pt_remote_post(&world()->remotes[0]);
    world()->remotes[0].posted = UINT_MAX;
}

static void say_and_post(int self)
{
    if (!self) {
        world_run();
        return;
    }
    explore_write(&world()->said[self], 1);
    EXPECT(pt_remote_post(&world()->remotes[0]) == PT_OK);
}

static void end_listener(void)
{
    EXPECT(pt_task_done(&world()->listener.task));
}

/* --- mailboxes --------------------------------------------------------------------------------- */

static PT_ASYNC(receiver, self)
{
    for (; self->letters; self->letters--) {
        PT_RECV_MAIL(&world()->mailbox, &self->mail);
        EXPECT(((struct letter *)(void *)self->mail)->number ==
               self->next[((struct letter *)(void *)self->mail)->sender]++);
    }
}
PT_END

static void open_mailbox(int letters)
{
    world_open();
    pt_mailbox_open(&world()->mailbox, &world()->loop);
    PT_START(&world()->loop, &world()->receiver, receiver, .letters = letters);
    memset(world()->receiver.frame.next, 0, sizeof world()->receiver.frame.next);
}

static void three_letters_open(void)
{
    open_mailbox(3);
}

static void four_letters_open(void)
{
    open_mailbox(4);
}

static void six_letters_open(void)
{
    open_mailbox(6);
}

static void send_letters(int self, int count)
{
    for (int i = 0; i < count; i++) {
        struct letter *letter = &world()->letters[self][i];

        letter->sender = self;
        letter->number = i;
        EXPECT(pt_mailbox_post(&world()->mailbox, &letter->mail) == PT_OK);
    }
}

static void send_two(int self)
{
    if (self)
        send_letters(self, 2);
    else
        world_run();
}

static void send_two_and_one(int self)
{
    if (self)
        send_letters(self, 3 - self);
    else
        world_run();
}

static void end_mailbox(void)
{
    EXPECT(world()->receiver.frame.letters == 0);
    EXPECT(!pt_mailbox_try(&world()->mailbox));
}

/* --- rings -------------------------------------------------------------------------------------- */

/* The first two items always arrive, whether or not the third is lost. */
static PT_ASYNC(getter, self)
{
    for (; self->count < 2; self->count++) {
        PT_RING_GET(&world()->ring, &self->got);
        EXPECT(self->got > self->last);
        self->last = self->got;
    }
}
PT_END

static void ring_open(void)
{
    world_open();
    PT_RING_OPEN(&world()->ring, &world()->loop);
    PT_START(&world()->loop, &world()->getter, getter);
}

static void put_three_into_two(int self)
{
    if (!self) {
        world_run();
        return;
    }
    for (unsigned char item = 1; item <= 3; item++)
        world()->accepted += PT_RING_PUT(&world()->ring, &item) == PT_OK;
}

static void end_ring(void)
{
    int left = 0;
    unsigned char item, last = world()->getter.frame.last;

    for (; pt_ring_take_(&world()->ring.ring, &item); last = item, left++)
        EXPECT(item > last);
    EXPECT(world()->getter.frame.count + left == world()->accepted);
    EXPECT(world()->accepted + (int)world()->ring.ring.lost == 3);
    EXPECT(world()->accepted >= 2);
}

/* clang-format off */
const struct explore_scenario post_scenarios[] = {
    {"two_threads_post_to_one_remote_and_the_number_is_exact",
     3, false, two_open, post_twice, end_units},
    {"posts_meet_a_loop_that_also_wakes_up_by_itself",
     3, true, by_timer_open, post_twice, end_units},
    {"two_threads_post_to_two_remotes_crosswise",
     3, false, crosswise_open, post_crosswise, end_units},
    {"three_threads_post_to_one_remote_and_the_number_is_exact",
     4, false, three_open, post_once, end_units},
    {"three_threads_post_twice_to_one_remote",
     4, true, six_open, post_twice, end_units},
    {"three_threads_post_to_three_remotes_crosswise",
     4, true, three_crosswise_open, post_to_two_of_three, end_units},
    {"writes_before_a_post_are_seen_by_the_callback",
     3, false, two_speakers_open, say_and_post, end_listener},
    {"writes_of_three_threads_before_their_posts_are_seen",
     4, true, three_speakers_open, say_and_post, end_listener},
    {"writes_before_a_post_are_seen_although_the_count_is_full",
     2, false, full_open, say_and_post, end_listener},
    {"letters_of_two_senders_all_arrive_once_and_in_the_order_of_each",
     3, false, three_letters_open, send_two_and_one, end_mailbox},
    {"four_letters_of_two_senders_arrive",
     3, true, four_letters_open, send_two, end_mailbox},
    {"six_letters_of_three_senders_arrive",
     4, true, six_letters_open, send_two, end_mailbox},
    {"a_ring_loses_only_the_items_that_it_counts_and_keeps_the_order",
     2, false, ring_open, put_three_into_two, end_ring},
    {NULL, 0, false, NULL, NULL, NULL}};
/* clang-format on */
