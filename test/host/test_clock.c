/* test_clock.c - interrupted and rounded waits, clocks that jump
 * SPDX-License-Identifier: MIT */
#include "host.h"

static actor_task a;

/* Waits a little more than a millisecond, or much more. */
struct nap {
    struct pt pt;
    pt_time extra;
};

static PT_ASYNC(nap, self)
{
    PT_WAIT(PT_MS(1) + 1 + self->extra);
    trace_add("awake@%d ", (int)(PT_NOW() - HOST_START));
}
PT_END

static PT_TASK(nap) nap;

START_TEST(without_epoll_pwait2_waits_are_rounded_up_and_it_is_not_called_again)
{
    for (int error = 0; error < 2 && (host_is(_i, "epoll") || host_is(_i, "poll")); error++) {
        host_open(host_pollers[_i]);
        memset(host.calls, 0, sizeof host.calls);
        host_fail(HOST_epoll_pwait2, 0, -1, error ? EPERM : ENOSYS);
        PT_START(&host.loop, &nap, nap);
        host_run();
        PT_START(&host.loop, &nap, nap);
        host_run();
        ck_assert_trace("awake@2000000 awake@4000000 ");
        ck_assert_int_le(host.calls[HOST_epoll_pwait2], 1);
        ck_assert_int_eq(host.waits, 2);
        host_close();
    }
}
END_TEST

START_TEST(an_interrupted_wait_continues_for_the_remaining_time)
{
    host_open(host_pollers[_i]);
    host_fail(host_waits_by(_i), 0, 2, EINTR);
    host.fault.lasts = PT_MS(2);
    host_start(&a, 'A', NULL, "s");
    host_run();
    ck_assert_trace("As@5 ");
    host_close();
}
END_TEST

START_TEST(only_a_turn_polls_where_it_reads_the_clock)
{
    const struct pt_port *port = &host.system.port;
    struct pt_io io;
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_turns(1);
    host_put(ends[1], "x");
    for (int i = 0; i < 3; i++) { /* the first reading after an idle step does not poll either */
        host.now += PT_MS(1);
        ck_assert_uint_eq(port->now(port->context), host.now);
    }
    ck_assert(pt_loop_idle(&host.loop));
    port->turn(port->context);
    host.now += PT_MS(1);
    ck_assert_uint_eq(port->turn(port->context), host.now);
    ck_assert(!pt_loop_idle(&host.loop));
    host_run();
    trace_take();
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_jump_of_the_wall_clock_moves_no_deadline)
{
    host_open(host_pollers[_i]);
    host_start(&a, 'A', NULL, "ss");
    host_turns(2);
    host.wall = 3600;
    host_run();
    ck_assert_trace("As@5 As@10 ");
    host_close();
}
END_TEST

START_TEST(after_a_long_suspension_each_deadline_fires_once)
{
    host_open(host_pollers[_i]);
    host_start(&a, 'A', NULL, "ss");
    while (host.now == HOST_START)
        host_turns(1);
    host.now += PT_SEC(3600); /* while it slept */
    host_run();
    ck_assert_trace("As@3600005 As@3600010 ");
    host_close();
}
END_TEST

START_TEST(a_deadline_before_the_turn_needs_no_sleep)
{
    host_open(host_pollers[_i]);
    for (pt_time past = 1; past < PT_SEC(9); past *= 10)
        host.loop.port->idle(host.loop.port->context, host.now, host.now - past);
    ck_assert_uint_eq(host.now, HOST_START);
    host_close();
}
END_TEST

START_TEST(a_sleep_of_years_is_split_into_sleeps_that_every_system_accepts)
{
    static PT_TASK(nap) longest;
    const int64_t day = (int64_t)24 * 3600 * 1000000000;

    host_open(host_pollers[_i]);
    PT_START(&host.loop, &longest, nap, .extra = PT_SEC(100000));
    host_turns(2);
    ck_assert_int_eq(host.longest, day);
    host_run();
    ck_assert_ptr_nonnull(strstr(trace_take(), "awake@"));
    ck_assert(host.now - HOST_START > PT_SEC(100000));
    host_close();
}
END_TEST

Suite *host_suite_clock(void)
{
    Suite *suite = suite_create("clock");

    host_test(suite, without_epoll_pwait2_waits_are_rounded_up_and_it_is_not_called_again);
    host_test(suite, an_interrupted_wait_continues_for_the_remaining_time);
    host_test(suite, only_a_turn_polls_where_it_reads_the_clock);
    host_test(suite, a_jump_of_the_wall_clock_moves_no_deadline);
    host_test(suite, after_a_long_suspension_each_deadline_fires_once);
    host_test(suite, a_deadline_before_the_turn_needs_no_sleep);
    host_test(suite, a_sleep_of_years_is_split_into_sleeps_that_every_system_accepts);
    return suite;
}
