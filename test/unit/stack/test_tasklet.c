/* test_tasklet.c - tasklets: queued, in turn, blocked at channels
 * SPDX-License-Identifier: MIT */
/* with the room channel: others of its own have some of its names */
#include "test_native.h"

#if TEST_NATIVE
#undef PT_TASKLET_BYTES
#define PT_TASKLET_BYTES (64 << 10) /* sanitizers need more */
#include <pt/stack/tasklet.h>

static struct pt_tasklet tasklets[3];
static pt_tasklet_channel channel;
static char texts[] = "abc";

static pt_status think(struct pt_native *self)
{
    for (int i = 1; i <= 2; i++) {
        trace_add("%c%d(%u) ", *(const char *)self->argument, i,
                  (unsigned)pt_getruncount(&world.loop));
        ck_assert_int_eq(pt_schedule(self), PT_OK);
    }
    return PT_OK;
}

START_TEST(tasklets_alternate_and_the_run_count_is_the_number_of_others)
{
    test_zero(tasklets);
    test_open(&world);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PT_TASKLET(&world.loop, &tasklets[i], think, &texts[i]), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(PT_TASKLET(&world.loop, &tasklets[0], think, NULL), PT_EBUSY);
#endif
    ck_assert_int_eq(pt_run(&world.loop), PT_OK);
    run_world("a1(2) b1(2) c1(2) a2(2) b2(2) c2(2) ");
}
END_TEST

static pt_status send_text(struct pt_native *self)
{
    pt_status status = pt_channel_send(self, &channel, &texts[1]);

    trace_add("sent(%u) ", (unsigned)pt_getruncount(&world.loop));
    return status;
}

static pt_status receive_text(struct pt_native *self)
{
    const char *text = (const char *)pt_channel_receive(self, &channel);

    trace_add("got %c(%u) ", text ? *text : '-', (unsigned)pt_getruncount(&world.loop));
    return PT_OK;
}

START_TEST(a_tasklet_that_waits_at_a_channel_is_not_queued_and_the_receiver_goes_first)
{
    test_zero(tasklets);
    test_open(&world);
    pt_channel_open(&channel);
    PT_TASKLET(&world.loop, &tasklets[0], receive_text, NULL);
    PT_TASKLET(&world.loop, &tasklets[1], send_text, NULL);
    ck_assert_int_eq(pt_run(&world.loop), PT_OK);
    PT_TASKLET(&world.loop, &tasklets[0], receive_text, NULL);
    ck_assert_int_eq(pt_run(&world.loop), PT_EDEADLK);
    pt_channel_close(&channel.channel);
    run_world("got b(1) sent(0) got -(0) ");
}
END_TEST
#endif

Suite *suite_tasklet(void)
{
    Suite *suite = test_suite("tasklet");

#if TEST_NATIVE
    test_add(suite, tasklets_alternate_and_the_run_count_is_the_number_of_others);
    test_add(suite, a_tasklet_that_waits_at_a_channel_is_not_queued_and_the_receiver_goes_first);
#endif
    return suite;
}
