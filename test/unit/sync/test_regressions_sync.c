/* test_regressions_sync.c - scripts with sync objects that failed in the model test, minimized
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT

#if PT_CHANNELS && PT_CANCEL

static PT_CHANNEL(int) numbers;

struct receiver {
    struct pt pt;
    int number;
};

static PT_ASYNC(receiver, self)
{
    PT_RECV(&numbers, &self->number);
    trace_add("got ");
}
PT_END

struct parting {
    struct pt pt;
    int last;
};

static PT_ASYNC(parting, self)
{
    PT_PARK();
    PT_FINALLY
    PT_SEND(&numbers, &self->last);
    trace_add("sent ");
}
PT_END

static PT_TASK(receiver) receiver;
static PT_TASK(parting) parting;

START_TEST(the_preferred_side_goes_first_even_in_a_cleanup)
{
    test_open(&world);
    test_zero(receiver);
    test_zero(parting);
    pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
    PT_START(&world.loop, &receiver, receiver);
    PT_START(&world.loop, &parting, parting, .last = 7);
    pt_loop_turn(&world.loop, test_at(0));
    pt_cancel(&parting.task, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("got sent ");
    ck_assert_int_eq(receiver.frame.number, 7);
    test_close(&world);
}
END_TEST

#endif

Suite *suite_regressions_sync(void)
{
    Suite *suite = test_suite("regressions_sync");

#if PT_CHANNELS && PT_CANCEL
    test_add(suite, the_preferred_side_goes_first_even_in_a_cleanup);
#endif
    return suite;
}
#else

Suite *suite_regressions_sync(void)
{
    return test_suite("regressions_sync");
}

#endif
